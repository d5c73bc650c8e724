import {
  accessDenied,
  atField,
  condition,
  conjoin,
  didYouMean,
  invalidArgs,
  text,
  ValidationError,
  type Words,
} from '@kontor/protocol';
import { constantDefault } from '../defaults/constant-default.ts';
import { BadValue } from '../fields/kind.ts';
import { isRecordId } from '../fields/relation.ts';
import type { Answers } from '../model/behaviour.ts';
import type { Action, Env, Field, Model } from '../model/model.ts';
import { search } from '../reading/search.ts';

/** A key of `vals` that is not an answer: the records of a selection. */
const reserved = 'active_ids';

type Faults = Record<string, Words[]>;

export interface CastAnswers {
  /** One for each question. */
  readonly answers: Answers;
  /** Answers that were given or have a default. */
  readonly said: Answers;
}

/**
 * The answers to the questions of an action, cast like values of a record: texts from outside, values from server code. One
 * error lists everything that is wrong, by name.
 */
export function castAnswers(env: Env, model: Model, action: Action, vals: unknown): CastAnswers {
  if (typeof vals !== 'object' || vals === null || Array.isArray(vals)) {
    throw invalidArgs('The values of an action are a map.', { model: model.name });
  }
  checkNames(env, model, action, Object.keys(vals));
  const given = vals as Readonly<Record<string, unknown>>;
  const answers: Record<string, unknown> = {};
  const faults: Faults = {};
  for (const [name, field] of action.asks) {
    try {
      answers[name] = castOne(env, field, given[name]);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      faults[name] = [error.words];
    }
  }
  throwFaults(action.asks, faults);
  const isSaid = (name: string) => given[name] !== undefined || action.asks.get(name)?.spec.default !== undefined;
  const said = Object.fromEntries(Object.entries(answers).filter(([name]) => isSaid(name)));
  return { answers: Object.freeze(answers), said };
}

/** Throws if a required answer is missing, or if a record cannot be chosen. */
export async function checkAnswers(env: Env, asks: ReadonlyMap<string, Field>, answers: Answers): Promise<void> {
  const faults: Faults = {};
  for (const [name, field] of asks) {
    if (!field.kind.isEmpty(answers[name] ?? null)) await checkChosen(env, field, answers[name], faults);
    else if (field.required) faults[name] = [text('A value is required.')];
  }
  throwFaults(asks, faults);
}

function throwFaults(asks: ReadonlyMap<string, Field>, faults: Faults): void {
  const [first] = Object.entries(faults);
  if (first === undefined) return;
  const [name, [message]] = first as [string, [Words]];
  throw new ValidationError(faults, atField(asks.get(name)?.label ?? name, message));
}

function checkNames(env: Env, model: Model, { name: action, asks }: Action, names: readonly string[]): void {
  for (const name of names) {
    if (name === reserved) continue;
    const field = asks.get(name);
    if (field === undefined) {
      const hint = didYouMean(name, asks.keys());
      throw invalidArgs(`${action} asks for no "${name.slice(0, 80)}".${hint}`, { model: model.name, field: name });
    }
    const { groups } = field.spec;
    const isClosed = groups !== undefined && !groups.some((group) => env.actor.groups.has(group));
    if (!env.isSudo && (field.isReadonly || isClosed)) {
      throw accessDenied(model.name, 'write', 'field', {
        field: name,
        message: `${action}: you may not give ${name}.`,
      });
    }
  }
}

function castOne(env: Env, field: Field, given: unknown): unknown {
  const value = given === undefined && field.spec.default !== undefined ? constantDefault(env, field) : given;
  const read = typeof value === 'string' && value !== '' ? field.kind.fromText(value, field, null) : value;
  const answer = read === '' ? null : (read ?? null);
  return field.kind.isLinks ? idsOf(answer) : (field.kind.cast(answer, field) ?? null);
}

function idsOf(answer: unknown): readonly number[] {
  if (answer === null) return [];
  if (Array.isArray(answer) && answer.every(isRecordId)) return [...new Set(answer)];
  throw new BadValue('Must be an array of ids.');
}

/** Chosen records must exist, be readable for the caller, and match the domain of the field. */
async function checkChosen(env: Env, field: Field, answer: unknown, faults: Faults): Promise<void> {
  const ids = (Array.isArray(answer) ? answer : [answer]).filter((id) => typeof id === 'number');
  if (field.spec.relation === undefined || ids.length === 0) return;
  const model = env.registry.model(field.spec.relation);
  const seen = await search(env, model, [['id', 'in', ids]]);
  const missing = ids.find((id) => !seen.includes(id));
  if (missing !== undefined) {
    faults[field.name] = [text('{model} {id} does not exist.', { model: model.label, id: missing })];
    return;
  }
  if (!field.domain) return;
  // The domain is the author's, not the caller's: it may use fields that the caller may not read.
  const fitting = await search(env.sudo(), model, conjoin(field.domain, condition('id', 'in', ids)));
  const odd = ids.find((id) => !fitting.includes(id));
  if (odd !== undefined) {
    faults[field.name] = [text('{model} {id} cannot be chosen here.', { model: model.label, id: odd })];
  }
}
