import type { Kernel } from '@kontor/kernel';
import { type Env, type Model, planReading, type Reading } from '@kontor/orm';
import type { DomainNode, Projection } from '@kontor/protocol';
import { shownRows } from '@kontor/workspace';
import { type ExportColumn, exportColumns, exportModel } from './export-columns.ts';
import type { ExportQuery } from './export-query.ts';

export interface ExportPlan {
  readonly model: Model;
  /** Of the action, or of the model where there is none. */
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  readonly domain: DomainNode;
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
  const { title, domain, order } = await shownRows(kernel, env, model, query.search, query.ids);
  const reading = planReading(env, model, { domain, projection: projection(columns), order });
  if (query.ids) await env.model(model.name).read(query.ids, ['id']);
  return { model, title, columns, domain, reading };
}
