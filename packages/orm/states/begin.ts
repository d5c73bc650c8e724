import { text, UserError } from '@kontor/protocol';
import { type StateFields, stateFields } from '../graph/state-fields.ts';
import type { Env, Field, Model, States } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import type { Concern, GivenRow, StatementSteps } from '../plan/concern.ts';
import type { LaterStage } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { stageError } from './follow-moves.ts';
import { oneOf, valueLabel } from './move-words.ts';
import { firstStage, fits, type StageList, stageList } from './stage-list.ts';

/** A new record: what the caller gave, and what hooks and defaults made of it. */
interface NewValues {
  readonly given: Values;
  readonly values: Record<string, unknown>;
}

/** A new record starts in an initial state, and in its first stage. */
export const beginning: Concern = {
  name: 'beginning',
  plan({ env, model, operation, purpose }) {
    const places = operation === 'create' && purpose !== 'restore' ? stateFields(model) : null;
    if (places === null) return null;
    return {
      adds: places.stage ? [places.stage] : [],
      async before(run) {
        run.later = await beginNew(run.env, model, run.rows as readonly NewValues[], run.granted);
      },
      ...(!places.stage && { statement: beginsAllowed(env.isSudo, model, places.state) }),
    };
  },
};

function beginsAllowed(isFree: boolean, { states }: Model, field: Field): () => StatementSteps {
  const values = ({ values: row }: GivenRow) => {
    const state = row.get(field);
    return isFree || typeof state !== 'string' || states?.initial.has(state) === true;
  };
  return () => ({ values });
}

/** New records with a given stage of another state move there, when everything else is done. */
export const laterStages: Concern = {
  name: 'later stages',
  plan: ({ model, operation }) => (operation === 'create' && model.states?.stages ? { after: moveToStages } : null),
};

async function moveToStages({ env, model, ids, later }: WriteRun): Promise<void> {
  const stage = model.states?.stages?.field;
  if (stage === undefined || later.length === 0) return;
  const rows = later.map(({ index, stage: id }) => ({ id: ids[index] as number, values: { [stage]: id } }));
  await env
    .outside(false)
    .model(model.name)
    .writeEach(rows, { granted: [stage] });
}

/**
 * New records start in an initial state, and in its first stage. Records that the server creates may start in any
 * state. A record with a given stage of another state moves there afterwards.
 */
async function beginNew(
  env: Env,
  model: Model,
  rows: readonly NewValues[],
  granted: ReadonlySet<string>,
): Promise<readonly LaterStage[]> {
  const fields = stateFields(model);
  if (fields === null) return [];
  const isFree = env.isSudo || granted.has(fields.state.name);
  if (!isFree) for (const { values } of rows) checkBeginning(model, values[fields.state.name]);
  if (!fields.stage) return [];
  const list = await stageList(env, model);
  const later: LaterStage[] = [];
  for (const [index, row] of rows.entries()) {
    const stage = placeNew(model, fields, row, list, isFree);
    if (stage !== null) later.push({ index, stage });
  }
  return later;
}

function checkBeginning(model: Model, state: unknown): void {
  const { initial, field } = model.states as States;
  if (typeof state !== 'string' || initial.has(state)) return;
  const possible = [...initial];
  throw new UserError(
    text('A new {model} cannot begin as {value}. Create it as {possible} first.', {
      model: model.label,
      value: valueLabel(model, state),
      possible: oneOf(model, possible),
    }),
    { model: model.name, field, to: state, possible },
  );
}

/** Fills in the stage; returns the stage to move to later. */
function placeNew(
  model: Model,
  fields: StateFields,
  { given, values }: NewValues,
  list: StageList,
  isFree: boolean,
): number | null {
  const { stages, initial } = model.states as States;
  if (stages === null) return null;
  const { name, required } = fields.stage as Field;
  const own = (fields.own ? (values[fields.own.name] ?? null) : null) as number | null;
  const state = values[fields.state.name] as string;
  const first = firstStage(list, stages, state, own);
  const asked = values[name];
  if (asked === null || asked === undefined) {
    const [beginning] = initial;
    const begun = first ?? firstStage(list, stages, beginning ?? null, own);
    if (begun) values[name] = begun.id;
    else if (required) throw stageError(model, stages, 'none');
    return null;
  }
  const stage = list.get(asked as number);
  // An id that is not a stage is rejected with the other relations.
  if (!stage) return null;
  if (!fits(stage, own)) throw stageError(model, stages, 'not for it');
  if (stage.state === null || stage.state === state || !first) return null;
  if (given[fields.state.name] !== undefined) throw stageError(model, stages, 'other state');
  if (isFree) {
    values[fields.state.name] = stage.state;
    return null;
  }
  values[name] = first.id;
  return stage.id;
}
