import { and, type Sql } from '@kontor/database';
import type { Field } from '../model/model.ts';
import type { Concern } from '../plan/concern.ts';
import { planOf } from '../plan/kept-plans.ts';
import type { WritePlan } from '../plan/make-plan.ts';
import type { CastRow, LockedRow } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { compareRow } from '../rows/compare-row.ts';
import { lockRows } from '../rows/lock-rows.ts';
import { stamp, updateRows } from '../rows/rows.ts';
import { canUpdateAtOnce, updateAtOnce } from './statement.ts';

/** Runs the steps of a write, stage by stage. Whatever is checked is checked by a step. */
export async function runPlan(concerns: readonly Concern[], run: WriteRun): Promise<void> {
  const planned = planOf(concerns, run);
  const given = run.rows;
  for (const { hold } of planned.steps) await hold?.(run);
  for (const { before } of planned.steps) await before?.(run);
  // Hooks may have added fields: then the plan of all of them goes on.
  const isAsGiven = run.rows.every(({ values }, at) => values === given[at]?.values);
  const plan = isAsGiven ? planned : planOf(concerns, run);
  const isAtOnce = plan.steps.every(({ row }) => row?.kind !== 'change') && canUpdateAtOnce(run);
  if (isAtOnce) {
    await updateFirst(run, plan);
    for (const { row } of plan.steps) await row?.run(run);
  } else {
    const { env, model, ids } = run;
    compare(run, await lockRows(env, model, ids, columnsOf(run, plan), 'write', allowed(run, plan)));
    for (const { row } of plan.steps) await row?.run(run);
    await update(run, plan);
  }
  for (const { after } of plan.steps) await after?.(run);
}

/** The columns that are written, and those that steps read. */
function columnsOf({ casts }: WriteRun, { steps }: WritePlan): readonly Field[] {
  const columns = new Set([...casts.values()].flatMap((cast) => [...cast.columns.keys()]));
  for (const { reads } of steps) for (const field of reads ?? []) columns.add(field);
  return [...columns];
}

/** Whether the caller may change a row. */
function allowed({ env }: WriteRun, { steps }: WritePlan): Sql {
  return and(steps.flatMap(({ allows }) => allows?.(env) ?? []));
}

function compare(run: WriteRun, locked: ReadonlyMap<number, LockedRow>): void {
  run.asked = run.rows.map((row) =>
    compareRow(row, run.casts.get(row.values) as CastRow, locked.get(row.id) as LockedRow),
  );
  run.changes = run.asked;
}

/** One statement locks, compares and updates; the checks run on what it answers. */
async function updateFirst(run: WriteRun, plan: WritePlan): Promise<void> {
  const { env } = run;
  const conditions = { allowed: allowed(run, plan), stays: and(plan.steps.flatMap(({ stays }) => stays?.(env) ?? [])) };
  const { locked, doubtful } = await updateAtOnce(run, columnsOf(run, plan), conditions);
  compare(run, locked);
  noteUpdated(run);
  run.doubtful = doubtful;
}

async function update(run: WriteRun, plan: WritePlan): Promise<void> {
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
  const verdicts = plan.steps.flatMap(({ stays }) => stays?.(env) ?? []);
  const verdict = verdicts.length > 0 ? and(verdicts) : undefined;
  run.doubtful = await updateRows(env, model, [...new Set([...fields, ...stamps.keys()])], rows, verdict);
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
}
