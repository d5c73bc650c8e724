import { defineView } from '../define-view.ts';
import { FormView } from './view.tsx';

export const formView = defineView({
  type: 'form',
  label: 'Form',
  icon: 'file-text',
  component: FormView,
});
