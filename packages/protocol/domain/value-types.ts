import { isDate } from '../calendar.ts';
import { parseInstant, startOfDay } from '../clock.ts';
import { canonicalDecimal, compareDecimals } from '../decimal-text.ts';

/** How values are compared in conditions. Several field types share one: monetary compares as decimal, html as text. */
export interface ValueType {
  readonly name: string;
  /** The operand of a condition, as the type stores it; null if it is invalid. */
  cast(value: unknown, tz: string): string | number | boolean | null;
  /** Negative, zero or positive when comparing a value with a cast operand; null if they cannot be compared. */
  compare(value: unknown, other: string | number | boolean): number | null;
  /** Message and hint for an invalid operand or operator. */
  readonly needs: string;
  readonly hint?: string;
  /** Whether a value that is not null counts as empty. */
  isEmpty(value: unknown): boolean;
  /** `''` is empty, and patterns match it. */
  readonly isText: boolean;
  /** Null and `false` are the same. */
  readonly isBoolean: boolean;
  /** Patterns fit its digits in canonical form: `1250.5`. */
  readonly isNumber: boolean;
  readonly isWhole: boolean;
  /** Values are ordered. */
  readonly isOrdered: boolean;
  /** One or many records, which can be matched by name. */
  readonly isRelation: boolean;
  /** Refers to records, which may form a tree. */
  readonly isRecord: boolean;
}

type Own = Pick<ValueType, 'cast' | 'needs'> & Partial<ValueType>;

function define(name: string, own: Own): ValueType {
  return Object.freeze({
    name,
    compare: compareNumbers,
    isEmpty: () => false,
    isText: false,
    isBoolean: false,
    isNumber: false,
    isWhole: false,
    isOrdered: true,
    isRelation: false,
    isRecord: false,
    ...own,
  });
}

const number = {
  cast: (value: unknown) => (typeof value === 'number' ? value : null),
  needs: 'needs a number',
  isNumber: true,
};
const relation = {
  cast: (value: unknown) => (Number.isInteger(value) ? (value as number) : null),
  needs: 'needs a record id, a name or null',
  isOrdered: false,
  isRelation: true,
  isRecord: true,
};

export const valueTypes = Object.freeze({
  id: define('id', { ...number, isWhole: true, isRecord: true }),
  integer: define('integer', { ...number, isWhole: true }),
  float: define('float', number),
  decimal: define('decimal', {
    cast: (value) => (typeof value === 'number' || typeof value === 'string' ? canonicalDecimal(value) : null),
    compare(value, other) {
      const decimal = canonicalDecimal(value);
      return decimal === null ? null : compareDecimals(decimal, other as string);
    },
    needs: 'needs a number',
    isNumber: true,
  }),
  text: define('text', {
    cast: (value) => (typeof value === 'string' ? value : null),
    compare: compareTexts,
    needs: 'needs a text',
    isEmpty: (value) => value === '',
    isText: true,
  }),
  boolean: define('boolean', {
    cast: (value) => (typeof value === 'boolean' ? value : null),
    compare: (value, other) => (value === other ? 0 : null),
    needs: 'needs true or false',
    isBoolean: true,
    isOrdered: false,
  }),
  date: define('date', {
    cast: (value) => (typeof value === 'string' && isDate(value) ? value : null),
    compare: compareTexts,
    needs: 'needs a day such as 2026-11-14',
    hint: 'For the current day use "$today".',
  }),
  datetime: define('datetime', {
    cast: castInstant,
    compare(value, other) {
      const instant = typeof value === 'string' ? parseInstant(value) : null;
      return instant === null ? null : instant - (parseInstant(other as string) as number);
    },
    needs: 'needs a time such as 2026-11-14T09:30:00Z',
    hint: 'Use a time with Z or an offset, or a date.',
  }),
  many2one: define('many2one', relation),
  x2many: define('x2many', { ...relation, isEmpty: (value) => Array.isArray(value) && value.length === 0 }),
  /** Files and JSON. */
  opaque: define('opaque', {
    cast: () => null,
    needs: 'can only ask whether the field is empty (= null, != null)',
    isOrdered: false,
  }),
} satisfies Record<string, ValueType>);

/** A day is its first instant in the user's time zone. */
function castInstant(value: unknown, tz: string): string | null {
  const text = typeof value === 'string' ? value : '';
  const instant = isDate(text) ? startOfDay(text, tz) : parseInstant(text);
  const iso = instant === null ? null : new Date(instant).toISOString();
  return iso === null || !/^\d{4}-/.test(iso) || iso.startsWith('0000') ? null : iso;
}

function compareNumbers(value: unknown, other: string | number | boolean): number | null {
  return typeof value === 'number' ? value - (other as number) : null;
}

/** The order of UTF-8 bytes, which is that of code points; UTF-16 units would put emoji before some letters. */
function compareTexts(left: unknown, other: string | number | boolean): number | null {
  if (typeof left !== 'string') return null;
  const right = other as string;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left.charCodeAt(index) === right.charCodeAt(index)) continue;
    // A difference in the second half of a surrogate pair implies equal first halves, so comparing from here is
    // correct.
    return (left.codePointAt(index) as number) - (right.codePointAt(index) as number);
  }
  return left.length - right.length;
}
