export { bootstrap, hasFeature, useBootstrap } from '../state/bootstrap.ts';
export { busy, busyTimer, firstScreen, whenIdle, whileBusy } from '../state/idle.ts';
export { useKept } from '../state/keep-equal.ts';
export { lazyComponent } from '../state/lazy.tsx';
export { mayCustomise } from '../state/may-customise.ts';
export { createStore, type Store, useStore, useStorePart } from '../state/store.ts';
