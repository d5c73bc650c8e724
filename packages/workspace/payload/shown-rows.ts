import type { Kernel } from '@kontor/kernel';
import type { Env, Model } from '@kontor/orm';
import { condition, type DomainNode } from '@kontor/protocol';
import { findAction } from '../interface/find-action.ts';
import { viewSources } from '../interface/find-view.ts';
import { interfaceIn } from '../interface/load-interface.ts';
import type { WorkspaceQuery } from '../query/workspace-query.ts';
import { searchState } from './search-state.ts';
import { viewArch } from './view-arch.ts';

export interface ShownRows {
  readonly title: string;
  readonly domain: DomainNode;
  readonly order: string | undefined;
}

/**
 * The rows that a list with these parameters shows. Default filters of the action count only if they are named, and
 * records given by id are exported whatever else the list is restricted to.
 */
export async function shownRows(
  kernel: Kernel,
  env: Env,
  model: Model,
  search: WorkspaceQuery,
  ids: readonly number[] | null,
): Promise<ShownRows> {
  const screens = await interfaceIn(kernel, env.actor.lang);
  const action = findAction(screens, env, search);
  const type = search.viewType === 'kanban' ? 'kanban' : 'list';
  const view = viewArch(env, viewSources(kernel, env, screens), model.name, type);
  const asked = { ...search, filter: search.filter ?? [], groupBy: [] };
  const { domain, order } = searchState({ env, model, action, context: {}, view, query: asked });
  return { title: action.name, domain: ids ? condition('id', 'in', ids) : domain, order };
}
