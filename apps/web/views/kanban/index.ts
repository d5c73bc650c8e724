import { defineView } from '../define-view.ts';

export const kanbanView = defineView({
  type: 'kanban',
  label: 'Kanban',
  icon: 'square-kanban',
  keys: [
    { keys: ['↑', '↓', '←', '→'], does: 'Card and column before and after' },
    { keys: ['Enter'], does: 'Open the card' },
    { keys: ['Space'], does: 'Lift the card; arrows move it, Space drops it' },
    { keys: ['Esc'], does: 'Put the card back' },
    { keys: ['X'], does: 'Choose the card' },
    { keys: ['C'], does: 'New card in this column' },
  ],
  load: async () => ({ View: (await import('./view.tsx')).KanbanView }),
});
