import type { MenuItem, SidebarMenu, TopMenu } from '@kontor/protocol';
import type { MenuCounts } from './menu-counts.ts';
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

/** The root under which a menu is; null where it is under none. */
export function rootOfMenu(roots: readonly MenuNode[], menuId: string): MenuNode | null {
  return roots.find((root) => [...walkMenus([root])].some(({ menu }) => String(menu.id) === menuId)) ?? null;
}

/** The menus of one app in sections: what stands alone comes first, under the app's own name. */
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

/** The client shows two levels; what is deeper is shown with its section. */
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
