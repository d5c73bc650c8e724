import { atField, text, UserError, ValidationError } from '@kontor/protocol';
import { sourceValue } from '../defaults/constant-default.ts';
import { nextNumbers } from '../defaults/next-numbers.ts';
import { isDefaultSource, isSequence, sequenceOf } from '../fields/default-sources.ts';
import { movesAlong, placeColumns, type StateFields, stateFields } from '../graph/state-fields.ts';
import { answer } from '../model/answer.ts';
import type { Answers } from '../model/behaviour.ts';
import type { Env, Field, Model, Move, Stages, States } from '../model/model.ts';
import { sameValue } from '../model/same-value.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { rememberState } from '../operation/states-before.ts';
import type { Concern } from '../plan/concern.ts';
import type { CalledMove, RowChange } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { listOf, nameOf, oneOf, valueLabel } from './move-words.ts';
import { type Asked, nextPlace, type Place, type StageFault } from './place.ts';
import { type StageList, stageList } from './stage-list.ts';

/**
 * A state changes only through a move, whoever writes it and however; sudo skips only the check of groups. State and
 * stage change together, and the values that the move sets are written with them. Its conditions are checked when the
 * operation ends, so that lines written by the same operation count.
 */
async function followMoves(
  env: Env,
  model: Model,
  changes: readonly RowChange[],
  called?: CalledMove,
): Promise<{ readonly changes: readonly RowChange[]; readonly moves: ReadonlyMap<number, Move> }> {
  const made = new Map<number, Move>();
  const fields = stateFields(model);
  if (fields === null) return { changes, moves: made };
  const isAsked = (change: RowChange) => called !== undefined || movesAlong(model, new Set(change.changed.keys()));
  const list = changes.some(isAsked) ? await stageList(env, model) : null;
  const merged = new Map<unknown, Map<string, RowChange['values']>>();
  const followed: RowChange[] = [];
  for (const change of changes) {
    const place = list && isAsked(change) ? placeOf(model, fields, change, list) : null;
    const from = (change.now.values.get(fields.state) ?? null) as string | null;
    const to = place ? place.state : ((change.changed.get(fields.state)?.new ?? from) as string | null);
    const move = await moveMade(env, model, { id: change.id, from, to }, called);
    if (move) made.set(change.id, move);
    if (from !== to) rememberState(env, model, change.id, from);
    const extra = new Map(place ? placeChanges(fields, place) : []);
    for (const [field, value] of move ? resolveSets(env, model, move, called?.answers) : []) {
      if (!change.cast.columns.has(field)) extra.set(field, value);
    }
    followed.push(withExtra(change, extra, merged));
  }
  return { changes: await withNumbers(env, followed, made, merged), moves: made };
}

/**
 * Draws the numbers that moves set, for records without one: those of one company and day together. The date is that after the write.
 */
async function withNumbers(
  env: Env,
  changes: readonly RowChange[],
  moves: ReadonlyMap<number, Move>,
  merged: Map<unknown, Map<string, RowChange['values']>>,
): Promise<readonly RowChange[]> {
  const groups = new Map<string, { readonly draw: Draw; readonly ids: number[] }>();
  for (const change of changes) {
    for (const [name, source] of moves.get(change.id)?.sets ?? []) {
      if (!isSequence(source)) continue;
      const at = (field: string | undefined) => {
        const found = [...change.now.values.keys()].find((each) => each.name === field);
        return found && (change.changed.get(found)?.new ?? change.now.values.get(found) ?? null);
      };
      if (at(name)) continue;
      const code = sequenceOf(source, (field) => at(field));
      const draw = { name, code, company: at('company_id'), date: at(source.on) } as Draw;
      const group = groups.get(JSON.stringify(draw)) ?? { draw, ids: [] };
      group.ids.push(change.id);
      groups.set(JSON.stringify(draw), group);
    }
  }
  const drawn = new Map<number, Map<string, string>>();
  for (const { draw, ids } of groups.values()) {
    const numbers = await nextNumbers(env, draw.code, ids.length, draw.company ?? undefined, draw.date ?? undefined);
    for (const [i, id] of ids.entries()) {
      drawn.set(id, new Map(drawn.get(id)).set(draw.name, numbers[i] as string));
    }
  }
  return changes.map((change) => {
    const numbers = drawn.get(change.id);
    if (numbers === undefined) return change;
    const fields = [...change.now.values.keys()].filter(({ name }) => numbers.has(name));
    return withExtra(change, new Map(fields.map((field) => [field, numbers.get(field.name)])), merged);
  });
}

interface Draw {
  readonly name: string;
  readonly code: string;
  readonly company: number | null | undefined;
  readonly date: string | null | undefined;
}

function placeOf(model: Model, fields: StateFields, { id, now, changed }: RowChange, list: StageList): Place {
  const at = (field: Field | null) => (field ? (now.values.get(field) ?? null) : null);
  const after = (field: Field | null) => (field && changed.has(field) ? changed.get(field)?.new : at(field)) ?? null;
  const place = { state: at(fields.state), stage: at(fields.stage), before: at(fields.before) } as Place;
  const asked = { state: changed.get(fields.state)?.new, stage: undefined } as Asked;
  const stages = model.states?.stages;
  if (!stages || !fields.stage) return { ...place, state: asked.state ?? place.state };
  const next = nextPlace(
    place,
    { ...asked, stage: changed.get(fields.stage)?.new as Asked['stage'] },
    { stages, list, own: after(fields.own) as number | null, isRequired: fields.stage.required },
  );
  if (typeof next === 'string') throw stageError(model, stages, next, id);
  return next;
}

/** Why a record cannot be in a stage. */
export function stageError(model: Model, stages: Stages, fault: StageFault, id?: number): Error {
  const field = model.fields.get(stages.field) as Field;
  const details = { model: model.name, ...(id === undefined ? {} : { id }), field: field.name };
  if (fault === 'none') {
    const stage = field.label;
    return new UserError(text('There is no {stage} to begin with. Add one first.', { stage }), details);
  }
  const own = model.fields.get(stages.within?.own ?? '')?.label ?? '';
  const said =
    fault === 'other state'
      ? text('This stage belongs to another state.')
      : text('This stage is not for this {owner}.', { owner: own });
  return new ValidationError({ [field.name]: [said] }, atField(field.label, said));
}

function* placeChanges(fields: StateFields, place: Place): Iterable<readonly [Field, unknown]> {
  yield [fields.state, place.state];
  if (fields.stage) yield [fields.stage, place.stage];
  if (fields.before) yield [fields.before, place.before];
}

/** Adds the resulting values to the requested ones; hooks get both. Rows that shared their values still share them. */
function withExtra(
  change: RowChange,
  extra: ReadonlyMap<Field, unknown>,
  merged: Map<unknown, Map<string, RowChange['values']>>,
): RowChange {
  const changed = new Map<Field, FieldChange>(change.changed);
  const news: Record<string, unknown> = {};
  for (const [field, value] of extra) {
    const old = change.now.values.get(field) ?? null;
    if (sameValue(field, old, value)) continue;
    if (!changed.has(field)) news[field.name] = value;
    changed.set(field, { old, new: value });
  }
  if (Object.keys(news).length === 0) return { ...change, changed };
  const known = merged.get(change.values) ?? new Map<string, RowChange['values']>();
  merged.set(change.values, known);
  const key = JSON.stringify(news);
  const values = known.get(key) ?? { ...change.values, ...news };
  known.set(key, values);
  return { ...change, changed, values };
}

interface Step {
  readonly id: number;
  readonly from: string | null;
  readonly to: string | null;
}

/** The move between two states, if the record moves at all. */
async function moveMade(env: Env, model: Model, step: Step, called: CalledMove | undefined): Promise<Move | null> {
  const { id, from, to } = step;
  if (called === undefined && from === to) return null;
  const states = model.states as States;
  // Rows older than the field have no state: they may be given an initial one.
  if (from === null && to !== null && states.initial.has(to)) return null;
  const joining = called ? [called.move] : [...states.moves.values()].flat().filter((move) => joins(move, step));
  const [first] = joining;
  if (first === undefined) throw await noSuchMove(env, model, step);
  const move = joining.find((each) => mayMove(env, each));
  if (move === undefined) throw await notByYou(env, model, id, first);
  return move;
}

function joins(move: Move, { from, to }: Step): boolean {
  return from !== null && move.from.has(from) && move.to === to;
}

export function mayMove(env: Env, { groups }: Move): boolean {
  return env.isSudo || groups === null || groups.some((group) => env.actor.groups.has(group));
}

export async function noSuchMove(env: Env, model: Model, { id, from, to }: Step): Promise<UserError> {
  const states = model.states as States;
  const possible = from === null ? [...states.initial] : targetsFrom(states, from);
  const name = await nameOf(env, model, id);
  const hint =
    possible.length > 0
      ? text('From here it can become {possible}.', { possible: oneOf(model, possible) })
      : text('It stays as it is.');
  const values = { name, to: valueLabel(model, to), hint };
  const said =
    from === null
      ? text('{name} cannot become {to}. {hint}', values)
      : text('{name} is {from} and cannot become {to}. {hint}', { ...values, from: valueLabel(model, from) });
  return new UserError(said, { model: model.name, id, field: states.field, from, to, possible });
}

/** The states that moves lead to from a state. */
export function targetsFrom(states: States, from: string): string[] {
  const moves = [...states.moves.values()].flat().filter((move) => move.from.has(from) && move.to !== from);
  return [...new Set(moves.map((move) => move.to))];
}

export async function notByYou(env: Env, model: Model, id: number, move: Move): Promise<UserError> {
  const { refusal, groups, to } = move;
  const said = text('You may not make {name} {to}. Ask someone who is in {groups}.', {
    name: await nameOf(env, model, id),
    to: valueLabel(model, to),
    groups: listOf(groups ?? []),
  });
  return new UserError(refusal ?? said, { model: model.name, id, field: model.states?.field, to, groups });
}

/** The values that a move sets. A plain write has no answers, so fields set by `answer` stay as they are. */
function resolveSets(env: Env, model: Model, move: Move, answers: Answers = {}): Map<Field, unknown> {
  const values = new Map<Field, unknown>();
  for (const [name, said] of move.sets) {
    const field = model.fields.get(name) as Field;
    // Numbers are drawn for all records together.
    if (isSequence(said)) continue;
    if (said === answer) {
      if (answers[name] !== undefined) values.set(field, field.kind.cast(answers[name], field) ?? null);
    } else {
      const value = isDefaultSource(said) ? sourceValue(env, field, said) : said;
      values.set(field, field.kind.cast(value ?? null, field) ?? null);
    }
  }
  return values;
}

/**
 * A record changes its state through moves, and its stage with it. Records are deleted only in states that allow it.
 */
export const moves: Concern = {
  name: 'moves',
  plan({ model, operation, purpose, isCalled, fields }) {
    const places = stateFields(model);
    if (places === null || operation === 'create' || purpose === 'restore') return null;
    if (operation === 'unlink') {
      const isOpen = model.states?.removable === null;
      return isOpen ? null : { row: { kind: 'check', run: checkRemovable } };
    }
    const isAlong = movesAlong(model, fields);
    if (!isAlong && !fields.has(places.state)) return null;
    return {
      adds: isAlong ? movedFields(places) : [],
      reads: placeColumns(model, fields),
      row: {
        kind: isAlong || isCalled ? 'change' : 'check',
        async run(run) {
          const followed = await followMoves(run.env, model, run.changes, run.called);
          run.changes = followed.changes;
          run.moves = followed.moves;
        },
      },
    };
  },
};

async function checkRemovable({ env, model, changes }: WriteRun): Promise<void> {
  const states = model.states as States;
  const field = model.fields.get(states.field) as Field;
  for (const { id, now } of changes) {
    const value = now.values.get(field) as string | null;
    if (value === null || states.removable?.has(value) !== false) continue;
    throw await notRemovable(env, model, id, value);
  }
}

async function notRemovable(env: Env, model: Model, id: number, value: string): Promise<UserError> {
  const states = model.states as States;
  const removable = states.removable ?? new Set<string>();
  const next = targetsFrom(states, value).filter((to) => removable.has(to));
  const hint =
    next.length > 0
      ? text('Make it {possible} first.', { possible: oneOf(model, next) })
      : text('Only what is {possible} can be deleted.', { possible: oneOf(model, [...removable]) });
  const values = { name: await nameOf(env, model, id), value: valueLabel(model, value), hint };
  const details = { model: model.name, id, field: states.field, from: value };
  return new UserError(text('{name} is {value} and cannot be deleted. {hint}', values), details);
}

/** State, stage and the values of moves change together. */
function movedFields({ state, stage, before, set }: StateFields): readonly Field[] {
  return [state, stage, before, ...set].filter((field) => field !== null);
}
