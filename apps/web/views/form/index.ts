import { defineView } from '../define-view.ts';

export const formView = defineView({
  type: 'form',
  label: 'Form',
  icon: 'file-text',
  load: async () => ({ View: (await import('./view.tsx')).FormView }),
});
