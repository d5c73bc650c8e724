import { defineView } from '../define-view.ts';

export const calendarView = defineView({
  type: 'calendar',
  label: 'Calendar',
  icon: 'calendar',
  load: async () => ({ View: (await import('./view.tsx')).CalendarView }),
});
