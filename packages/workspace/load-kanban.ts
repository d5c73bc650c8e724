import { searchReadPerGroup } from '@kontor/orm';
import { invalidArgs, type KanbanArch, type Projection } from '@kontor/protocol';
import { kanbanColumns } from './kanban-columns.ts';
import { loadList } from './load-list.ts';
import { fieldMeasures } from './measures.ts';
import { moneyTotals } from './money-totals.ts';
import { stageSteps } from './stage-steps.ts';
import type { ViewData, ViewRequest } from './view-request.ts';

const cardsPerColumn = 40;

/** Columns with their counts and sums, and the first cards of each: one statement for either, whatever the columns. */
export async function loadKanban(request: ViewRequest): Promise<ViewData> {
  const { env, model, arch, search } = request;
  const kanban = arch.kanban as KanbanArch;
  const by = search.groupBy[0] ?? kanban.groupField;
  if (by === null || by === undefined) return loadPlain(request, kanban);
  if (search.groupBy.length > 1) {
    throw invalidArgs('A kanban has one level of columns.', { field: 'group_by' });
  }
  const order = search.order ?? handleOrder(kanban);
  const limit = request.askedLimit ?? cardsPerColumn;
  const spec = { domain: search.domain, by, limit, projection: withGroup(request, by) };
  const sums = fieldMeasures(
    model,
    kanban.sums.map((field) => ({ field, measure: 'sum' })),
    [by],
  );
  const [rows, columns, money, steps] = await Promise.all([
    searchReadPerGroup(env, model, { ...spec, ...(order === undefined ? {} : { order }) }),
    kanbanColumns(request, by, sums),
    moneyTotals(request, sums),
    stageSteps(request),
  ]);
  const total = columns.reduce((count, column) => count + column.count, 0);
  const draggable = by === kanban.groupField ? kanban.draggable : canBeMovedBy(request, by);
  const paths = spec.projection;
  return {
    records: rows,
    total,
    paths,
    arch: { ...money, ...steps, kanban: { ...kanban, groupField: by, columns, draggable } },
  };
}

async function loadPlain(request: ViewRequest, kanban: KanbanArch): Promise<ViewData> {
  const { records, total } = await loadList(request);
  return { records, total, arch: { kanban: { ...kanban, groupField: null, columns: [], draggable: false } } };
}

/** People drag cards into an order of their own; it is kept in this field. */
function handleOrder({ handle }: KanbanArch): string | undefined {
  return handle === undefined ? undefined : `${handle}, id`;
}

/** A card can be dropped only where dropping it means writing one value. */
function canBeMovedBy({ model, arch }: ViewRequest, by: string): boolean {
  const field = model.fields.get(by);
  if (!field || field.isReadonly || !arch.rights.write) return false;
  return ['many2one', 'selection', 'boolean'].includes(field.spec.type);
}

/** A card must tell which column it is in. */
function withGroup({ model, projection }: ViewRequest, by: string): Projection {
  const path = by.split(':', 1)[0] as string;
  const isRelation = model.fields.get(path)?.spec.type === 'many2one';
  const needed = isRelation ? [path, `${path}.display_name`] : [path];
  return [...projection, ...needed.filter((each) => !projection.includes(each))];
}
