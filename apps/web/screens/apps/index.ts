import { defineScreen } from '../define-screen.ts';

export const appsScreen = defineScreen({
  name: 'apps',
  path: '/web/apps',
  title: 'Apps',
  keys: [],
  isWide: true,
  load: () => import('./screen.tsx').then(({ AppsScreen }) => ({ Screen: AppsScreen })),
});
