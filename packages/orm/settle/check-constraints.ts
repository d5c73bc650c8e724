import { ident, join, sql } from '@kontor/database';
import { atField, KontorError, type Words } from '@kontor/protocol';
import { computeContext } from '../graph/compute-of.ts';
import type { CheckContext, LoadedRecord } from '../model/behaviour.ts';
import type { Constraint, Env, Field, Model, Registry } from '../model/model.ts';
import { leaveRowCache } from '../model/row-cache.ts';
import { addIds, settleState } from '../operation/settle-state.ts';
import type { Concern } from '../plan/concern.ts';
import { guardRecord, isStrictAboutPaths } from '../reading/guard-record.ts';
import { loadKnown } from '../rows/load-known.ts';
import { dueConstraints } from './due.ts';
import { reachSteps } from './mark-stale.ts';

/** A record that violates a constraint of its model. */
export interface Violation {
  readonly model: string;
  readonly id: number;
  readonly field: string;
  readonly message: Words;
}

/**
 * Knows which records it is about; callers are told only what is wrong at which field, and of which model: a line may
 * violate a constraint of its owner.
 */
export class ConstraintError extends KontorError {
  readonly violations: readonly Violation[];

  constructor({ models }: Registry, violations: readonly Violation[], message?: Words) {
    const messages = new Map<string, Set<Words>>();
    for (const { field, message } of violations) {
      messages.set(field, (messages.get(field) ?? new Set()).add(message));
    }
    const [first, ...others] = violations;
    const label = first && (models.get(first.model)?.fields.get(first.field)?.label ?? first.field);
    super('VALIDATION_ERROR', message ?? (first && atField(label as string, first.message)), {
      ...(others.every(({ model }) => model === first?.model) ? { model: first?.model } : {}),
      fields: Object.fromEntries([...messages].map(([name, texts]) => [name, [...texts]])),
    });
    this.violations = violations;
  }
}

/** Checks what the operation touched: one load per model, and all violations in one error. */
export async function checkConstraints(env: Env): Promise<void> {
  const constraintsDue = dueConstraints(env);
  const due = [...constraintsDue];
  constraintsDue.clear();
  await lockSerialized(env, due);
  const violations: Violation[] = [];
  for (const [modelName, idsOf] of due) {
    violations.push(...(await violationsOf(env.sudo(), env.registry.model(modelName), idsOf)));
  }
  if (violations.length > 0) throw new ConstraintError(env.registry, violations);
}

async function violationsOf(
  env: Env,
  model: Model,
  idsOf: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<readonly Violation[]> {
  const constraints = model.constraints.filter((constraint) => idsOf.has(constraint.name));
  const touched = new Set([...idsOf.values()].flatMap((ids) => [...ids]));
  const paths = [...new Set(constraints.flatMap(pathsOf))];
  const context = computeContext(env);
  // A record that the same operation deleted needs no check.
  const records = await loadKnown(env, model, [...touched], paths);
  return constraints.flatMap((constraint) => {
    const { field, on, message } = constraint;
    const own = idsOf.get(constraint.name);
    const broken = records.filter((record) => own?.has(record.id) && !holds(model, constraint, record, context));
    return broken.map(({ id }) => ({ model: model.name, id, field: field ?? on[0] ?? 'id', message }));
  });
}

function holds(model: Model, constraint: Constraint, record: LoadedRecord, context: CheckContext): boolean {
  if (!isStrictAboutPaths()) return constraint.holds(record, context);
  const guarded = guardRecord(record, pathsOf(constraint), `The constraint ${model.name}.${constraint.name}`);
  return constraint.holds(guarded, context);
}

function pathsOf(constraint: Constraint): readonly string[] {
  return [...constraint.on, ...(constraint.reads ?? [])];
}

type Due = readonly (readonly [model: string, idsOf: ReadonlyMap<string, ReadonlySet<number>>])[];

/**
 * Constraints that read other rows name the records on which writers wait for each other. They are locked before the
 * check, by table and id, including previous targets of a record: later writers see what was committed meanwhile.
 */
async function lockSerialized(env: Env, due: Due): Promise<void> {
  const byTable = new Map<string, Set<number>>();
  for (const [name, idsOf] of due) {
    const model = env.registry.model(name);
    const fields = serializedBy(model, idsOf);
    if (fields.length === 0) continue;
    const ids = new Set([...idsOf.values()].flatMap((own) => [...own]));
    for (const [field, target] of [
      ...(await targetsNow(env, model, fields, ids)),
      ...targetsBefore(env, model, fields, ids),
    ]) {
      const owner = env.registry.model(field.spec.relation as string);
      leaveRowCache(env, owner);
      byTable.set(owner.table, (byTable.get(owner.table) ?? new Set()).add(target));
    }
  }
  for (const [table, ids] of [...byTable].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await env.db.execute(
      sql`select id from ${ident(table)} where id = any(${[...ids]}::int4[]) order by id for no key update`,
    );
  }
}

function serializedBy(model: Model, idsOf: ReadonlyMap<string, unknown>): Field[] {
  const names = model.constraints.filter(({ name }) => idsOf.has(name)).flatMap(({ serialize = [] }) => serialize);
  return [...new Set(names)].map((name) => model.fields.get(name) as Field);
}

async function targetsNow(
  env: Env,
  model: Model,
  fields: readonly Field[],
  ids: ReadonlySet<number>,
): Promise<(readonly [Field, number])[]> {
  const columns = fields.map((field) => ident(field.column as string));
  const rows = await env.db.arrays(
    sql`select ${join(columns)} from ${ident(model.table)} where id = any(${[...ids]}::int4[])`,
  );
  return rows.flatMap((row) =>
    fields.flatMap((field, at) => (row[at] === null ? [] : [[field, row[at] as number] as const])),
  );
}

function* targetsBefore(
  env: Env,
  model: Model,
  fields: readonly Field[],
  ids: ReadonlySet<number>,
): Iterable<readonly [Field, number]> {
  for (const change of env.work.changes.slice(settleState(env).firstChange)) {
    if (change.model !== model.name || !ids.has(change.id)) continue;
    for (const field of fields) {
      const old = change.values[field.name]?.old;
      if (typeof old === 'number') yield [field, old];
    }
  }
}

/**
 * Constraints are checked when the operation ends: those of the records (all of them for new ones), and those on lists
 * that contain them.
 */
export const constraints: Concern = {
  name: 'constraints',
  plan(write) {
    const { model, operation } = write;
    const steps = reachSteps(write, 'constraints');
    if (operation !== 'create' || model.constraints.length === 0) return steps;
    return {
      async after(run) {
        await steps?.after?.(run);
        for (const { name } of model.constraints) addIds(dueConstraints(run.env), model.name, name, run.ids);
      },
    };
  },
};
