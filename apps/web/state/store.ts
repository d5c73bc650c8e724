import { useSyncExternalStore } from 'react';

/** An observable value. State that several components need lives in a store, in `data/`. */
export interface Store<T> {
  get(): T;
  set(next: T | ((now: T) => T)): void;
  subscribe(listener: () => void): () => void;
}

/** Creates a value that components can subscribe to. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const given = typeof next === 'function' ? (next as (now: T) => T)(value) : next;
      if (Object.is(given, value)) return;
      value = given;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store; renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** Renders again only when the chosen part changes; `choose` must return the same object for the same state. */
export function useStorePart<T, P>(store: Store<T>, choose: (value: T) => P): P {
  const part = () => choose(store.get());
  return useSyncExternalStore(store.subscribe, part, part);
}
