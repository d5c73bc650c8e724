import { companyDays, isByValue } from '../graph/compute-of.ts';
import { computeRanks } from '../graph/compute-ranks.ts';
import type { Env, Field, Model, Trigger } from '../model/model.ts';
import { companyField } from '../operation/record-change.ts';
import { type HeldRecord, settleState } from '../operation/settle-state.ts';
import { type ColumnChange, holdRecords, updateColumns } from '../rows/held-records.ts';
import { loadKnown } from '../rows/load-known.ts';
import { checkCircles } from './check-circles.ts';
import { markForCompany } from './check-companies.ts';
import { jobsOf, runJobs } from './compute-row.ts';
import { dueComputes } from './due.ts';
import { lookUpPending } from './look-up.ts';
import { markStale } from './mark-stale.ts';
import { recomputeAggregates } from './recompute-aggregates.ts';

const maxRounds = 1000;

/** Updates every stale stored compute, inputs before what reads them, under system rights. */
export async function recomputeStale(env: Env): Promise<void> {
  const stale = dueComputes(env);
  // Along a cycle, a compute over parents or children would never end.
  await checkCircles(env);
  for (let round = 0; round < maxRounds; round++) {
    await lookUpPending(env, lowestRank(env, stale).rank);
    if (stale.size === 0) return;
    await recompute(env.sudo(), takeBatch(env));
  }
  throw new Error(`Computes do not settle: ${[...stale.keys()].join(', ')}.`);
}

async function recompute(env: Env, batch: Batch): Promise<void> {
  const { model } = batch;
  const fields = [...batch.idsOf.keys()];
  const ids = new Set([...batch.idsOf.values()].flatMap((each) => [...each]));
  const held = await holdRecords(env, model, ids);
  if (held.size === 0) return;
  const aggregates = fields.filter((field) => !isByValue(field));
  const changes = [
    ...(aggregates.length > 0 ? await recomputeAggregates(env, model, aggregates, held) : []),
    ...(aggregates.length < fields.length ? await recomputeValues(env, batch, held) : []),
  ];
  const changedIds = [...new Set(changes.map((change) => change.id))];
  const changedNames = new Set(changes.flatMap((change) => [...change.changed.keys()].map((field) => field.name)));
  const names = new Set(fields.map((field) => field.name));
  // Computes of the same batch have already seen these values.
  const isDone = ({ model: reader, field, path }: Trigger) =>
    reader === model.name && path.length === 0 && names.has(field);
  const created = settleState(env).created.get(model.name);
  const isNew = changedIds.every((id) => created?.has(id));
  const company = companyField(model);
  const moved = changes.filter(({ id, changed }) => company && changed.has(company) && !created?.has(id));
  markForCompany(
    env,
    model,
    moved.map(({ id }) => id),
  );
  await markStale(env, model, changedIds, changedNames, { isMade: true, isNew, except: isDone });
}

/** Takes the stale computes of lowest rank in one model, and with them those of that rank that read them. */
function takeBatch(env: Env): Batch {
  const stale = dueComputes(env);
  const { model: modelName, rank } = lowestRank(env, stale);
  const ranks = computeRanks(env.registry);
  const names = stale.get(modelName) as Map<string, Set<number>>;
  const idsOf = new Map<Field, Set<number>>();
  for (const field of env.registry.storedComputes(modelName)) {
    if ((ranks.get(`${modelName}.${field.name}`) ?? 0) !== rank) continue;
    const ids = new Set(names.get(field.name));
    names.delete(field.name);
    for (const [source, sourceIds] of idsOf) {
      if (feeds(env, modelName, source, field)) for (const id of sourceIds) ids.add(id);
    }
    if (ids.size > 0) idsOf.set(field, ids);
  }
  if (names.size === 0) stale.delete(modelName);
  return { model: env.registry.model(modelName), idsOf };
}

type Stale = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

function lowestRank(env: Env, stale: Stale): { readonly model: string; readonly rank: number } {
  const ranks = computeRanks(env.registry);
  let lowest = { model: '', rank: Number.POSITIVE_INFINITY };
  for (const [model, fields] of stale) {
    for (const field of fields.keys()) {
      const rank = ranks.get(`${model}.${field}`) ?? 0;
      // Within a rank the model whose name comes first: all writers lock the records of several models in one order.
      if (rank < lowest.rank || (rank === lowest.rank && model < lowest.model)) lowest = { model, rank };
    }
  }
  return lowest;
}

function feeds(env: Env, model: string, source: Field, reader: Field): boolean {
  const triggers = env.registry.triggers(model, source.name);
  return triggers.some((each) => each.model === model && each.field === reader.name && each.path.length === 0);
}

/** One model's computes of one rank in the order in which they run, each with the records to recompute. */
interface Batch {
  readonly model: Model;
  readonly idsOf: ReadonlyMap<Field, ReadonlySet<number>>;
}

/** One load of all inputs of the batch, the pure functions, and one update of what differs. */
async function recomputeValues(
  env: Env,
  { model, idsOf }: Batch,
  held: ReadonlyMap<number, HeldRecord>,
): Promise<readonly ColumnChange[]> {
  const jobs = jobsOf(env, model, idsOf);
  const ids = [...held.keys()].filter((id) => jobs.some((job) => job.ids.has(id)));
  const isDated = jobs.some(({ compute }) => compute.changes === 'daily');
  const dayOf = isDated ? await companyDays(env) : () => '';
  const dated = isDated && model.hasCompany ? ['company_id'] : [];
  const paths = [...new Set([...jobs.flatMap((job) => job.compute.depends), ...dated])];
  const changes: ColumnChange[] = [];
  for (const record of await loadKnown(env, model, ids, paths)) {
    const today = dayOf(idOf(record.company_id));
    const changed = runJobs(jobs, { loaded: record, before: (held.get(record.id) as HeldRecord).values, today });
    if (changed.size > 0) changes.push({ id: record.id, changed });
  }
  await updateColumns(env, model, changes, held);
  return changes;
}

function idOf(related: unknown): unknown {
  return typeof related === 'object' && related !== null && 'id' in related ? related.id : related;
}
