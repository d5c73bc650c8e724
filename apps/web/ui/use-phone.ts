import { matchesMedia, useMedia } from './media-query.ts';

/** Whether the window is as narrow as a phone. */
export function usePhone(): boolean {
  return useMedia('(max-width: 640px)');
}

/** Whether rows are as high as a finger needs them. */
export function hasHighRows(): boolean {
  return matchesMedia('(max-width: 640px), (pointer: coarse)');
}
