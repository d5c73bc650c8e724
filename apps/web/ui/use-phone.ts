import { useSyncExternalStore } from 'react';

const lists = new Map<string, MediaQueryList>();

/** Whether the window is as a media query says. The same list for the same query: asking for another one costs as much as a cell. */
function mediaOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

const phone = '(max-width: 640px)';

function onPhoneChange(listener: () => void): () => void {
  mediaOf(phone).addEventListener('change', listener);
  return () => mediaOf(phone).removeEventListener('change', listener);
}

/** Whether the window is as narrow as a phone. */
export function usePhone(): boolean {
  return useSyncExternalStore(onPhoneChange, () => mediaOf(phone).matches);
}

/** Whether rows are as high as a finger needs them. */
export function hasHighRows(): boolean {
  return mediaOf('(max-width: 640px), (pointer: coarse)').matches;
}
