import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { whileBusy } from './idle.ts';

/** A component of a chunk of its own. Loading it counts as work, and `preload` fetches it ahead. */
export interface LazyComponent<P> {
  readonly Component: LazyExoticComponent<ComponentType<P>>;
  preload(): void;
}

export function lazyComponent<P>(load: () => Promise<ComponentType<P>>): LazyComponent<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  const once = () => {
    loading ??= load();
    return loading;
  };
  return {
    Component: lazy(async () => ({ default: await whileBusy(once()) })),
    preload: () => void once(),
  };
}
