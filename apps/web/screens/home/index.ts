import { defineScreen } from '../define-screen.ts';

export const homeScreen = defineScreen({
  name: 'home',
  path: '/web/home',
  title: 'Home',
  keys: [{ keys: ['Alt', '←', '→'], does: 'Move a pinned app' }],
  isWide: true,
  load: () => import('./screen.tsx').then(({ HomeScreen }) => ({ Screen: HomeScreen })),
});
