import { type Env, type Model, type Projection, planReading, type Reading } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';
import type { Kernel } from '../../kernel.ts';
import { findAction } from '../../workspace/find-action.ts';
import { searchState } from '../../workspace/search-state.ts';
import { viewArch } from '../../workspace/view-arch.ts';
import { viewSources } from '../../workspace/view-sources.ts';
import { type ExportColumn, exportColumns, exportModel } from './export-columns.ts';
import type { ExportQuery } from './export-query.ts';

export interface ExportPlan {
  readonly model: Model;
  /** Of the action, or of the model where there is none. */
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  readonly domain: Domain;
  readonly reading: Reading;
}

/** Settles what is exported, with every check that can be made before the first row is read. */
export async function planExport(
  kernel: Kernel,
  env: Env,
  query: ExportQuery,
  projection: (columns: readonly ExportColumn[]) => Projection,
): Promise<ExportPlan> {
  const model = exportModel(env, query.model);
  const columns = exportColumns(env, model, query.fields);
  const { title, domain, order } = await shownRows(kernel, env, model, query);
  const reading = planReading(env, model, { domain, projection: projection(columns), order });
  if (query.ids) await env.model(model.name).read(query.ids, ['id']);
  return { model, title, columns, domain, reading };
}

interface ShownRows {
  readonly title: string;
  readonly domain: Domain;
  readonly order: string | undefined;
}

/**
 * The rows that a list with these parameters shows. Filters that the action would open with count only where they are named,
 * and records that are named are exported whatever else the list is narrowed to.
 */
async function shownRows(kernel: Kernel, env: Env, model: Model, query: ExportQuery): Promise<ShownRows> {
  const { search, ids } = query;
  const screens = await kernel.interface(env.actor.lang);
  const action = findAction(screens, env, search);
  const type = search.viewType === 'kanban' ? 'kanban' : 'list';
  const { arch, query: view } = viewArch(env, viewSources(kernel, env, screens), model.name, type);
  const asked = { ...search, filter: search.filter ?? [], groupBy: [] };
  const { domain, order } = searchState({ env, model, action, context: {}, arch, view, query: asked });
  return { title: action.name, domain: ids ? [['id', 'in', ids]] : domain, order };
}
