import { type CountAsked, countEach, type Env } from '@kontor/orm';
import { maxMenuCount } from '@kontor/protocol';
import { fillActive } from './active-tokens.ts';
import { hideArchived } from './hide-archived.ts';
import type { Interface } from './load-interface.ts';
import { type MenuNode, walkMenus } from './visible-menus.ts';

export type MenuCounts = ReadonlyMap<number, number>;

/** How many records the counted menus of an app lead to, by menu, in one statement. */
export async function menuCounts(env: Env, screens: Interface, root: MenuNode | null): Promise<MenuCounts> {
  const asked = root ? [...walkMenus([root])].flatMap((node) => countOf(env, screens, node)) : [];
  const counts = await countEach(env, asked, maxMenuCount);
  return new Map(asked.map(({ menuId }, index) => [menuId, counts[index] as number]));
}

function countOf(
  env: Env,
  screens: Interface,
  { menu, actionId }: MenuNode,
): readonly (CountAsked & { readonly menuId: number })[] {
  const action = actionId === null || !menu.isCounted ? undefined : screens.actions.get(actionId);
  const model = action && env.registry.models.get(action.model);
  if (!action || !model) return [];
  return [{ menuId: menu.id, model, domain: hideArchived(model, fillActive(action.domain, [])) }];
}
