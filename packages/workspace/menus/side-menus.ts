import { type CountAsked, countEach, type Env, mayAccessModel } from '@kontor/orm';
import { conjoin, type MenuItem, type MenuPlace, maxMenuCount, type SidebarMenu, type TopMenu } from '@kontor/protocol';
import type { ViewSources } from '../interface/find-view.ts';
import type { Interface } from '../interface/load-interface.ts';
import { openingFilters } from '../payload/search-state.ts';
import { viewArch } from '../payload/view-arch.ts';
import { fillActive, hideArchived } from '../query/action-domain.ts';
import { type MenuNode, menuHref, walkMenus } from './visible-menus.ts';

const plainIcon = 'app';

/** The roots: one for each app, and the settings. */
export function topMenus(roots: readonly MenuNode[]): readonly TopMenu[] {
  return roots.map((node) => ({
    id: node.menu.id,
    name: node.menu.name,
    href: menuHref(node),
    module: node.menu.module ?? '',
    icon: node.menu.icon ?? plainIcon,
  }));
}

/** The root of a menu; null if it has none. */
export function rootOfMenu(roots: readonly MenuNode[], menuId: string): MenuNode | null {
  return roots.find((root) => [...walkMenus([root])].some(({ menu }) => String(menu.id) === menuId)) ?? null;
}

/** The menus of one app in sections: single menus come first, under the app's own name. */
export function sideMenus(root: MenuNode | null, counts: MenuCounts = new Map()): readonly SidebarMenu[] {
  if (!root) return [];
  const items = (nodes: readonly MenuNode[]) => nodes.map((node) => toItem(node, counts.get(node.menu.id)));
  const alone = root.children.filter((node) => node.children.length === 0);
  const own = root.actionId !== null && root.children.length === 0 ? [root] : alone;
  const sections = root.children.filter((node) => node.children.length > 0);
  return [
    ...(own.length > 0 ? [{ id: root.menu.id, name: root.menu.name, items: items(own) }] : []),
    ...sections.map((node) => ({ id: node.menu.id, name: node.menu.name, items: items(leavesOf(node)) })),
  ];
}

/** The client shows two levels; deeper menus are shown with their section. */
function leavesOf(node: MenuNode): readonly MenuNode[] {
  return [...walkMenus([node])].filter(({ actionId }) => actionId !== null);
}

function toItem(node: MenuNode, count: number | undefined): MenuItem {
  const { id, name, icon } = node.menu;
  return {
    id,
    name,
    href: menuHref(node),
    ...(icon === null ? {} : { icon }),
    ...(count === undefined ? {} : { count }),
  };
}

type MenuCounts = ReadonlyMap<number, number>;

/** How many records the counted menus of an app open with, by menu, in one statement. */
export async function menuCounts(env: Env, sources: ViewSources, root: MenuNode | null): Promise<MenuCounts> {
  const asked = root ? [...walkMenus([root])].flatMap((node) => countOf(env, sources, node)) : [];
  const counts = await countEach(env, asked, maxMenuCount);
  return new Map(asked.map(({ menuId }, index) => [menuId, counts[index] as number]));
}

function countOf(
  env: Env,
  sources: ViewSources,
  { menu, actionId }: MenuNode,
): readonly (CountAsked & { readonly menuId: number })[] {
  const action = actionId === null || !menu.isCounted ? undefined : sources.screens.actions.get(actionId);
  const model = action && env.registry.models.get(action.model);
  if (!action || !model) return [];
  const opening = openingFilters(action, viewArch(env, sources, model.name, 'list'));
  return [{ menuId: menu.id, model, domain: hideArchived(model, conjoin(fillActive(action.domain, []), opening)) }];
}

/** All menu destinations, app by app, and the models that users search there. */
export function menuPlaces(roots: readonly MenuNode[], screens: Interface, env: Env): readonly MenuPlace[] {
  return roots.flatMap((root) => {
    const sections = sideMenus(root);
    const daily = dailyItems(root, sections);
    const actionOf = new Map([...walkMenus([root])].map(({ menu, actionId }) => [menu.id, actionId]));
    return sections.flatMap(({ items }) =>
      items.map((item) => {
        const action = screens.actions.get(actionOf.get(item.id) ?? 0);
        const model = env.registry.models.get(action?.model ?? '');
        const isSought = model !== undefined && daily.has(item.id) && !model.isTransient;
        const sought = isSought && { model: model.name, label: model.label, hasChatter: model.chatter !== null };
        const mayCreate = model !== undefined && mayAccessModel(env, model, 'create');
        const newLabel = mayCreate ? action?.newLabel : null;
        // Actions of models that were added in the browser have no label of their own.
        const isAdded = isSought && model.name.startsWith('x_');
        const created = newLabel ? { newLabel } : mayCreate && isAdded ? { mayCreate } : {};
        return { ...item, app: root.menu.name, ...sought, ...created };
      }),
    );
  });
}

/** The main menus of an app come first; reports and settings are in their own sections. */
function dailyItems(root: MenuNode, sections: readonly SidebarMenu[]): ReadonlySet<number> {
  const own = sections.find(({ id }) => id === root.menu.id)?.items ?? sections[0]?.items.slice(0, 1) ?? [];
  return new Set(own.map(({ id }) => id));
}
