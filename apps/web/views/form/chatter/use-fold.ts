import { useSyncExternalStore } from 'react';
import { createStore, useStore } from '../../../state/store.ts';

const key = 'kontor.chatter-folded';
const folded = createStore(localStorage.getItem(key) === '1');
/** As the styles have it: below, the talk stands under the sheet and takes no room from it. */
const beside = '(min-width: 1181px)';

/** Whether the person wants the room beside the sheet for the sheet; kept on this device, as screens differ. */
export function useFold(): readonly [boolean, (isFolded: boolean) => void] {
  const isBeside = useSyncExternalStore(watchWidth, () => window.matchMedia(beside).matches);
  const isFolded = useStore(folded);
  return [isFolded && isBeside, setFolded];
}

function setFolded(isFolded: boolean): void {
  folded.set(isFolded);
  localStorage.setItem(key, isFolded ? '1' : '0');
}

function watchWidth(listener: () => void): () => void {
  const media = window.matchMedia(beside);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
