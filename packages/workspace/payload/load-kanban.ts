import {
  type Env,
  type Field,
  knownField,
  type Model,
  mayAccessModel,
  relatedModel,
  searchReadPerGroup,
} from '@kontor/orm';
import {
  type Arch,
  condition,
  conjoin,
  type GroupRow,
  type GroupSpec,
  invalidArgs,
  type KanbanArch,
  type KanbanColumn,
  type Projection,
  type Translate,
} from '@kontor/protocol';
import { convertedMoney, fieldMeasures, loadList, moneyTotals } from './load-list.ts';
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
  const [rows, { columns, total, totals, money }, apart, steps] = await Promise.all([
    searchReadPerGroup(env, model, { ...spec, ...(order === undefined ? {} : { order }) }),
    kanbanColumns(request, by, sums),
    request.query.convert === null ? moneyTotals(request, sums) : null,
    stageSteps(request),
  ]);
  const draggable = by === kanban.groupField ? kanban.draggable : canBeMovedBy(request, by);
  const paths = spec.projection;
  return {
    records: rows,
    total,
    paths,
    arch: { ...(apart ?? { money }), ...steps, totals, kanban: { ...kanban, groupField: by, columns, draggable } },
  };
}

async function loadPlain(request: ViewRequest, kanban: KanbanArch): Promise<ViewData> {
  const { records, total } = await loadList(request);
  return { records, total, arch: { kanban: { ...kanban, groupField: null, columns: [], draggable: false } } };
}

/** The field with the order in which users arrange cards. */
function handleOrder({ handle }: KanbanArch): string | undefined {
  return handle === undefined ? undefined : `${handle}, id`;
}

/** A card can be dropped only where dropping it means writing one value. */
function canBeMovedBy({ model, arch }: ViewRequest, by: string): boolean {
  const field = model.fields.get(by);
  if (!field || field.isReadonly || !arch.rights.write) return false;
  return field.kind.isToOne || field.kind.isChoice || field.kind.isBoolean;
}

/** A card must tell which column it is in. */
function withGroup({ env, model, projection }: ViewRequest, by: string): Projection {
  const path = by.split(':', 1)[0] as string;
  const isRelation = knownPath(env, model, path).kind.isToOne;
  const needed = isRelation ? [path, `${path}.display_name`] : [path];
  return [...projection, ...needed.filter((each) => !projection.includes(each))];
}

/** The field at the end of a path through many2ones. */
function knownPath({ registry }: Env, model: Model, path: string): Field {
  const [first = '', ...rest] = path.split('.');
  const field = knownField(model, first);
  if (rest.length === 0) return field;
  return rest.reduce((at, name) => knownField(relatedModel(registry, at), name), field);
}

const maxStages = 200;
/** A board with more columns is unreadable. */
const maxColumns = 500;

/** A column before its content is known. */
type Place = Pick<KanbanColumn, 'value' | 'label' | 'fold'>;

/** The content of each column, and of all of them together. */
interface KanbanFigures {
  readonly columns: readonly KanbanColumn[];
  readonly total: number;
  readonly totals: NonNullable<Arch['totals']>;
  /** Converted totals. */
  readonly money: NonNullable<Arch['money']>;
}

/** The columns in their order, empty ones too where the values are known beforehand: stages, selections, yes and no. */
async function kanbanColumns(request: ViewRequest, by: string, sums: GroupSpec['fields']): Promise<KanbanFigures> {
  const { env, model, search } = request;
  const field = by.includes(':') ? undefined : knownPath(env, model, by);
  const asked = { domain: search.domain, groupby: [by], subtotals: [[]], fields: sums, ...convertedMoney(request) };
  const [[whole, ...rows], places] = await Promise.all([
    env.model(model.name).readGroup({ ...asked, limit: maxColumns + 1 }),
    field ? knownPlaces(env, field) : [],
  ]);
  const byValue = new Map(rows.map((row) => [row[by], row]));
  const known = new Set(places.map((place) => place.value as unknown));
  const say = env.registry.wordsIn(env.actor.lang);
  const found = rows.filter((row) => !known.has(row[by])).map((row) => placeOf(row, by, say));
  const unset = found.filter((place) => place.value === null);
  const others = found.filter((place) => place.value !== null);
  const columns = [...unset, ...places, ...others].map((place) => toColumn(place, byValue.get(place.value), asked));
  return { columns, total: whole?.__count ?? 0, totals: sumsOf(whole, sums), money: whole?.__money ?? {} };
}

async function knownPlaces(env: Env, field: Field): Promise<readonly Place[]> {
  if (field.kind.isChoice) return [...(field.selection ?? [])].map(([value, label]) => ({ value, label, fold: false }));
  if (field.kind.isBoolean) return booleanPlaces(env.registry.wordsIn(env.actor.lang));
  return field.kind.isToOne ? stages(env, field) : [];
}

function booleanPlaces(say: Translate): readonly Place[] {
  return [false, true].map((value) => ({ value, label: value ? say('Yes') : say('No'), fold: false }));
}

/**
 * Records of a model that has an order of its own (`sequence`) or can be folded (`fold`) are stages: all of them are columns.
 * Of any other model (customers, people) only those that something is grouped under.
 */
async function stages(env: Env, field: Field): Promise<readonly Place[]> {
  const related = env.registry.model(field.spec.relation as string);
  const hasFold = related.fields.get('fold')?.kind.isBoolean;
  if (!hasFold && !related.fields.has('sequence')) return [];
  if (!mayAccessModel(env, related, 'read')) return [];
  const active = related.hasActive ? [condition('active', '=', true)] : [];
  const domain = conjoin(...(field.domain ? [field.domain] : []), ...active);
  const rows = await env.model(related.name).searchRead(domain, ['display_name', ...(hasFold ? ['fold'] : [])], {
    limit: maxStages,
  });
  return rows.map((row) => ({ value: row.id, label: String(row.display_name ?? ''), fold: row.fold === true }));
}

function placeOf(row: GroupRow, by: string, say: Translate): Place {
  const value = (row[by] ?? null) as Place['value'];
  if (value === null) return { value, label: say('None'), fold: false };
  const name = row[`${by}.display_name`];
  // A rule hides the name of the related record.
  const label = name === null ? say('No access') : String(name ?? value);
  return { value, label, fold: false };
}

/** An empty column has no amounts in any currency. */
function noMoney(sums: GroupSpec['fields']): NonNullable<KanbanColumn['money']> {
  return Object.fromEntries(sums.map(({ name }) => [name, []]));
}

function toColumn(
  place: Place,
  row: GroupRow | undefined,
  { fields: sums, money }: Pick<GroupSpec, 'fields' | 'money'>,
): KanbanColumn {
  return {
    ...place,
    count: row?.__count ?? 0,
    sums: sumsOf(row, sums),
    ...(money ? { money: row?.__money ?? noMoney(sums) } : {}),
  };
}

function sumsOf(row: GroupRow | undefined, sums: GroupSpec['fields']): KanbanColumn['sums'] {
  return Object.fromEntries(sums.map(({ name }) => [name, (row?.[name] ?? 0) as number | string]));
}
