import type { Bootstrap } from '@kontor/protocol';
import { createStore, type Store, useStore } from './store.ts';

declare global {
  interface Window {
    __WC_BOOTSTRAP__?: Bootstrap;
  }
}

let store: Store<Bootstrap> | null = null;

/** Called once by the entry point, with the data in the page. */
export function openBootstrap(given: Bootstrap): void {
  store = createStore(given);
}

/** The data in the page: the user, menus, settings. */
export function bootstrap(): Bootstrap {
  return bootstrapStore().get();
}

/** Like `bootstrap`, but renders again when it changes. */
export function useBootstrap(): Bootstrap {
  return useStore(bootstrapStore());
}

export function changeBootstrap(change: (now: Bootstrap) => Bootstrap): void {
  bootstrapStore().set(change);
}

/** Whether the server has a feature. */
export function hasFeature(name: string): boolean {
  return bootstrap().features[name] === true;
}

function bootstrapStore(): Store<Bootstrap> {
  if (!store) throw new Error('The page carries no bootstrap object.');
  return store;
}
