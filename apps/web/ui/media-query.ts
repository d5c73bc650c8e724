import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';

/** The window whose width counts; null: that of the page. */
export const MediaWindow = createContext<Window | null>(null);

const lists = new Map<string, MediaQueryList>();

/** Cached by query: the browser keeps every list it creates, and creating one costs as much as rendering a cell. */
function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Whether the media query matches right now. */
export function matchesMedia(query: string): boolean {
  return listOf(query).matches;
}

/** Calls the listener when the media query changes. Returns a function that unsubscribes. */
export function onMediaChange(query: string, listener: () => void): () => void {
  listOf(query).addEventListener('change', listener);
  return () => listOf(query).removeEventListener('change', listener);
}

/** Like `matchesMedia`, but renders again when the result changes. */
export function useMedia(query: string): boolean {
  const view = useContext(MediaWindow);
  const list = view?.matchMedia(query) ?? listOf(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: lists of one query and window are the same.
  const subscribe = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query, view],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}
