import { defineView } from '../define-view.ts';

export const ganttView = defineView({
  type: 'gantt',
  label: 'Gantt',
  icon: 'chart-gantt',
  load: async () => ({ View: (await import('./view.tsx')).GanttView }),
});
