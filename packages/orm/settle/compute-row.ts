import {
  type Compute,
  castResult,
  computeContext,
  computeOf,
  isByValue,
  runCompute,
  storedContext,
} from '../graph/compute-of.ts';
import type { ComputeContext, LoadedRecord } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { isSystemName } from '../model/names.ts';
import { sameValue } from '../model/same-value.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { RowChange } from '../plan/row-change.ts';
import { guardRecord, isStrictAboutPaths } from '../reading/guard-record.ts';

interface Job {
  readonly field: Field;
  readonly compute: Compute;
  readonly ids: ReadonlySet<number>;
  /** What the compute may know on a day. */
  readonly context: (today: string) => ComputeContext;
}

export function jobsOf(env: Env, model: Model, idsOf: ReadonlyMap<Field, ReadonlySet<number>>): readonly Job[] {
  const jobs: Job[] = [];
  const known = computeContext(env);
  for (const [field, ids] of idsOf) {
    const compute = isByValue(field) ? computeOf(model, field) : null;
    if (!compute) continue;
    const same = storedContext(known, field, compute, '');
    const isDaily = compute.changes === 'daily';
    jobs.push({ field, compute, ids, context: isDaily ? (today) => ({ ...known, today }) : () => same });
  }
  return jobs;
}

/** Later computes of the batch read the results of earlier ones. */
export function runJobs(
  jobs: readonly Job[],
  {
    loaded,
    before,
    today,
  }: {
    readonly loaded: LoadedRecord;
    /** The stored values. */
    readonly before: ReadonlyMap<Field, unknown>;
    readonly today: string;
  },
): Map<Field, FieldChange> {
  const record: { id: number } & Record<string, unknown> = { ...loaded };
  const changed = new Map<Field, FieldChange>();
  const isStrict = isStrictAboutPaths();
  for (const { field, compute, ids, context } of jobs) {
    if (!ids.has(record.id)) continue;
    const seen = isStrict
      ? guardRecord(record, compute.depends, `The compute of ${field.model}.${field.name}`)
      : record;
    const value = castResult(field, runCompute(field, compute, seen, context(today)));
    if (!field.spec.relation) record[field.name] = value;
    const old = before.get(field) ?? null;
    if (!sameValue(field, old, value)) changed.set(field, { old, new: value });
  }
  return changed;
}

/**
 * Stored computes of a record that its own columns decide, in the order in which they run. With `behind` also those that read
 * through a relation, which can be computed while it is empty.
 */
export function rowComputes(model: Model, computed: readonly Field[], behind: boolean): readonly Field[] {
  return computed.filter((field) => {
    const compute = isByValue(field) && field.spec.relation === undefined ? computeOf(model, field) : null;
    if (compute === null || compute.changes === 'daily') return false;
    return sourcesOf(model, compute) !== null && (behind || !compute.depends.some((path) => path.includes('.')));
  });
}

/**
 * The columns that a compute begins at; null where one of its paths begins at a list, a field without a column, or one that the
 * statement itself sets.
 */
function sourcesOf(model: Model, { depends }: Compute): readonly Field[] | null {
  const fields = depends.map((path) => model.fields.get(path.split('.', 1)[0] as string));
  const isColumn = (field: Field | undefined) => field?.column && !field.kind.isFile && !isSystemName(field.name);
  return fields.every(isColumn) ? (fields as Field[]) : null;
}

/** The columns to read with the lock of a row, so that its computes need no load. */
export function rowSources(model: Model, fields: readonly Field[]): readonly Field[] {
  return [...new Set(fields.flatMap((field) => sourcesOf(model, computeOf(model, field) as Compute) ?? []))];
}

/** Those that a change of these fields reaches, directly or through each other. */
export function reachedComputes(model: Model, fields: readonly Field[], written: Iterable<Field>): readonly Field[] {
  const reached = new Set<Field>(written);
  return fields.filter((field) => {
    const isReached = rowSources(model, [field]).some((source) => reached.has(source));
    if (isReached) reached.add(field);
    return isReached;
  });
}

interface ComputedRows {
  readonly changes: readonly RowChange[];
  /** Names of the fields that are up to date in all of them. */
  readonly names: ReadonlySet<string>;
}

/**
 * Computes what the columns of changed rows decide, to be written with them. What lies behind a relation is left to the end of the
 * operation, and so is what fails: by then constraints may say what is wrong.
 */
export function computeRows(
  env: Env,
  model: Model,
  fields: readonly Field[],
  changes: readonly RowChange[],
): ComputedRows {
  const names = new Set<string>();
  const waiting = new Set<Field>();
  const ids = new Set(changes.map(({ id }) => id));
  let rows = changes;
  for (const field of fields) {
    const compute = computeOf(model, field) as Compute;
    const sources = sourcesOf(model, compute) ?? [];
    const jobs = jobsOf(env, model, new Map([[field, ids]]));
    const computed = sources.some((source) => waiting.has(source)) ? [] : computeEach(rows, sources, compute, jobs);
    if (computed.length === rows.length) {
      rows = computed;
      names.add(field.name);
    } else waiting.add(field);
  }
  return { changes: rows, names };
}

/** One compute in the rows where a source of it changes. It stops at the first row where that is not possible yet. */
function computeEach(
  rows: readonly RowChange[],
  sources: readonly Field[],
  { depends }: Compute,
  jobs: readonly Job[],
): readonly RowChange[] {
  const computed: RowChange[] = [];
  for (const change of rows) {
    // An undo writes it, too: then it is compared with what was written.
    if (jobs.some(({ field }) => change.changed.has(field))) break;
    const isDue = sources.some((source) => change.changed.has(source));
    const loaded = isDue ? rowAfter(change, sources, depends) : null;
    const found = loaded && runIfPossible(jobs, loaded, change.now.values);
    if (isDue && !found) break;
    computed.push(found?.size ? { ...change, changed: new Map([...change.changed, ...found]) } : change);
  }
  return computed;
}

/** The row after the write as a load would give it; null where something lies behind a relation. */
function rowAfter(
  { id, now, changed }: RowChange,
  sources: readonly Field[],
  depends: readonly string[],
): LoadedRecord | null {
  const record: { id: number } & Record<string, unknown> = { id };
  for (const [at, field] of sources.entries()) {
    const value = changed.has(field) ? changed.get(field)?.new : now.values.get(field);
    const isBehind = depends[at] !== field.name;
    if (value === undefined || (isBehind && value !== null)) return null;
    record[field.name] = field.kind.isToOne && value !== null ? { id: value } : (value ?? field.kind.absent);
  }
  return record;
}

function runIfPossible(
  jobs: readonly Job[],
  loaded: LoadedRecord,
  before: ReadonlyMap<Field, unknown>,
): ReadonlyMap<Field, FieldChange> | null {
  try {
    return runJobs(jobs, { loaded, before, today: '' });
  } catch {
    return null;
  }
}
