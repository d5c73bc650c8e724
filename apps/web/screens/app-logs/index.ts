import { defineScreen } from '../define-screen.ts';

export const appLogsScreen = defineScreen({
  name: 'app-logs',
  path: '/web/settings/app-logs',
  title: 'Application log',
  parent: { title: 'Settings', path: '/web/settings' },
  keys: [],
  isWide: true,
  isAlwaysAsked: true,
  load: () => import('./screen.tsx').then(({ AppLogsScreen }) => ({ Screen: AppLogsScreen })),
});
