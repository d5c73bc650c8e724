import { ValidationError } from '@kontor/protocol';
import type { Env } from '../../env.ts';
import type { LoadedRecord } from '../../model/definition.ts';
import type { Constraint, Model } from '../../model/model.ts';
import { guardRecord, isStrictAboutPaths } from '../guard-record.ts';
import { load } from '../load.ts';
import { settleState } from './settle-state.ts';

/** Checks what the operation touched: one load a model, and every violation in one answer. */
export async function checkConstraints(env: Env): Promise<void> {
  const state = settleState(env);
  const due = [...state.constraints];
  state.constraints.clear();
  const messages = new Map<string, Set<string>>();
  for (const [modelName, idsOf] of due) {
    const violated = await violatedOf(env.sudo(), env.registry.model(modelName), idsOf);
    for (const { field, on, message } of violated) {
      const name = field ?? on[0] ?? 'id';
      messages.set(name, (messages.get(name) ?? new Set()).add(message));
    }
  }
  if (messages.size === 0) return;
  throw new ValidationError(Object.fromEntries([...messages].map(([name, texts]) => [name, [...texts]])));
}

async function violatedOf(
  env: Env,
  model: Model,
  idsOf: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<readonly Constraint[]> {
  const constraints = model.constraints.filter((constraint) => idsOf.has(constraint.name));
  const touched = new Set([...idsOf.values()].flatMap((ids) => [...ids]));
  const paths = [...new Set(constraints.flatMap(pathsOf))];
  // What was touched and then removed in the same operation has nothing left to hold.
  const records = await load(env, model, [...touched], paths, { missing: 'skip' });
  return constraints.filter((constraint) => {
    const own = idsOf.get(constraint.name);
    return records.some((record) => own?.has(record.id) && !holds(model, constraint, record));
  });
}

function holds(model: Model, constraint: Constraint, record: LoadedRecord): boolean {
  if (!isStrictAboutPaths()) return constraint.holds(record);
  return constraint.holds(guardRecord(record, pathsOf(constraint), `The constraint ${model.name}.${constraint.name}`));
}

function pathsOf(constraint: Constraint): readonly string[] {
  return [...constraint.on, ...(constraint.reads ?? [])];
}
