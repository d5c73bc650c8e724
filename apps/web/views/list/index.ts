import { defineView } from '../define-view.ts';
import { ListView } from './view.tsx';

export const listView = defineView({
  type: 'list',
  label: 'List',
  icon: 'list',
  component: ListView,
});
