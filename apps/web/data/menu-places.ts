import type { MenuPlace } from '@kontor/protocol';
import { createStore } from '../state/store.ts';
import { request } from './request.ts';

/** Every menu of every app; empty until somebody asked for them. */
export const menuPlaces = createStore<readonly MenuPlace[]>([]);
let loading: Promise<void> | null = null;

/** Asked for when the palette opens for the first time: the page itself carries the menus of one app. */
export function loadMenuPlaces(): Promise<void> {
  loading ??= request<{ result: { menus: readonly MenuPlace[] } }>('/web/home').then(
    ({ body }) => menuPlaces.set(body.result.menus),
    () => {
      loading = null;
    },
  );
  return loading;
}

/** Modules changed, so menus did. */
export function forgetMenuPlaces(): void {
  loading = null;
}
