import { ValidationError, type Words } from '@kontor/protocol';
import type { LoadedRecord } from '../model/behaviour.ts';
import type { Constraint, Env, Model } from '../model/model.ts';
import { guardRecord, isStrictAboutPaths } from '../reading/guard-record.ts';
import { load } from '../reading/load.ts';
import { lockSerialized } from './lock-serialized.ts';
import { settleState } from './settle-state.ts';

/** A record that breaks a constraint of its model. */
export interface Violation {
  readonly model: string;
  readonly id: number;
  readonly field: string;
  readonly message: Words;
}

/** Knows which records it is about; callers are told only what is wrong at which field. */
export class ConstraintError extends ValidationError {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[], message?: Words) {
    const messages = new Map<string, Set<Words>>();
    for (const { field, message } of violations) {
      messages.set(field, (messages.get(field) ?? new Set()).add(message));
    }
    super(Object.fromEntries([...messages].map(([name, texts]) => [name, [...texts]])), message);
    this.violations = violations;
  }
}

/** Checks what the operation touched: one load a model, and every violation in one answer. */
export async function checkConstraints(env: Env): Promise<void> {
  const state = settleState(env);
  const due = [...state.constraints];
  state.constraints.clear();
  await lockSerialized(env, due);
  const violations: Violation[] = [];
  for (const [modelName, idsOf] of due) {
    violations.push(...(await violationsOf(env.sudo(), env.registry.model(modelName), idsOf)));
  }
  if (violations.length > 0) throw new ConstraintError(violations);
}

async function violationsOf(
  env: Env,
  model: Model,
  idsOf: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<readonly Violation[]> {
  const constraints = model.constraints.filter((constraint) => idsOf.has(constraint.name));
  const touched = new Set([...idsOf.values()].flatMap((ids) => [...ids]));
  const paths = [...new Set(constraints.flatMap(pathsOf))];
  // What was touched and then removed in the same operation has nothing left to hold.
  const records = await load(env, model, [...touched], paths, { missing: 'skip' });
  return constraints.flatMap((constraint) => {
    const { field, on, message } = constraint;
    const own = idsOf.get(constraint.name);
    const broken = records.filter((record) => own?.has(record.id) && !holds(model, constraint, record));
    return broken.map(({ id }) => ({ model: model.name, id, field: field ?? on[0] ?? 'id', message }));
  });
}

function holds(model: Model, constraint: Constraint, record: LoadedRecord): boolean {
  if (!isStrictAboutPaths()) return constraint.holds(record);
  return constraint.holds(guardRecord(record, pathsOf(constraint), `The constraint ${model.name}.${constraint.name}`));
}

function pathsOf(constraint: Constraint): readonly string[] {
  return [...constraint.on, ...(constraint.reads ?? [])];
}
