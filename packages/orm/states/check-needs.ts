import { atField, UserError } from '@kontor/protocol';
import { computeContext } from '../graph/compute-of.ts';
import { stateFields } from '../graph/state-fields.ts';
import type { CheckContext, ConditionSpec, LoadedRecord } from '../model/behaviour.ts';
import type { Env, Model } from '../model/model.ts';
import { addIds, debtsOf, type IdsByName } from '../operation/settle-state.ts';
import type { Concern } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { guardRecord, isStrictAboutPaths } from '../reading/guard-record.ts';
import { loadKnown } from '../rows/load-known.ts';
import { nameOf } from './move-words.ts';

/** The conditions of a move are checked when the operation ends, so that lines written by the same operation count. */
export const needs: Concern = {
  name: 'needs',
  plan({ model, operation, purpose, fields }) {
    const state = stateFields(model)?.state;
    if (operation !== 'write' || purpose === 'restore' || !state || !fields.has(state)) return null;
    return { after: noteNeeds };
  },
};

/** Ids of records that moved, by model and condition of the move. */
const dueNeeds = (env: Env): IdsByName => debtsOf(env, 'needs');

function noteNeeds({ env, model, moves }: WriteRun): void {
  for (const [id, move] of moves) for (const name of move.needs) addIds(dueNeeds(env), model.name, name, [id]);
}

/** Checks the conditions of the moves of this operation: one load per model, and one error for all that fail. */
export async function checkNeeds(env: Env): Promise<void> {
  const due = dueNeeds(env);
  const idsByModel = [...due];
  due.clear();
  for (const [name, idsOf] of idsByModel) await checkModel(env.sudo(), env.registry.model(name), idsOf);
}

async function checkModel(env: Env, model: Model, idsOf: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
  const conditions = [...idsOf].map(([name, ids]) => ({ name, ids, spec: conditionOf(model, name) }));
  const paths = [...new Set(conditions.flatMap(({ spec }) => spec.reads))];
  const moved = [...new Set(conditions.flatMap(({ ids }) => [...ids]))];
  const context = computeContext(env);
  const records = await loadKnown(env, model, moved, paths);
  for (const record of records) {
    const missing = conditions.filter(
      ({ name, ids, spec }) => ids.has(record.id) && !holds(model, name, spec, record, context),
    );
    if (missing.length === 0) continue;
    const message = missing.map(({ spec }) => spec.message).join(' ');
    throw new UserError(records.length > 1 ? atField(await nameOf(env, model, record.id), message) : message, {
      model: model.name,
      id: record.id,
      conditions: missing.map(({ name }) => name),
    });
  }
}

function conditionOf(model: Model, name: string): ConditionSpec {
  return model.states?.conditions.get(name) as ConditionSpec;
}

// Five parameters: the record, and what names the condition in errors.
function holds(
  model: Model,
  name: string,
  { reads, holds: test }: ConditionSpec,
  record: LoadedRecord,
  context: CheckContext,
): boolean {
  if (!isStrictAboutPaths()) return test(record, context);
  return test(guardRecord(record, reads, `The condition ${model.name}.${name}`), context);
}
