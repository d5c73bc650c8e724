import { createContext, useContext } from 'react';
import { createStore, useStore } from '../state/store.ts';

export interface Crumb {
  readonly label: string;
  readonly href?: string;
}

/** The current URL, and the trail of screens that led to it, for the breadcrumbs. */
export interface Place {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly trail: readonly Crumb[];
  /** Changes with every navigation, even to the same URL. */
  readonly visit: number;
  /** Reached with the browser's back or forward button: the screen is restored as it was. */
  readonly isBack: boolean;
}

interface RouterRules {
  /** Whether the client renders this path itself. */
  isKnownPath(path: string): boolean;
  /** The next navigation reloads the page, to get the current code and translations. */
  isPageStale(): boolean;
}

interface HistoryState {
  readonly trail?: readonly Crumb[];
}

interface NavigateOptions {
  /** Replaces the current history entry: typing, sorting, paging by scroll. */
  readonly isReplace?: boolean;
  /** The trail for the breadcrumbs. By default a new one starts; `keepTrail` keeps the current one. */
  readonly trail?: readonly Crumb[];
  readonly keepTrail?: boolean;
}

let visits = 0;
const place = createStore<Place>({ path: '/web', query: '', trail: [], visit: 0, isBack: false });
let rules: RouterRules = { isKnownPath: () => false, isPageStale: () => false };

/** The current URL, for code outside of components. */
export function currentPlace(): Place {
  return place.get();
}

export function usePlace(): Place {
  return useStore(place);
}

/** The URL of a place on this server. */
export function placeHref({ path, query }: { path: string; query: string }): string {
  return query ? `${path}?${query}` : path;
}

/** Navigates without reloading the page. URLs that the client does not render are left to the browser. */
export async function navigate(href: string, options: NavigateOptions = {}): Promise<void> {
  const url = new URL(href, location.href);
  const isFresh = !options.isReplace && !options.keepTrail && !options.trail;
  if (!isOwn(url) || (isFresh && rules.isPageStale())) return location.assign(url);
  const trail = options.keepTrail ? place.get().trail : (options.trail ?? []);
  const state: HistoryState = { trail };
  if (options.isReplace) history.replaceState(state, '', url);
  else history.pushState(state, '', url);
  place.set(readPlace());
}

const Go = createContext(navigate);

/** Replaces `navigate` for a part of the screen, such as a list in a panel. */
export const GoProvider = Go.Provider;

/** `navigate`, or its replacement from `GoProvider`. */
export function useGo(): typeof navigate {
  return useContext(Go);
}

/** Called once by the entry point. */
export function startRouter(given: RouterRules): void {
  rules = given;
  place.set(readPlace());
  window.addEventListener('popstate', () => place.set({ ...readPlace(), isBack: true }));
  document.addEventListener('click', followLink);
}

/** Plain clicks on plain links are handled by the client; new tabs, downloads and other servers are not. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href);
  if (!isOwn(url)) return;
  event.preventDefault();
  void navigate(link.href);
}

function isOwn(url: URL): boolean {
  return url.origin === location.origin && rules.isKnownPath(url.pathname) && url.hash === '';
}

function readPlace(): Place {
  const state = history.state as HistoryState | null;
  return {
    path: location.pathname,
    query: location.search.replace(/^\?/, ''),
    trail: state?.trail ?? [],
    visit: ++visits,
    isBack: false,
  };
}
