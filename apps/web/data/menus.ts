import type { AppEntry, HomeScreenData, MenuPlace } from '@kontor/protocol';
import { bootstrap, changeBootstrap } from '../state/bootstrap.ts';
import { createStore } from '../state/store.ts';
import { onEvent } from './bus.ts';
import { request } from './request.ts';
import { expireAll } from './workspace-cache.ts';

/** Every menu of every app; empty until requested. */
export const menuPlaces = createStore<readonly MenuPlace[]>([]);
let loading: Promise<void> | null = null;

/** Loaded when the palette opens for the first time: the page itself contains the menus of one app. */
export function loadMenuPlaces(): Promise<void> {
  loading ??= request<{ result: { menus: readonly MenuPlace[] } }>('/web/home').then(
    ({ body }) => menuPlaces.set(body.result.menus),
    () => {
      loading = null;
    },
  );
  return loading;
}

/** Called when modules change, because their menus do. */
function forgetMenuPlaces(): void {
  loading = null;
}

let isStale = false;

/** Modules have changed, so this page lacks code and translations: the next navigation reloads it. */
export function isPageStale(): boolean {
  return isStale;
}

/** Loads the current apps and menus. */
export async function refreshMenus(): Promise<readonly AppEntry[]> {
  isStale = true;
  expireAll();
  forgetMenuPlaces();
  const { body } = await request<{ result: HomeScreenData }>('/web/home');
  const { apps, topMenus, pinnedApps } = body.result;
  changeBootstrap((now) => ({ ...now, apps, topMenus, pinnedApps }));
  return apps;
}

/** Updates the apps and menus when modules change. */
export function followModules(): void {
  if (!bootstrap().busEnabled) return;
  onEvent('module.changed', () => void refreshMenus().catch(() => {}));
}
