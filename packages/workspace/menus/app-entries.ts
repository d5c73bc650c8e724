import { addonIcon, type Kernel } from '@kontor/kernel';
import type { AppEntry, Translate } from '@kontor/protocol';
import { type MenuNode, menuHref } from './visible-menus.ts';

/** Active apps in which the user has a menu; pinned ones first, in the user's order. */
export function appEntries(
  { catalogue, loaded }: Kernel,
  roots: readonly MenuNode[],
  pinned: readonly string[],
  translate: Translate,
): readonly AppEntry[] {
  const entries = [...catalogue.values()].flatMap((addon): readonly AppEntry[] => {
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
  const rank = ({ module }: AppEntry) => (pinned.includes(module) ? pinned.indexOf(module) : pinned.length);
  return entries.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
