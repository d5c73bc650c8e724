import type { AppEntry, HomeScreenData } from '@kontor/protocol';
import { bootstrap, changeBootstrap } from '../state/bootstrap.ts';
import { onEvent } from './bus.ts';
import { forgetMenuPlaces } from './menu-places.ts';
import { request } from './request.ts';
import { expireAll } from './workspace-cache.ts';

let isStale = false;

/** Words and code of another set of modules are not on this page: the next screen is loaded anew. */
export function isPageStale(): boolean {
  return isStale;
}

/** The apps and menus as they are now. */
export async function refreshMenus(): Promise<readonly AppEntry[]> {
  isStale = true;
  expireAll();
  forgetMenuPlaces();
  const { body } = await request<{ result: HomeScreenData }>('/web/home');
  const { apps, topMenus, pinnedApps } = body.result;
  changeBootstrap((now) => ({ ...now, apps, topMenus, pinnedApps }));
  return apps;
}

/** Whoever installs or takes away an app, every open window shows it. */
export function followModules(): void {
  if (!bootstrap().busEnabled) return;
  onEvent('module.changed', () => void refreshMenus().catch(() => {}));
}
