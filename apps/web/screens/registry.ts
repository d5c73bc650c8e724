import type { ComponentType } from 'react';
import { lazyComponent } from '../state/lazy.tsx';
import { createRegistry } from '../state/registry.ts';
import { appLogsScreen } from './app-logs/index.ts';
import { appsScreen } from './apps/index.ts';
import type { ScreenDefinition, ScreenProps } from './define-screen.ts';
import { homeScreen } from './home/index.ts';
import { profileScreen } from './profile/index.ts';
import { settingsScreen } from './settings/index.ts';

/** Every screen the client draws itself, by path. Addresses that are not here are left to the server. */
const shipped: readonly ScreenDefinition[] = [homeScreen, appsScreen, settingsScreen, appLogsScreen, profileScreen];

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
