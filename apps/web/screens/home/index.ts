import { defineScreen } from '../define-screen.ts';

export const homeScreen = defineScreen({
  name: 'home',
  path: '/web/home',
  title: 'Home',
  keys: [],
  isWide: true,
  load: () => import('./screen.tsx').then(({ HomeScreen }) => ({ Screen: HomeScreen })),
});
