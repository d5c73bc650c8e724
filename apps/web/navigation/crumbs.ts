import { useEffect } from 'react';
import { t } from '../i18n/messages.ts';
import { createStore } from '../state/store.ts';
import { type Crumb, currentPlace, placeHref, usePlace } from './router.ts';

/** The breadcrumbs of the screen, outermost first. */
export const crumbs = createStore<readonly Crumb[]>([]);

/** Sets the breadcrumbs of a screen and the title of the tab. */
export function useCrumbs(given: readonly Crumb[]): void {
  const key = JSON.stringify(given);
  // Another view of the same action has the same breadcrumbs, but a trail of its own.
  const { trail } = usePlace();
  useEffect(() => {
    const own = JSON.parse(key) as readonly Crumb[];
    showCrumbs(own, trail);
    const label = own.at(-1)?.label;
    document.title = label ? `${label} · Kontor` : 'Kontor';
  }, [key, trail]);
}

/**
 * Also called before the first screen renders, so that its first frame has breadcrumbs; the screen's own call then
 * changes nothing.
 */
export function showCrumbs(own: readonly Crumb[], trail: readonly Crumb[]): void {
  const next = trail.length > 0 ? [...trail, ...own.slice(-1).map(withOtherTitle(trail.at(-1)))] : own;
  crumbs.set((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
}

/** The list behind a figure has the same title as the chart it was opened from. */
function withOtherTitle(before: Crumb | undefined): (crumb: Crumb) => Crumb {
  return (crumb) => (crumb.label === before?.label ? { ...crumb, label: t('Records') } : crumb);
}

/** The home screen is not a breadcrumb, because the logo links to it. */
const homes: ReadonlySet<string> = new Set(['/web', '/web/home']);

/** The trail for a screen that is opened from this one: its last entry leads back here. */
export function trailFromHere(): readonly Crumb[] {
  const { path, query } = currentPlace();
  if (homes.has(path) && query === '') return [];
  const now = crumbs.get();
  const last = now.at(-1);
  return last ? [...now.slice(0, -1), { label: last.label, href: placeHref(currentPlace()) }] : [];
}
