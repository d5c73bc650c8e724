import type { InstallState } from '@kontor/kernel';
import { type Env, mayAccessModel } from '@kontor/orm';
import { KontorError, text } from '@kontor/protocol';
import { type Interface, inGroups, type MenuRow } from '../interface/load-interface.ts';

/** A menu with a destination that the user may open, and its children. */
export interface MenuNode {
  readonly menu: MenuRow;
  /** The action it opens itself; null: only its children do. */
  readonly actionId: number | null;
  readonly children: readonly MenuNode[];
}

interface MenuSources {
  readonly screens: Interface;
  readonly env: Env;
  readonly states: ReadonlyMap<string, InstallState>;
}

/** The menus that a user sees, as a tree. Empty branches are left out. */
export function visibleMenus(sources: MenuSources): readonly MenuNode[] {
  const byParent = new Map<number | null, MenuRow[]>();
  for (const menu of sources.screens.menus) {
    const siblings = byParent.get(menu.parentId);
    if (siblings) siblings.push(menu);
    else byParent.set(menu.parentId, [menu]);
  }
  return nodesUnder(null, byParent, sources);
}

function nodesUnder(
  parentId: number | null,
  byParent: ReadonlyMap<number | null, readonly MenuRow[]>,
  sources: MenuSources,
): readonly MenuNode[] {
  return (byParent.get(parentId) ?? []).flatMap((menu) => {
    if (!isShown(menu, sources)) return [];
    const children = nodesUnder(menu.id, byParent, sources);
    const actionId = openedAction(menu, sources);
    return actionId === null && children.length === 0 ? [] : [{ menu, actionId, children }];
  });
}

/** Menus of inactive or uninstalled modules are hidden. */
function isShown(menu: MenuRow, { env, states }: MenuSources): boolean {
  const isServed = menu.module === null || !states.has(menu.module) || states.get(menu.module) === 'installed';
  return isServed && inGroups(menu.groups, env.actor);
}

function openedAction({ actionId }: MenuRow, { screens, env }: MenuSources): number | null {
  const action = actionId === null ? undefined : screens.actions.get(actionId);
  const model = action && env.registry.models.get(action.model);
  if (!action || !model || !inGroups(action.groups, env.actor)) return null;
  return mayAccessModel(env, model, 'read') ? action.id : null;
}

/** Every node of the trees, parents first. */
export function* walkMenus(nodes: readonly MenuNode[]): Generator<MenuNode> {
  for (const node of nodes) {
    yield node;
    yield* walkMenus(node.children);
  }
}

/** The destination of a click: the node's own action, or that of its first child. */
export function menuHref(node: MenuNode): string {
  for (const { menu, actionId } of walkMenus([node])) {
    if (actionId !== null) return `/web?action=${actionId}&menu_id=${menu.id}`;
  }
  return '/web/home';
}

/** The menu of a screen: the named one, or else the first that opens the action; empty if there is none. */
export function findMenu(sources: MenuSources, menuId: number | null, actionId: number): string {
  const nodes = [...walkMenus(visibleMenus(sources))];
  if (menuId === null) return String(nodes.find((node) => node.actionId === actionId)?.menu.id ?? '');
  if (nodes.some(({ menu }) => menu.id === menuId)) return String(menuId);
  throw new KontorError('NOT_FOUND', text('There is no menu {menu}.', { menu: menuId }), { menu_id: menuId });
}

/** The parameters of a URL that did not lead to a screen, unchanged. */
export interface AskedPlace {
  readonly action: string;
  readonly menuId: string;
}

/** The menu in a URL, even if the rest of the URL is wrong; empty if there is none. */
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
