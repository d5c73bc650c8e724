import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { guardRecord, isStrictAboutPaths } from '../reading/guard-record.ts';
import { load } from '../reading/load.ts';
import type { HeldRecord } from '../settle/settle-state.ts';
import type { FieldChange } from '../unit-of-work.ts';
import { sameValue } from '../writing/same-value.ts';
import { castResult } from './cast-result.ts';
import { computeContext } from './compute-context.ts';
import { type Compute, computeOf, isByValue } from './compute-of.ts';
import { type ColumnChange, updateColumns } from './update-columns.ts';

/** One model's computes of one rank in the order in which they run, each with the records to recompute. */
export interface Batch {
  readonly model: Model;
  readonly idsOf: ReadonlyMap<Field, ReadonlySet<number>>;
}

interface Job {
  readonly field: Field;
  readonly compute: Compute;
  readonly ids: ReadonlySet<number>;
}

/** One load of everything that the batch reads, the pure functions, and one update of what differs. */
export async function recomputeValues(
  env: Env,
  { model, idsOf }: Batch,
  held: ReadonlyMap<number, HeldRecord>,
): Promise<readonly ColumnChange[]> {
  const jobs = jobsOf(model, idsOf);
  const ids = [...held.keys()].filter((id) => jobs.some((job) => job.ids.has(id)));
  const paths = [...new Set(jobs.flatMap((job) => job.compute.depends))];
  const changes: ColumnChange[] = [];
  for (const record of await load(env, model, ids, paths, { missing: 'skip' })) {
    const changed = runJobs(env, jobs, record, held.get(record.id) as HeldRecord);
    if (changed.size > 0) changes.push({ id: record.id, changed });
  }
  await updateColumns(env, model, changes, held);
  return changes;
}

function jobsOf(model: Model, idsOf: Batch['idsOf']): readonly Job[] {
  const jobs: Job[] = [];
  for (const [field, ids] of idsOf) {
    const compute = isByValue(field) ? computeOf(model, field) : null;
    if (compute) jobs.push({ field, compute, ids });
  }
  return jobs;
}

/** Later computes of the batch read what earlier ones have just worked out. */
function runJobs(env: Env, jobs: readonly Job[], loaded: LoadedRecord, before: HeldRecord): Map<Field, FieldChange> {
  const record: { id: number } & Record<string, unknown> = { ...loaded };
  const changed = new Map<Field, FieldChange>();
  const context = computeContext(env);
  for (const { field, compute, ids } of jobs) {
    if (!ids.has(record.id)) continue;
    const seen = isStrictAboutPaths()
      ? guardRecord(record, compute.depends, `The compute of ${field.model}.${field.name}`)
      : record;
    const value = castResult(field, compute.value(seen, context));
    if (!field.spec.relation) record[field.name] = value;
    const old = before.values.get(field) ?? null;
    if (!sameValue(field, old, value)) changed.set(field, { old, new: value });
  }
  return changed;
}
