import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { whileBusy } from './idle.ts';

/** A component of a chunk of its own. Loading it counts as work; `preload` fetches it ahead. */
interface LazyComponent<P> {
  readonly Component: ComponentType<P>;
  preload(): void;
}

/** Unlike React's own `lazy`, one that is loaded is drawn in the same frame, and one that just came is not held back. */
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
