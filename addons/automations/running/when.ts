import { type Text, text, ValidationError } from '@kontor/addon';
import { readFieldsIn } from '../incoming/read-message.ts';
import type { Every } from './schedule.ts';

export const triggers = ['create', 'change', 'date', 'schedule', 'hook'] as const;
export type Trigger = (typeof triggers)[number];

/** When an automation runs. What the trigger does not use has its default. */
export interface When {
  readonly trigger: Trigger;
  /** The field that changes, or the date. */
  readonly field: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly offset: number;
  readonly unit: 'days' | 'hours';
  readonly side: 'before' | 'after';
  /** A time on the clock of the company of the record. */
  readonly at: string;
  readonly every: Every;
  /** Where the value of each field is in a message. */
  readonly fields: ReadonlyMap<string, string>;
  /** The field by which a message finds its record. */
  readonly match: string | null;
}

const everies: readonly Every[] = ['hour', 'day', 'workday', 'week', 'month'];
const known = ['trigger', 'field', 'from', 'to', 'offset', 'unit', 'side', 'at', 'every', 'fields', 'match'];
const name = /^[a-z][a-z0-9_]{0,62}$/;

export function isTrigger(given: unknown): given is Trigger {
  return (triggers as readonly unknown[]).includes(given);
}

/** Throws with the first mistake; unknown keys are mistakes. */
export function readWhen(given: unknown): When {
  const when = (typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}) as Record<
    string,
    unknown
  >;
  const { trigger, unit = 'days', side = 'before', every = 'day', at = '08:00', offset = 0 } = when;
  const unknown = Object.keys(when).find((key) => !known.includes(key));
  if (unknown !== undefined) throw wrongWhen(text('Unknown key "{name}".', { name: unknown.slice(0, 80) }));
  if (!isTrigger(trigger)) throw wrongWhen(text('Choose when it runs.'));
  if (typeof at !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d$/.test(at))
    throw wrongWhen(text('Write a time such as 08:00.'));
  if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0 || offset > 10_000)
    throw wrongWhen(text('Write a number of days or hours.'));
  const isChosen = (unit === 'days' || unit === 'hours') && (side === 'before' || side === 'after');
  if (!isChosen || !everies.includes(every as Every)) throw wrongWhen(text('Choose when it runs.'));
  return {
    ...{ trigger, unit, side, every: every as Every, at, offset },
    ...{ field: nameIn(when.field), match: nameIn(when.match), from: valueIn(when.from), to: valueIn(when.to) },
    fields: readFieldsIn(when.fields),
  };
}

function nameIn(given: unknown): string | null {
  if (given === undefined || given === null || given === '') return null;
  if (typeof given === 'string' && name.test(given)) return given;
  throw wrongWhen(text('Choose a field.'));
}

/** A value of the field as text; null: any. */
function valueIn(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string' && given.length <= 200) return given;
  throw wrongWhen(text('Choose a value.'));
}

export function wrongWhen(problem: Text): ValidationError {
  return new ValidationError({ when: [problem] });
}
