import type { ComponentType } from 'react';
import { lazyComponent } from '../data/lazy.ts';
import { createRegistry } from '../data/registry.ts';
import type { ScreenDefinition, ScreenProps } from './define-screen.ts';
import { homeScreen } from './home/index.ts';

/** Every screen the client draws itself, by path. Addresses that are not here are left to the server. */
const shipped: readonly ScreenDefinition[] = [homeScreen];

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
