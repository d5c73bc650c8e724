import type { Transaction } from '@kontor/database';
import {
  danglingIds,
  type Env,
  type ExternalId,
  type Field,
  groupBy,
  insertExternalIds,
  type NewExternalId,
  readExternalIds,
  recordsNamedBy,
  updateExternalIds,
} from '@kontor/orm';
import { KontorError, type Values } from '@kontor/protocol';
import { atPlace } from '../addon-error.ts';
import { checkRecords } from './check-records.ts';
import { type DataRecord, refsOf } from './data-record.ts';
import { loadOrder, type PlannedRecord, planLoad } from './plan-load.ts';
import { resolveValues, type Target, type Targets } from './resolve-values.ts';

export interface LoadReport {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Ids of an earlier load that the files no longer contain, and that may be removed. */
  readonly vanished: readonly ExternalId[];
  /** Created and changed records. */
  readonly touched: readonly DataRecord[];
}

export interface LoadCall {
  readonly tx: Transaction;
  /** Under sudo, on the same transaction. */
  readonly env: Env;
  readonly module: string;
  /** The module and its dependencies: what its files can refer to. */
  readonly modules: readonly string[];
  readonly records: readonly DataRecord[];
}

/** Loads the records of an addon's data files into the database: new ones are created, changed ones are written. */
export async function loadRecords(call: LoadCall): Promise<LoadReport> {
  const { env, records, module } = call;
  checkRecords(env.registry, records);
  const groups = loadOrder(records);
  const known = await readExternalIds(env, module, new Set(records.flatMap(refsOf)));
  const gone = await danglingIds(env, known.values());
  const alive = [...known.values()].filter((each) => !gone.has(each.id));
  const found = new Map<string, Target>(alive.map((each) => [each.id, each]));
  const plan = new Map(planLoad(groups.flat(), known, gone).map((planned) => [planned.record.id, planned]));

  for (const file of groupBy(groups, (group) => group[0]?.place.file).values()) {
    for (const group of file) {
      const planned = group.map((record) => plan.get(record.id) as PlannedRecord);
      await createAll(call, planned, { found, gone }, (id, target) => found.set(id, target));
      await updateAll(call, planned, { found, gone });
    }
    await keepExternalIds(
      env,
      file.flat().map((record) => plan.get(record.id) as PlannedRecord),
      found,
    );
  }

  await relinkRecords(env, [...plan.values()], found);

  const given = new Set(records.map((record) => record.id));
  const isVanished = (each: ExternalId) => each.checksum !== null && !each.noupdate && !given.has(each.id);
  return {
    ...countSteps([...plan.values()]),
    touched: [...plan.values()].filter(({ step }) => step !== 'keep').map(({ record }) => record),
    vanished: [...known.values()].filter((each) => each.id.startsWith(`${module}.`) && isVanished(each)),
  };
}

async function createAll(
  call: LoadCall,
  planned: readonly PlannedRecord[],
  targets: Targets,
  add: (id: string, target: Target) => void,
): Promise<void> {
  const records = planned.filter(({ step }) => step === 'create').map(({ record }) => record);
  const [first] = records;
  if (!first) return;
  const values = await resolveValues(call.env, records, targets);
  const model = call.env.model(first.model);
  const ids = await namingFailedRecord(call.tx, records, values, (some) => model.createMany(some));
  for (const [index, record] of records.entries()) add(record.id, { model: record.model, resId: ids[index] as number });
}

async function updateAll(call: LoadCall, planned: readonly PlannedRecord[], targets: Targets): Promise<void> {
  const changed = planned.filter(({ step }) => step === 'update');
  const records = changed.map(({ record }) => record);
  const [first] = records;
  if (!first) return;
  const values = await resolveValues(call.env, records, targets);
  const rows = changed.map(({ known }, index) => {
    const { create_date: _, ...others } = values[index] ?? {};
    return { id: (known as ExternalId).resId, values: others };
  });
  const updates = await keepLinks(call.env, first.model, call.modules, rows);
  await namingFailedRecord(call.tx, records, updates, (some) => call.env.model(first.model).writeEach(some));
}

async function keepExternalIds(
  env: Env,
  planned: readonly PlannedRecord[],
  found: ReadonlyMap<string, Target>,
): Promise<void> {
  const fresh: NewExternalId[] = [];
  const changed: ExternalId[] = [];
  for (const { record, checksum, known, step } of planned) {
    const { id, model, noupdate } = record;
    const resId = found.get(id)?.resId ?? known?.resId ?? 0;
    if (!known) fresh.push({ id, model, resId, noupdate, checksum });
    else if (step !== 'keep') changed.push({ ...known, resId, noupdate: known.noupdate || noupdate, checksum });
    else if (noupdate && !known.noupdate) changed.push({ ...known, noupdate });
  }
  await insertExternalIds(env, fresh);
  await updateExternalIds(env, changed);
}

function countSteps(plan: readonly PlannedRecord[]): Pick<LoadReport, 'created' | 'updated' | 'unchanged'> {
  const count = (step: PlannedRecord['step']) => plan.filter((planned) => planned.step === step).length;
  return { created: count('create'), updated: count('update'), unchanged: count('keep') };
}

/**
 * Processes many records at once. If that fails, repeats it one by one, only to find the record that fails: the error
 * then names its file and line.
 */
export async function namingFailedRecord<Item, T>(
  tx: Transaction,
  records: readonly DataRecord[],
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<T>,
): Promise<T> {
  try {
    return await tx.savepoint(() => work(items));
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    for (const [index, record] of records.entries()) {
      await tx
        .savepoint(() => work(items.slice(index, index + 1)))
        .catch((each: unknown) => {
          throw atPlace(record.place, each);
        });
    }
    throw atPlace(records[0]?.place ?? { addon: '' }, error);
  }
}

interface Update {
  readonly id: number;
  readonly values: Values;
}

/**
 * A file defines links only to records that it can know: those of its own module and its dependencies. Other links come from a
 * later module or a user, and an upgrade keeps them.
 */
export async function keepLinks(
  env: Env,
  modelName: string,
  modules: readonly string[],
  updates: readonly Update[],
): Promise<readonly Update[]> {
  const model = env.registry.model(modelName);
  const names = [...new Set(updates.flatMap(({ values }) => Object.keys(values)))];
  const relations = names.filter((name) => model.fields.get(name)?.kind.isLinks);
  if (relations.length === 0) return updates;
  const ids = updates.map(({ id }) => id);
  const rows = new Map((await env.model(modelName).read(ids, relations)).map((row) => [row.id, row]));
  const merged = updates.map(({ id, values }) => ({ id, values: { ...values } as Record<string, unknown> }));
  for (const name of relations) {
    const linked = [...rows.values()].flatMap((row) => row[name] as readonly number[]);
    const known = await recordsNamedBy(env, modules, model.fields.get(name)?.spec.relation ?? '', linked);
    for (const { id, values } of merged) {
      if (!(name in values)) continue;
      const others = ((rows.get(id)?.[name] ?? []) as readonly number[]).filter((other) => !known.has(other));
      const [[, given]] = values[name] as [['set', readonly number[]]];
      values[name] = [['set', [...new Set([...given, ...others])]]];
    }
  }
  return merged;
}

/**
 * Unchanged records may have lost references: an uninstall removed the target, and this load created it again. Only such links are
 * restored, and only if nothing else replaced them.
 */
export async function relinkRecords(
  env: Env,
  planned: readonly PlannedRecord[],
  found: ReadonlyMap<string, Target>,
): Promise<void> {
  const created = new Set(planned.filter(({ step }) => step === 'create').map(({ record }) => record.id));
  const losers = planned
    .filter(
      ({ step, record }) => step === 'keep' && found.has(record.id) && refsOf(record).some((ref) => created.has(ref)),
    )
    .map(({ record }) => record);
  for (const [modelName, records] of groupBy(losers, (record) => record.model)) {
    const { fields } = env.registry.model(modelName);
    const links = new Map(records.map((record) => [record.id, linksOf(record, fields, created, found)]));
    const names = [...new Set([...links.values()].flatMap((each) => Object.keys(each)))];
    if (names.length === 0) continue;
    const ids = records.map((record) => (found.get(record.id) as Target).resId);
    const current = new Map((await env.model(modelName).read(ids, names)).map((row) => [row.id, row]));
    const rows = records.map((record, index) => {
      const id = ids[index] as number;
      const missing = Object.entries(links.get(record.id) ?? {}).filter(
        ([name]) => fields.get(name)?.kind.isLinks || current.get(id)?.[name] === null,
      );
      return { id, values: Object.fromEntries(missing) };
    });
    await env.model(modelName).writeEach(rows);
  }
}

function linksOf(
  record: DataRecord,
  fields: ReadonlyMap<string, Field>,
  created: ReadonlySet<string>,
  found: ReadonlyMap<string, Target>,
): Readonly<Record<string, unknown>> {
  const links: Record<string, unknown> = {};
  for (const { name, value } of record.fields) {
    const refs = value.kind === 'refs' ? value.refs.filter((ref) => created.has(ref)) : [];
    const ids = refs.map((ref) => (found.get(ref) as Target).resId);
    const kind = fields.get(name)?.kind;
    if (ids.length === 0) continue;
    if (kind?.isLinks) links[name] = ids.map((id) => ['link', id]);
    else if (kind?.isToOne) links[name] = ids[0];
  }
  return links;
}
