import { defineView } from '../define-view.ts';

export const graphView = defineView({
  type: 'graph',
  label: 'Graph',
  icon: 'chart-column',
  load: async () => ({ View: (await import('./view.tsx')).GraphView }),
});
