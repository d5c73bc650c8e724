import { type Text, text, ValidationError } from '@kontor/addon';

/** Where a value comes from: given, calculated from the record, copied from a path, or the moment of the run. */
export type StepValue =
  | { readonly value: string | number | boolean | null }
  | { readonly formula: string }
  | { readonly from: string }
  | { readonly word: 'today' | 'now' };

/** A person: named, at the end of a path of the record, or in turn among several. */
export type Who =
  | { readonly user: number }
  | { readonly path: string }
  | { readonly turn: readonly number[] }
  | { readonly team: string };

export type Step =
  | { readonly do: 'set'; readonly values: Readonly<Record<string, StepValue>> }
  | { readonly do: 'create'; readonly model: string; readonly values: Readonly<Record<string, StepValue>> }
  | { readonly do: 'assign'; readonly field: string; readonly who: Who }
  | {
      readonly do: 'activity';
      readonly type: number;
      readonly summary: string;
      readonly days: number;
      readonly who: Who;
    }
  | { readonly do: 'note'; readonly text: string }
  | { readonly do: 'mail'; readonly to: string; readonly subject: string; readonly body: string }
  | { readonly do: 'webhook'; readonly webhook: number }
  | { readonly do: 'run'; readonly action: string };

export const stepLimits = { steps: 20, values: 30, people: 50, text: 5_000, json: 50_000 } as const;

const name = /^[a-z][a-z0-9_]{0,62}$/;
const path = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,3}$/;
/** Models that were added in the browser have no dot. */
const modelName = /^(?:x_[a-z][a-z0-9_]*|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+)$/;

type Json = Readonly<Record<string, unknown>>;

/** The steps in a value from outside. Throws with the first mistake, and the number of its step. */
export function readSteps(given: unknown): readonly Step[] {
  if (given === null || given === undefined) return [];
  if (!Array.isArray(given) || given.length > stepLimits.steps || JSON.stringify(given).length > stepLimits.json)
    throw wrong(text('At most {max} steps.', { max: stepLimits.steps }));
  return given.map((each, index) => {
    try {
      return readStep(each);
    } catch (error) {
      if (error instanceof StepError) throw wrong(atStep(index + 1, error.problem));
      throw error;
    }
  });
}

export function atStep(number: number, problem: Text): Text {
  return text('Step {number}: {problem}', { number, problem });
}

export function wrong(problem: Text): ValidationError {
  return new ValidationError({ steps: [problem] });
}

/** What is wrong with a step. */
export class StepError extends Error {
  readonly problem: Text;

  constructor(problem: Text) {
    super('A step is wrong.');
    this.problem = problem;
  }
}

function readStep(given: unknown): Step {
  const step = object(given, 'do');
  switch (step.do) {
    case 'set':
      return only({ do: 'set', values: readValues(step.values) }, step);
    case 'create':
      return only({ do: 'create', model: matching(step.model, modelName), values: readValues(step.values) }, step);
    case 'assign':
      return only({ do: 'assign', field: matching(step.field, name), who: readWho(step.who) }, step);
    case 'activity': {
      const days = whole(step.days ?? 0, -365, 3_650);
      const summary = line(step.summary ?? '', 200, true);
      return only({ do: 'activity', type: whole(step.type, 1), summary, days, who: readWho(step.who) }, step);
    }
    case 'note':
      return only({ do: 'note', text: line(step.text, stepLimits.text) }, step);
    case 'mail': {
      const body = line(step.body, stepLimits.text);
      return only({ do: 'mail', to: line(step.to, 300), subject: line(step.subject, 200), body }, step);
    }
    case 'webhook':
      return only({ do: 'webhook', webhook: whole(step.webhook, 1) }, step);
    case 'run':
      return only({ do: 'run', action: matching(step.action, name) }, step);
    default:
      throw new StepError(text('Choose what it does.'));
  }
}

/** Unknown keys are mistakes: a typing error must not be ignored. */
function only<T extends Step>(step: T, given: Json): T {
  const unknown = Object.keys(given).find((key) => !(key in step));
  if (unknown !== undefined) throw new StepError(text('Unknown key "{name}".', { name: unknown.slice(0, 80) }));
  return step;
}

function object(given: unknown, key: string): Json {
  if (typeof given === 'object' && given !== null && !Array.isArray(given) && Object.hasOwn(given, key))
    return given as Json;
  throw new StepError(text('It is not complete.'));
}

function matching(given: unknown, pattern: RegExp): string {
  if (typeof given === 'string' && given.length <= 300 && pattern.test(given)) return given;
  throw new StepError(text('It is not complete.'));
}

function line(given: unknown, most: number, mayBeEmpty = false): string {
  if (typeof given !== 'string' || (!mayBeEmpty && given.trim() === ''))
    throw new StepError(text('It is not complete.'));
  if (given.length > most) throw new StepError(text('At most {most} characters.', { most }));
  return given.trim();
}

function whole(given: unknown, min: number, max = 2_147_483_647): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max) return given;
  throw new StepError(text('It is not complete.'));
}

function readValues(given: unknown): Readonly<Record<string, StepValue>> {
  const entries = Object.entries(typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {});
  if (entries.length === 0) throw new StepError(text('Choose at least one field.'));
  if (entries.length > stepLimits.values)
    throw new StepError(text('At most {max} fields.', { max: stepLimits.values }));
  return Object.fromEntries(entries.map(([field, value]) => [matching(field, name), readValue(value)]));
}

export function readValue(given: unknown): StepValue {
  const value = (typeof given === 'object' && given !== null ? given : {}) as Json;
  const [key, ...others] = Object.keys(value);
  if (others.length > 0) throw new StepError(text('It is not complete.'));
  if (key === 'formula') return { formula: line(value.formula, 1_000) };
  if (key === 'from') return { from: matching(value.from, path) };
  if (key === 'word' && (value.word === 'today' || value.word === 'now')) return { word: value.word };
  const isPlain = value.value === null || ['string', 'number', 'boolean'].includes(typeof value.value);
  if (key !== 'value' || !isPlain) throw new StepError(text('It is not complete.'));
  if (String(value.value).length > 10_000) throw new StepError(text('At most {most} characters.', { most: 10_000 }));
  return { value: value.value as string | number | boolean | null };
}

function readWho(given: unknown): Who {
  const who = (typeof given === 'object' && given !== null ? given : {}) as Json;
  if (Object.keys(who).length !== 1) throw new StepError(text('Choose a person.'));
  if ('user' in who) return { user: whole(who.user, 1) };
  if ('path' in who) return { path: matching(who.path, path) };
  if ('team' in who) return { team: matching(who.team, path) };
  const { turn } = who;
  if (!Array.isArray(turn) || turn.length === 0 || turn.length > stepLimits.people)
    throw new StepError(text('Choose a person.'));
  return { turn: turn.map((id) => whole(id, 1)) };
}
