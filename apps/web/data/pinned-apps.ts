import type { AppEntry } from '@kontor/protocol';
import { bootstrap, changeBootstrap } from '../state/bootstrap.ts';
import { showError } from './changes.ts';
import { request } from './request.ts';

/** Shows the new order at once and keeps it on the server; a refusal brings back the old one. */
export function pinApps(modules: readonly string[]): void {
  const before = bootstrap().pinnedApps;
  show(modules);
  request<{ result: { modules: readonly string[] } }>('/web/user/pinned-apps', { json: { modules } }).then(
    ({ body }) => show(body.result.modules),
    (error: unknown) => {
      show(before);
      showError(error);
    },
  );
}

function show(pinned: readonly string[]): void {
  changeBootstrap((now) => ({ ...now, pinnedApps: pinned, apps: inPinnedOrder(now.apps, pinned) }));
}

/** Pinned ones first in their order, the others by name, as the server sends them. */
export function inPinnedOrder(apps: readonly AppEntry[], pinned: readonly string[]): readonly AppEntry[] {
  const rank = ({ module }: AppEntry) => (pinned.includes(module) ? pinned.indexOf(module) : pinned.length);
  return apps
    .map((app) => ({ ...app, pinned: pinned.includes(app.module) }))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** The list with one item at another place. */
export function moved(list: readonly string[], item: string, to: number): readonly string[] {
  const rest = list.filter((one) => one !== item);
  const at = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, at), item, ...rest.slice(at)];
}
