import type { ComponentType } from 'react';
import { lazyComponent } from '../state/lazy.tsx';
import { createRegistry } from '../state/registry.ts';
import type { ScreenDefinition, ScreenProps } from './screen-definition.ts';

/** Every screen that the client renders itself, by path. Other paths are left to the server. */
const shipped: readonly ScreenDefinition[] = [
  {
    name: 'home',
    path: '/web/home',
    title: 'Home',
    keys: [
      { keys: ['↑', '↓'], does: 'Previous row, next row' },
      { keys: ['E'], does: 'Done' },
      { keys: ['T'], does: 'Tomorrow' },
      { keys: ['Alt', '←', '→'], does: 'Move a pinned app' },
    ],
    isWide: true,
    load: () => import('./home/screen.tsx').then(({ HomeScreen }) => ({ Screen: HomeScreen })),
  },
  {
    name: 'apps',
    path: '/web/apps',
    title: 'Apps',
    keys: [],
    isWide: true,
    load: () => import('./apps/screen.tsx').then(({ AppsScreen }) => ({ Screen: AppsScreen })),
  },
  {
    name: 'settings',
    path: '/web/settings',
    title: 'Settings',
    keys: [],
    isWide: true,
    load: () => import('./settings/screen.tsx').then(({ SettingsScreen }) => ({ Screen: SettingsScreen })),
  },
  {
    name: 'app-logs',
    path: '/web/settings/app-logs',
    title: 'Application log',
    parent: { title: 'Settings', path: '/web/settings' },
    keys: [],
    isWide: true,
    isAlwaysAsked: true,
    load: () => import('./app-logs/screen.tsx').then(({ AppLogsScreen }) => ({ Screen: AppLogsScreen })),
  },
  {
    name: 'customise',
    path: '/web/settings/customise',
    title: 'Customisation',
    parent: { title: 'Settings', path: '/web/settings' },
    keys: [],
    isWide: true,
    isAlwaysAsked: true,
    load: () => import('./customise/screen.tsx').then(({ CustomiseScreen }) => ({ Screen: CustomiseScreen })),
  },
  {
    name: 'profile',
    path: '/web/profile',
    title: 'Profile',
    keys: [],
    isWide: true,
    load: () => import('./profile/screen.tsx').then(({ ProfileScreen }) => ({ Screen: ProfileScreen })),
  },
  {
    name: 'proposals',
    path: '/web/proposals',
    title: 'Proposed changes',
    keys: [],
    isWide: true,
    isAlwaysAsked: true,
    load: () => import('./proposals/screen.tsx').then(({ ProposalsScreen }) => ({ Screen: ProposalsScreen })),
  },
  {
    name: 'reference',
    path: '/web/reference',
    title: 'Reference',
    keys: [{ keys: ['↑', '↓'], does: 'Previous row, next row' }],
    isWide: true,
    isAlwaysAsked: true,
    load: () => import('./reference/screen.tsx').then(({ ReferenceScreen }) => ({ Screen: ReferenceScreen })),
  },
];

interface KnownScreen {
  readonly definition: ScreenDefinition;
  readonly Component: ComponentType<ScreenProps>;
}

const screens = createRegistry<KnownScreen>('screen');

export function registerShippedScreens(): void {
  for (const definition of shipped) {
    const { Component } = lazyComponent(async () => (await definition.load()).Screen);
    screens.add(definition.path, { definition, Component });
  }
}

export function screenAt(path: string): KnownScreen | null {
  return screens.has(path) ? screens.get(path) : null;
}
