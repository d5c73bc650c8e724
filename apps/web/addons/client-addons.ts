import type { ClientAddon } from '@kontor/protocol';
import { onEvent } from '../data/bus.ts';
import { request } from '../data/request.ts';
import { expireAll } from '../data/workspace-cache.ts';
import { addFieldMaker, dropField, widgetOf } from '../fields/registry.tsx';
import { bootstrap } from '../state/bootstrap.ts';
import { addonKeys, addView, dropView } from '../workspace/view-lookup.ts';
import { addonWidget, loadClient } from './addon-widget.tsx';

let present: readonly ClientAddon[] = [];

/** Registers the widgets and views of modules by name. Their code is loaded when a screen needs it, or when the page is idle. */
export function startAddons(): void {
  syncAddons(bootstrap().clientAddons);
  onEvent('module.changed', () => {
    void refreshAddons();
  });
}

/** Registers new modules and removes those that are gone. */
export function syncAddons(next: readonly ClientAddon[]): void {
  const kept = new Set(next.map(({ script }) => script));
  const known = new Set(present.map(({ script }) => script));
  for (const addon of present) if (!kept.has(addon.script)) drop(addon);
  for (const addon of next) if (!known.has(addon.script)) add(addon);
  present = next;
}

export function preloadAddons(): void {
  // A failure is reported where the widget or view is rendered.
  for (const addon of present) loadClient(addon).catch(() => {});
}

async function refreshAddons(): Promise<void> {
  const { body } = await request<{ result: readonly ClientAddon[] }>('/web/addon/clients');
  syncAddons(body.result);
  expireAll();
}

function add(addon: ClientAddon): void {
  for (const name of addon.widgets) addFieldMaker(name, addonWidget(addon, name, widgetOf));
  for (const { type, label, icon } of addon.views) {
    addView({ type, label, icon, load: async () => (await loadView(addon, type)).View });
  }
}

async function loadView(addon: ClientAddon, type: string) {
  const { views } = await loadClient(addon);
  const view = views.find((one) => one.type === type);
  if (!view) throw new Error(`The client/ of ${addon.module} brings no view "${type}".`);
  addonKeys.set(type, view.keys ?? []);
  return view;
}

function drop(addon: ClientAddon): void {
  for (const name of addon.widgets) dropField(name);
  for (const { type } of addon.views) dropView(type);
}
