import { isApple } from '../../navigation/keys.ts';
import { defineView } from '../define-view.ts';
import { FormView } from './view.tsx';

export const formView = defineView({
  type: 'form',
  label: 'Form',
  icon: 'file-text',
  keys: [
    { keys: [isApple ? '⌘' : 'Ctrl', 'S'], does: 'Save' },
    { keys: ['Alt', 'PageDown'], does: 'Next record' },
    { keys: ['Alt', 'PageUp'], does: 'Previous record' },
    { keys: ['Enter'], does: 'Lines: next row, and a new one after the last' },
    { keys: ['Tab'], does: 'Lines: next cell' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'D'], does: 'Lines: duplicate the line' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'Delete'], does: 'Lines: delete the line' },
    { keys: ['Alt', '↑', '↓'], does: 'Lines: move the line' },
  ],
  component: FormView,
});
