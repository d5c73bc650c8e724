import { useEffect } from 'react';
import { createStore } from '../state/store.ts';
import { type Crumb, currentPlace, placeHref } from './router.ts';

/** The breadcrumbs of the screen, outermost first. */
export const crumbs = createStore<readonly Crumb[]>([]);

/** Sets the breadcrumbs of a screen and the title of the tab. */
export function useCrumbs(given: readonly Crumb[]): void {
  const key = JSON.stringify(given);
  useEffect(() => {
    const own = JSON.parse(key) as readonly Crumb[];
    const { trail } = currentPlace();
    crumbs.set(trail.length > 0 ? [...trail, ...own.slice(-1)] : own);
    const label = own.at(-1)?.label;
    document.title = label ? `${label} · Kontor` : 'Kontor';
  }, [key]);
}

/** The trail for a screen that is opened from this one: its last entry leads back here. */
export function trailFromHere(): readonly Crumb[] {
  const now = crumbs.get();
  const last = now.at(-1);
  return last ? [...now.slice(0, -1), { label: last.label, href: placeHref(currentPlace()) }] : [];
}
