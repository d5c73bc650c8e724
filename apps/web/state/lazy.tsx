import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { whileBusy } from './idle.ts';

/** A component in its own chunk. Loading counts as busy; `preload` fetches it ahead of time. */
interface LazyComponent<P> {
  readonly Component: ComponentType<P>;
  preload(): void;
}

/**
 * A component in its own chunk. Unlike with React's `lazy`, a loaded component renders in the same frame, and one that has just
 * arrived is not delayed.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): LazyComponent<P> {
  let loaded: ComponentType<P> | null = null;
  let loading: Promise<void> | null = null;
  const once = () => {
    loading ??= whileBusy(load()).then(
      (component) => {
        loaded = component;
      },
      (error) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once per chunk, when the registries are filled.
  function Component(props: P) {
    const [failure, setFailure] = useState<unknown>(null);
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (!loaded) once().then(() => setLoaded(true), setFailure);
    }, []);
    if (failure) throw failure;
    const Loaded = loaded;
    return Loaded ? <Loaded {...props} /> : waiting;
  }
  return { Component, preload: () => void once().catch(() => {}) };
}
