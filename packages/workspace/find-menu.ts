import { KontorError, text } from '@kontor/protocol';
import { type MenuSources, visibleMenus, walkMenus } from './visible-menus.ts';

/** The menu that a screen belongs to: the one named, else the first that opens the action; empty where there is none. */
export function findMenu(sources: MenuSources, menuId: number | null, actionId: number): string {
  const nodes = [...walkMenus(visibleMenus(sources))];
  if (menuId === null) return String(nodes.find((node) => node.actionId === actionId)?.menu.id ?? '');
  if (nodes.some(({ menu }) => menu.id === menuId)) return String(menuId);
  throw new KontorError('NOT_FOUND', text('There is no menu {menu}.', { menu: menuId }), { menu_id: menuId });
}
