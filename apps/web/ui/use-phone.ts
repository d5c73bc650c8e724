import { matchesMedia, useMedia } from './media-query.ts';

/** Whether the window is as narrow as a phone. */
export function usePhone(): boolean {
  return useMedia('(max-width: 640px)');
}

/** Whether rows are high enough for touch. */
export function hasHighRows(): boolean {
  return matchesMedia('(max-width: 640px), (pointer: coarse)');
}
