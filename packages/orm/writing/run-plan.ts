import { setImmediate } from 'node:timers/promises';
import { and, ident, type Sql, sql } from '@kontor/database';
import type { Field } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { leaveRowCache } from '../model/row-cache.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { noteCreated, noteWritten, settleState } from '../operation/settle-state.ts';
import type { Concern } from '../plan/concern.ts';
import { planOf } from '../plan/kept-plans.ts';
import type { WritePlan } from '../plan/make-plan.ts';
import type { CastRow, LockedRow, RowChange } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { compareRow } from '../rows/compare-row.ts';
import { lockRows } from '../rows/lock-rows.ts';
import { insertNew, stamp, translated, updateRows } from '../rows/rows.ts';
import { canUpdateAtOnce, updateAtOnce } from './statement.ts';

/** Runs the steps of a write, stage by stage. All checks are steps. */
export async function runPlan(concerns: readonly Concern[], run: WriteRun): Promise<void> {
  leaveRowCache(run.env, run.model);
  const planned = planOf(concerns, run, run.given);
  await runStage(run, planned, 'given');
  if (run.rows.length === 0) return;
  await runStage(run, planned, 'hold');
  await runStage(run, planned, 'before');
  const plan = planned.isOpen ? planOf(concerns, run, valuesOf(run)) : planned;
  await operations[run.operation](run, plan);
  await runStage(run, plan, 'after');
}

const operations = { create: insert, write: update, unlink: remove } as const;

type Stage = 'given' | 'hold' | 'before' | 'detach' | 'after';

/** A step takes some milliseconds for as many: others are served before the next one. */
const manyRows = 500;

async function runStage(run: WriteRun, { steps }: WritePlan, stage: Stage): Promise<void> {
  for (const step of steps) {
    if (!step[stage]) continue;
    const work = step[stage](run);
    if (work) await work;
    if (run.rows.length > manyRows) await setImmediate();
  }
}

async function runRowSteps(run: WriteRun, { steps }: WritePlan): Promise<void> {
  for (const { row } of steps) await row?.run(run);
}

function valuesOf({ rows }: WriteRun): readonly Values[] {
  return rows.map(({ values }) => values);
}

/** For a single record, the INSERT itself checks what it can; only if it fails, the steps report why. */
async function insert(run: WriteRun, plan: WritePlan): Promise<void> {
  const { env, model, rows } = run;
  const tried = rows.length === 1 ? plan.steps.flatMap(({ row }) => (row?.insertsIf ? [row] : [])) : [];
  for (const { row } of plan.steps) if (row && !tried.includes(row)) await row.run(run);
  const casts = rows.map(({ values }) => run.casts.get(values) as CastRow);
  const columns = casts.map((cast) => cast.columns);
  const verdict = rowCondition(run, plan);
  const conditions = tried.flatMap(({ insertsIf }) => insertsIf?.(run) ?? []);
  let inserted = await insertNew(env, model, columns, { verdict, conditions });
  if (inserted.length === 0) {
    for (const row of tried) await row.run(run);
    inserted = await insertNew(env, model, columns, { verdict, conditions: [] });
  }
  run.ids = inserted.map(({ id }) => id);
  run.doubtful = inserted.flatMap((row) => (row.verdict ? [] : [row.id]));
  run.changes = rows.map(({ given, values }, index): RowChange => {
    const [id, cast] = [run.ids[index] as number, casts[index] as CastRow];
    noteCreated(env, model, id, cast.columns);
    return { id, given, values, cast, now: { id, values: noValues }, base: null, conflicts: {}, changed: noChanges };
  });
  run.updated = run.changes;
  run.touched = new Set(run.ids);
  run.changed = filledNames(columns);
}

const noValues: LockedRow['values'] = new Map();
const noChanges: ReadonlyMap<Field, FieldChange> = new Map();

function filledNames(rows: readonly ReadonlyMap<Field, unknown>[]): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (value: unknown, { name }: Field): void => {
    if (value !== null) names.add(name);
  };
  for (const columns of rows) columns.forEach(add);
  return names;
}

async function update(run: WriteRun, plan: WritePlan): Promise<void> {
  const isAtOnce = plan.steps.every(({ row }) => row?.kind !== 'change') && canUpdateAtOnce(run);
  if (isAtOnce) {
    await updateFirst(run, plan);
    await runRowSteps(run, plan);
  } else {
    compare(run, await lockedNow(run, plan));
    await runRowSteps(run, plan);
    await updateLast(run, plan);
  }
}

/** The current rows. Those that the caller has just locked are not read again, unless hooks have run since. */
async function lockedNow(run: WriteRun, plan: WritePlan): Promise<ReadonlyMap<number, LockedRow>> {
  const { env, model, ids, locked } = run;
  const columns = columnsOf(run, plan);
  const isKnown = (id: number) => columns.every((field) => locked?.get(id)?.values.has(field));
  if (locked && !plan.isOpen && ids.every(isKnown)) return locked;
  return lockRows(env, model, ids, columns, 'write', allowed(run, plan));
}

async function remove(run: WriteRun, plan: WritePlan): Promise<void> {
  const { env, model, ids } = run;
  const stored = [...model.fields.values()].filter((field) => field.column !== null && field.name !== 'id');
  const locked = await lockRows(env, model, ids, stored, 'unlink', allowed(run, plan));
  run.changes = run.rows.map(({ id, given, values }) => {
    const now = locked.get(id) as LockedRow;
    return { id, given, values, cast: nothingCast, now, base: null, conflicts: {}, changed: noChanges };
  });
  await runRowSteps(run, plan);
  await runStage(run, plan, 'detach');
  const statement = sql`delete from ${ident(model.table)} where id = any(${ids}::int4[])`;
  await translated(env, () => env.db.execute(statement));
  for (const id of ids) noteWritten(env, model, id, noValues);
  settleState(env).hasLost = true;
}

const nothingCast: CastRow = { columns: new Map(), lists: new Map() };

/** The columns that are written, and those that steps read. */
function columnsOf({ casts }: WriteRun, { steps }: WritePlan): readonly Field[] {
  const columns = new Set([...casts.values()].flatMap((cast) => [...cast.columns.keys()]));
  for (const { reads } of steps) for (const field of reads ?? []) columns.add(field);
  return [...columns];
}

/** Whether the caller may change a row. */
function allowed({ env }: WriteRun, { steps }: WritePlan): Sql {
  return and(steps.flatMap((step) => step.allows?.(env) ?? []));
}

/** Whether the caller may have a row as stored. */
function rowCondition({ env }: WriteRun, { steps }: WritePlan): Sql {
  return and(steps.flatMap((step) => step.stays?.(env) ?? []));
}

function compare(run: WriteRun, locked: ReadonlyMap<number, LockedRow>): void {
  run.asked = run.rows.map((row) =>
    compareRow(row, run.casts.get(row.values) as CastRow, locked.get(row.id) as LockedRow),
  );
  run.changes = run.asked;
}

/** One statement locks, compares and updates; the checks run on its result. */
async function updateFirst(run: WriteRun, plan: WritePlan): Promise<void> {
  const conditions = { allowed: allowed(run, plan), stays: rowCondition(run, plan) };
  const { locked, doubtful } = await updateAtOnce(run, columnsOf(run, plan), conditions);
  compare(run, locked);
  noteUpdated(run);
  run.doubtful = doubtful;
}

async function updateLast(run: WriteRun, plan: WritePlan): Promise<void> {
  noteUpdated(run);
  const { env, model, updated } = run;
  const fields = new Set(updated.flatMap(({ changed }) => [...changed.keys()]));
  const stamps = stamp(env, model, ['write_date', 'write_uid']);
  const rows = updated.map(({ id, changed, now }) => {
    const values = new Map<Field, unknown>(stamps);
    for (const field of fields) {
      const change = changed.get(field);
      values.set(field, change ? change.new : now.values.get(field));
    }
    return { id, values };
  });
  run.doubtful = await updateRows(
    env,
    model,
    [...new Set([...fields, ...stamps.keys()])],
    rows,
    rowCondition(run, plan),
  );
}

function knownAfter({ now, changed }: RowChange): ReadonlyMap<Field, unknown> {
  const values = new Map<Field, unknown>();
  for (const [field, value] of now.values) if (field.kind.isToOne) values.set(field, value);
  for (const [field, change] of changed) if (field.column) values.set(field, change.new);
  return values;
}

/** Which records change, and which of their fields. */
function noteUpdated(run: WriteRun): void {
  const owners = (isLinks: boolean) =>
    run.lists
      .filter(({ field }) => field.kind.isLinks === isLinks)
      .flatMap(({ changes }) => changes.map(({ owner }) => owner));
  const relinked = new Set(owners(true));
  run.updated = run.changes.filter(({ id, changed }) => changed.size > 0 || relinked.has(id));
  run.touched = new Set([...run.updated.map(({ id }) => id), ...owners(false)]);
  const fields = [...run.updated.flatMap(({ changed }) => [...changed.keys()]), ...run.lists.map(({ field }) => field)];
  run.changed = new Set(fields.map(({ name }) => name));
  for (const change of run.updated) noteWritten(run.env, run.model, change.id, knownAfter(change));
}
