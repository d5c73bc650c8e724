import type { Env, Field, Trigger } from '../model/model.ts';
import { checkCircles } from '../settle/check-circles.ts';
import { settleState } from '../settle/settle-state.ts';
import { isByValue } from './compute-of.ts';
import { computeRanks } from './compute-ranks.ts';
import { holdRecords } from './hold-records.ts';
import { lookUpPending } from './look-up.ts';
import { markStale } from './mark-stale.ts';
import { recomputeAggregates } from './recompute-aggregates.ts';
import { type Batch, recomputeValues } from './recompute-values.ts';

const maxRounds = 1000;

/** Brings every stale stored compute up to date, sources before what reads them, under system rights. */
export async function recomputeStale(env: Env): Promise<void> {
  const { stale } = settleState(env);
  // Along a circle a compute over parents or children would never come to an end.
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
  await markStale(env, model, changedIds, changedNames, { isMade: true, isNew, except: isDone });
}

/** Takes the stale computes of lowest rank in one model, and with them those of that rank that read them. */
function takeBatch(env: Env): Batch {
  const { stale } = settleState(env);
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
      if (rank < lowest.rank) lowest = { model, rank };
    }
  }
  return lowest;
}

function feeds(env: Env, model: string, source: Field, reader: Field): boolean {
  const triggers = env.registry.triggers(model, source.name);
  return triggers.some((each) => each.model === model && each.field === reader.name && each.path.length === 0);
}
