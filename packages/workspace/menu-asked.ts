import type { Interface } from './load-interface.ts';
import { type MenuNode, walkMenus } from './visible-menus.ts';

/** Parameters of an address that did not lead to a screen, as they were given. */
export interface AskedPlace {
  readonly action: string;
  readonly menuId: string;
}

/** The menu that an address speaks of, whether or not the rest of it makes sense; empty where there is none. */
export function menuAsked(
  { actionIds }: Interface,
  roots: readonly MenuNode[],
  { action, menuId }: AskedPlace,
): string {
  const nodes = [...walkMenus(roots)];
  const actionId = actionIds.get(action) ?? Number(action || Number.NaN);
  const found =
    nodes.find(({ menu }) => String(menu.id) === menuId) ?? nodes.find((node) => node.actionId === actionId);
  return found ? String(found.menu.id) : '';
}
