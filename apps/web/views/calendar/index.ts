import { defineView } from '../define-view.ts';

export const calendarView = defineView({
  type: 'calendar',
  label: 'Calendar',
  icon: 'calendar',
  keys: [
    { keys: ['T'], does: 'Today' },
    { keys: ['PageUp', 'PageDown'], does: 'Period before and after' },
    { keys: ['D', 'W', 'M', 'A'], does: 'Day, week, month, agenda' },
    { keys: ['↑', '↓', '←', '→'], does: 'Day or hour before and after; Enter makes an entry' },
    { keys: ['Shift', '→'], does: 'Move the entry' },
    { keys: ['Alt', '→'], does: 'Make the entry longer or shorter' },
  ],
  load: async () => ({ View: (await import('./view.tsx')).CalendarView }),
});
