import type { ComponentType } from 'react';
import { lazyComponent } from '../state/lazy.tsx';
import { createRegistry } from '../state/registry.ts';
import type { ScreenDefinition, ScreenProps } from './screen-definition.ts';

const settings = { title: 'Settings', path: '/web/settings' };

/** Every screen that the client renders itself, by path. Other paths are left to the server. */
const shipped: readonly ScreenDefinition[] = [
  {
    path: '/web/home',
    title: 'Home',
    load: async () => (await import('./home/screen.tsx')).HomeScreen,
  },
  {
    path: '/web/apps',
    title: 'Apps',
    load: async () => (await import('./apps/screen.tsx')).AppsScreen,
  },
  {
    ...settings,
    load: async () => (await import('./settings/screen.tsx')).SettingsScreen,
  },
  {
    path: '/web/settings/app-logs',
    title: 'Application log',
    parent: settings,
    isAlwaysAsked: true,
    load: async () => (await import('./app-logs/screen.tsx')).AppLogsScreen,
  },
  {
    path: '/web/settings/customise',
    title: 'Customisation',
    parent: settings,
    isAlwaysAsked: true,
    load: async () => (await import('./customise/screen.tsx')).CustomiseScreen,
  },
  {
    path: '/web/settings/rights',
    title: 'Rights',
    parent: settings,
    isAlwaysAsked: true,
    load: async () => (await import('./rights/screen.tsx')).RightsScreen,
  },
  {
    path: '/web/profile',
    title: 'Profile',
    load: async () => (await import('./profile/screen.tsx')).ProfileScreen,
  },
  {
    path: '/web/proposals',
    title: 'Proposed changes',
    isAlwaysAsked: true,
    load: async () => (await import('./proposals/screen.tsx')).ProposalsScreen,
  },
  {
    path: '/web/reference',
    title: 'Reference',
    isAlwaysAsked: true,
    load: async () => (await import('./reference/screen.tsx')).ReferenceScreen,
  },
];

interface KnownScreen {
  readonly definition: ScreenDefinition;
  readonly Component: ComponentType<ScreenProps>;
}

const screens = createRegistry<KnownScreen>('screen');

export function registerShippedScreens(): void {
  for (const definition of shipped) {
    const { Component } = lazyComponent(definition.load);
    screens.add(definition.path, { definition, Component });
  }
}

export function screenAt(path: string): KnownScreen | null {
  return screens.has(path) ? screens.get(path) : null;
}
