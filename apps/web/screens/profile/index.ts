import { defineScreen } from '../define-screen.ts';

export const profileScreen = defineScreen({
  name: 'profile',
  path: '/web/profile',
  title: 'Profile',
  keys: [],
  isWide: true,
  load: () => import('./screen.tsx').then(({ ProfileScreen }) => ({ Screen: ProfileScreen })),
});
