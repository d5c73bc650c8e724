import { defineView } from '../define-view.ts';
import { ListView } from './view.tsx';

export const listView = defineView({
  type: 'list',
  label: 'List',
  icon: 'list',
  keys: [
    { keys: ['↑', '↓'], does: 'Row before, row after' },
    { keys: ['Enter'], does: 'Open the row' },
    { keys: ['Space'], does: 'Select the row' },
    { keys: ['Tab'], does: 'Next cell while editing' },
    { keys: ['E'], does: 'Edit the row' },
    { keys: ['Alt', '↑', '↓'], does: 'Move the row, where rows have an order' },
    { keys: ['Esc'], does: 'Stop editing, clear the selection' },
  ],
  component: ListView,
});
