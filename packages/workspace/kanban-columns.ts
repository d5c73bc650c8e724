import { type Env, type Field, mayAccessModel } from '@kontor/orm';
import { condition, conjoin, type GroupRow, type GroupSpec, type KanbanColumn, type Translate } from '@kontor/protocol';
import type { ViewRequest } from './view-request.ts';

const maxStages = 200;

/** A column before it is known what is in it. */
type Place = Pick<KanbanColumn, 'value' | 'label' | 'fold'>;

/** The columns in their order, empty ones too where the values are known beforehand: stages, selections, yes and no. */
export async function kanbanColumns(
  { env, model, search }: ViewRequest,
  by: string,
  sums: GroupSpec['fields'],
): Promise<readonly KanbanColumn[]> {
  const field = model.fields.get(by);
  const [rows, places] = await Promise.all([
    env.model(model.name).readGroup({ domain: search.domain, groupby: [by], fields: sums }),
    field ? knownPlaces(env, field) : [],
  ]);
  const byValue = new Map(rows.map((row) => [row[by], row]));
  const known = new Set(places.map((place) => place.value as unknown));
  const say = env.registry.wordsIn(env.actor.lang);
  const found = rows.filter((row) => !known.has(row[by])).map((row) => placeOf(row, by, say));
  const unset = found.filter((place) => place.value === null);
  const others = found.filter((place) => place.value !== null);
  return [...unset, ...places, ...others].map((place) => toColumn(place, byValue.get(place.value), sums));
}

async function knownPlaces(env: Env, field: Field): Promise<readonly Place[]> {
  switch (field.spec.type) {
    case 'selection':
      return [...(field.selection ?? [])].map(([value, label]) => ({ value, label, fold: false }));
    case 'boolean':
      return yesAndNo(env.registry.wordsIn(env.actor.lang));
    case 'many2one':
      return stages(env, field);
    default:
      return [];
  }
}

function yesAndNo(say: Translate): readonly Place[] {
  return [false, true].map((value) => ({ value, label: value ? say('Yes') : say('No'), fold: false }));
}

/**
 * Records of a model that has an order of its own (`sequence`) or can be folded (`fold`) are stages: all of them are columns.
 * Of any other model (customers, people) only those that something is grouped under.
 */
async function stages(env: Env, field: Field): Promise<readonly Place[]> {
  const related = env.registry.model(field.spec.relation as string);
  const hasFold = related.fields.get('fold')?.spec.type === 'boolean';
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
  // A related record that a rule hides has no name here, only its id.
  const label = name === null ? `#${String(value)}` : String(name ?? value);
  return { value, label, fold: false };
}

function toColumn(place: Place, row: GroupRow | undefined, sums: GroupSpec['fields']): KanbanColumn {
  const values = sums.map(({ name }) => [name, (row?.[name] ?? 0) as number | string] as const);
  return { ...place, count: row?.__count ?? 0, sums: Object.fromEntries(values) };
}
