import { defineView } from '../define-view.ts';

export const pivotView = defineView({
  type: 'pivot',
  label: 'Pivot',
  icon: 'table-2',
  load: async () => ({ View: (await import('./view.tsx')).PivotView }),
});
