import { defineView } from '../define-view.ts';

export const kanbanView = defineView({
  type: 'kanban',
  label: 'Kanban',
  icon: 'square-kanban',
  load: async () => ({ View: (await import('./view.tsx')).KanbanView }),
});
