import { defineScreen } from '../define-screen.ts';

export const settingsScreen = defineScreen({
  name: 'settings',
  path: '/web/settings',
  title: 'Settings',
  keys: [],
  isWide: true,
  load: () => import('./screen.tsx').then(({ SettingsScreen }) => ({ Screen: SettingsScreen })),
});
