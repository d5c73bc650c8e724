import { addonIcon, customModule, type Kernel } from '@kontor/kernel';
import type { Registry } from '@kontor/orm';
import type { AppEntry, Translate } from '@kontor/protocol';
import { type MenuNode, menuHref } from './visible-menus.ts';

/** Whether it is the app of a model that was added in the browser. */
export function isAddedApp({ models }: Registry, app: string): boolean {
  const [, model = ''] = /^custom\.(x_\w+)_app$/.exec(app) ?? [];
  return models.has(model);
}

/** Active apps in which the user has a menu; pinned ones first, in the user's order. */
export function appEntries(
  { catalogue, loaded }: Kernel,
  roots: readonly MenuNode[],
  pinned: readonly string[],
  translate: Translate,
): readonly AppEntry[] {
  const entries = [...catalogue.values()].flatMap((addon): AppEntry[] => {
    const { name, manifest } = addon;
    if (!manifest.application || loaded.states.get(name) !== 'installed') return [];
    const root = roots.find(({ menu }) => menu.module === name);
    if (!root) return [];
    const { label, summary } = manifest;
    return [
      {
        module: name,
        name: translate(label, name),
        href: menuHref(root),
        icon: addonIcon(addon) || (root.menu.icon ?? ''),
        description: translate(summary, name),
        pinned: pinned.includes(name),
      },
    ];
  });
  // Apps of models that were added in the browser have no addon: each has a menu of its own.
  for (const root of roots.filter(({ menu }) => menu.module === customModule)) {
    const { key: module, name, icon } = root.menu;
    const app = { module, name, href: menuHref(root), icon: icon ?? '', description: '' };
    entries.push({ ...app, pinned: pinned.includes(module) });
  }
  const rank = ({ module }: AppEntry) => (pinned.includes(module) ? pinned.indexOf(module) : pinned.length);
  return entries.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
