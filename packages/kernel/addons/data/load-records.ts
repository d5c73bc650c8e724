import type { Transaction } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { atCulprit } from './at-culprit.ts';
import { checkRecords } from './check-records.ts';
import { type DataRecord, refsOf } from './data-record.ts';
import {
  danglingIds,
  type ExternalId,
  insertExternalIds,
  type NewExternalId,
  readExternalIds,
  updateExternalIds,
} from './external-ids.ts';
import { groupBy } from './group-by.ts';
import { keepLinks } from './keep-links.ts';
import { loadOrder } from './load-order.ts';
import { type PlannedRecord, planLoad } from './plan-load.ts';
import { relinkRecords } from './relink-records.ts';
import { resolveValues, type Target, type Targets } from './resolve-values.ts';

export interface LoadReport {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Ids of an earlier load that the files no longer give, and that may therefore go. */
  readonly vanished: readonly ExternalId[];
  /** What was created or written. */
  readonly touched: readonly DataRecord[];
}

export interface LoadCall {
  readonly tx: Transaction;
  /** Under sudo, on the same transaction. */
  readonly env: Env;
  readonly module: string;
  /** The module and all it stands on: what its files can name. */
  readonly modules: readonly string[];
  readonly records: readonly DataRecord[];
}

/** Brings the records of an addon's data files into the database: what is new is created, what changed is written. */
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
  const ids = await atCulprit(call.tx, records, values, (some) => model.createMany(some));
  for (const [index, record] of records.entries()) add(record.id, { model: record.model, resId: ids[index] as number });
}

async function updateAll(call: LoadCall, planned: readonly PlannedRecord[], targets: Targets): Promise<void> {
  const changed = planned.filter(({ step }) => step === 'update');
  const records = changed.map(({ record }) => record);
  const [first] = records;
  if (!first) return;
  const values = await resolveValues(call.env, records, targets);
  const rows = changed.map(({ known }, index) => ({ id: (known as ExternalId).resId, values: values[index] ?? {} }));
  const updates = await keepLinks(call.env, first.model, call.modules, rows);
  await atCulprit(call.tx, records, updates, (some) => call.env.model(first.model).writeEach(some));
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
