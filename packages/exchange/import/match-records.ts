import { type Env, externalIdPattern, findRecords, takenExternalIds } from '@kontor/orm';
import { text, type Words } from '@kontor/protocol';
import type { Column, ColumnPlan } from './plan-columns.ts';
import type { DraftRow } from './read-rows.ts';
import { idPattern } from './relation-lookup.ts';

/** Values that earlier rows have claimed, by key; the value is the row. */
export interface Taken {
  readonly records: Map<number, number>;
  readonly keys: Map<string, number>;
}

/** The prefix of imported external ids without a module. */
const ownPrefix = 'import';

/** Finds the records that a chunk of rows refers to: by id, by external id, by a unique field. */
export async function matchRecords(env: Env, plan: ColumnPlan, rows: readonly DraftRow[], taken: Taken): Promise<void> {
  if (plan.id === null && plan.keys.length === 0) return;
  const byId = await recordsById(env, plan, rows);
  const byKey = new Map<Column, ReadonlyMap<string, number>>();
  for (const key of plan.keys) byKey.set(key, await recordsByKey(env, plan, key, rows));
  for (const row of rows) {
    const { target, externalId } = matchById(plan, row, byId);
    row.target = target ?? matchByKey(plan, row, byKey) ?? row.target;
    row.externalId = externalId;
    claim(plan, row, taken);
  }
}

function refuse(row: DraftRow, column: string, message: Words): void {
  row.errors.push({ row: row.row, column, message });
}

interface KnownIds {
  readonly visible: ReadonlySet<number>;
  readonly external: ReadonlyMap<string, number>;
  /** External ids of records of other models, and of those that the user may not see. */
  readonly others: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
}

async function recordsById(env: Env, { id, model }: ColumnPlan, rows: readonly DraftRow[]): Promise<KnownIds> {
  const given = id === null ? [] : [...new Set(rows.map((row) => row.id).filter((each) => each !== ''))];
  if (given.length === 0) return { visible: new Set(), external: new Map(), others: new Set(), modules: new Set() };
  const names = given.filter((each) => !idPattern.test(each)).map(fullId);
  const external = await findRecords(env, model, names);
  const numbers = given.filter((each) => idPattern.test(each)).map(Number);
  const ids = [...numbers.filter((each) => each <= 2_147_483_647), ...external.values()];
  const visible = ids.length === 0 ? [] : await env.model(model.name).search([['id', 'in', ids]]);
  const modules = await env.sudo().model('sys.module').searchRead([], ['name']);
  const seen = new Set(visible);
  const unseen = names.filter((name) => !seen.has(external.get(name) ?? 0));
  return {
    visible: seen,
    external,
    others: new Set(await takenExternalIds(env, unseen)),
    modules: new Set(modules.map(({ name }) => String(name))),
  };
}

function fullId(given: string): string {
  return given.includes('.') ? given : `${ownPrefix}.${given}`;
}

function matchById(
  { id, mode, model }: ColumnPlan,
  row: DraftRow,
  { visible, external, others, modules }: KnownIds,
): Pick<DraftRow, 'target' | 'externalId'> {
  const none = { target: null, externalId: null };
  if (id === null || row.id === '') return none;
  const isNumber = idPattern.test(row.id);
  const name = isNumber ? null : fullId(row.id);
  const found = name === null ? Number(row.id) : external.get(name);
  const isThere = found !== undefined && visible.has(found);
  if (mode === 'create' && (isThere || isNumber)) {
    refuse(
      row,
      id.header,
      text('New records get their ID from the server. Choose "Create or update", or leave the column out.'),
    );
    return none;
  }
  if (isThere) return { target: found, externalId: null };
  if (name === null) {
    refuse(
      row,
      id.header,
      text('There is no {model} with the ID {id}.', { model: model.label, id: row.id.slice(0, 20) }),
    );
    return none;
  }
  const [module = ''] = name.split('.', 1);
  if (!externalIdPattern.test(name))
    refuse(row, id.header, text('Must be a record id or an external id such as shop.order_7.'));
  else if (modules.has(module)) {
    refuse(row, id.header, text('External ids of {module} belong to that module. Choose another prefix.', { module }));
  } else if (others.has(name)) {
    refuse(row, id.header, text('The external id {id} belongs to another record. Choose another one.', { id: name }));
  }
  return { target: null, externalId: name };
}

async function recordsByKey(
  env: Env,
  { model }: ColumnPlan,
  { field }: Column,
  rows: readonly DraftRow[],
): Promise<ReadonlyMap<string, number>> {
  const values = rows.flatMap((row) => row.values[field.name] ?? []);
  if (values.length === 0) return new Map();
  const asked = [...new Set(values.map((value) => (typeof value === 'object' ? String(value) : value)))];
  const records = await env
    .model(model.name)
    .searchRead([[field.name, 'in', asked as (string | number | boolean)[]]], [field.name]);
  return new Map(records.map((record) => [String(record[field.name]), record.id]));
}

function matchByKey(
  { keys, mode, id }: ColumnPlan,
  row: DraftRow,
  byKey: ReadonlyMap<Column, ReadonlyMap<string, number>>,
): number | null {
  if (mode === 'upsert' && id !== null && row.id !== '') return null;
  for (const key of keys) {
    const value = row.values[key.field.name];
    const found = value == null ? undefined : byKey.get(key)?.get(String(value));
    if (found === undefined) continue;
    if (mode === 'upsert') return found;
    refuse(
      row,
      key.header,
      text('There is a record with this value already: {value}.', { value: String(value).slice(0, 80) }),
    );
  }
  return null;
}

/** Each record and each unique value can be used by only one row of a file. */
function claim({ keys, id }: ColumnPlan, row: DraftRow, { records, keys: known }: Taken): void {
  const { target, externalId } = row;
  if (row.errors.length > 0) return;
  const earlier = target === null ? undefined : records.get(target);
  if (earlier !== undefined) refuse(row, id?.header ?? keys[0]?.header ?? '', sameAs(earlier));
  else if (target !== null) records.set(target, row.row);
  const claims = keys.flatMap(({ field, header }) => {
    const value = row.values[field.name];
    return value == null ? [] : [{ key: `${field.name}=${String(value)}`, header }];
  });
  if (externalId !== null) claims.push({ key: `id=${externalId}`, header: id?.header ?? 'id' });
  for (const { key, header } of claims) {
    const other = known.get(key);
    if (other === undefined) known.set(key, row.row);
    else if (earlier === undefined) refuse(row, header, sameAs(other));
  }
}

function sameAs(row: number): Words {
  return text('Row {row} has the same value.', { row });
}
