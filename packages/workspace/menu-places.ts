import type { Registry } from '@kontor/orm';
import type { MenuPlace, SidebarMenu } from '@kontor/protocol';
import type { Interface } from './load-interface.ts';
import { sideMenus } from './side-menus.ts';
import { type MenuNode, walkMenus } from './visible-menus.ts';

/** Every place that a menu leads to, app by app, and which records people look for there. */
export function menuPlaces(roots: readonly MenuNode[], screens: Interface, registry: Registry): readonly MenuPlace[] {
  return roots.flatMap((root) => {
    const sections = sideMenus(root);
    const daily = dailyItems(root, sections);
    const actionOf = new Map([...walkMenus([root])].map(({ menu, actionId }) => [menu.id, actionId]));
    return sections.flatMap(({ items }) =>
      items.map((item) => {
        const model = registry.models.get(screens.actions.get(actionOf.get(item.id) ?? 0)?.model ?? '');
        const isSought = model !== undefined && daily.has(item.id) && !model.isTransient;
        return { ...item, app: root.menu.name, ...(isSought ? { model: model.name, label: model.label } : {}) };
      }),
    );
  });
}

/** What an app is for stands in it first; its reports and settings are in sections of their own. */
function dailyItems(root: MenuNode, sections: readonly SidebarMenu[]): ReadonlySet<number> {
  const own = sections.find(({ id }) => id === root.menu.id)?.items ?? sections[0]?.items.slice(0, 1) ?? [];
  return new Set(own.map(({ id }) => id));
}
