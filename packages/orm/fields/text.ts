import { type Sql, sql } from '@kontor/database';
import { elementsIn, htmlPolicy, isInFormat, type TextFormat, text } from '@kontor/protocol';
import sanitizeHtml from 'sanitize-html';
import { BadValue, type DeclaredField, defineKind, isAbsent } from './kind.ts';

const shared = {
  backfill: () => "''",
  wire: 'text',
  jsonSql: (value: Sql) => sql`to_jsonb(${value}::text)`,
} as const;

/** A short text, with an optional size in characters. */
export const charKind = defineKind('char', {
  ...shared,
  column: (field) => (field.spec.size === undefined ? 'text' : `varchar(${field.spec.size})`),
  cast(value, field) {
    if (isAbsent(value)) return null;
    const { clean, format } = field.spec;
    const whole = format ? checkText(value).trim() : checkText(value);
    const given = clean ? clean(whole) : whole;
    checkSize(given, field);
    return given;
  },
  checkGiven(value, { spec: { format } }) {
    if (format === undefined || isBlank(value) || isInFormat(format, value as string)) return;
    throw wrongFormat(format);
  },
  isEmpty: isBlank,
});

function wrongFormat(format: TextFormat): BadValue {
  if (format === 'email') return new BadValue('This is not an e-mail address.');
  if (format === 'iban') return new BadValue('This IBAN is not valid. Check it for typos.');
  return new BadValue(format === 'phone' ? text('This is not a phone number.') : text('This is not a web address.'));
}

/** A long text of any number of lines. */
export const textKind = defineKind('text', {
  ...shared,
  column: charKind.column,
  cast: charKind.cast,
  isEmpty: isBlank,
});

/** PostgreSQL cannot store null bytes or half surrogate pairs: they are rejected at the field. */
export function checkText(value: unknown): string {
  if (typeof value !== 'string') throw new BadValue('Must be text.');
  if (value.includes('\0')) throw new BadValue('Text cannot contain null bytes.');
  if (/\p{Surrogate}/u.test(value)) throw new BadValue('Text contains half of a character.');
  return value;
}

function checkSize(given: string, field: DeclaredField): void {
  const size = field.spec.size;
  if (size === undefined || given.length <= size) return;
  const length = [...given].length;
  if (length > size) throw new BadValue(text('At most {size} characters; this has {length}.', { size, length }));
}

function isBlank(value: unknown): boolean {
  return isAbsent(value) || (typeof value === 'string' && value.trim() === '');
}

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...htmlPolicy.tags],
  allowedAttributes: mutable(htmlPolicy.attributes),
  allowedSchemes: [...htmlPolicy.schemes],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 64,
  // No style attributes are allowed, so the CSS parser is left out of the build.
  parseStyleAttributes: false,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: htmlPolicy.rel }) },
};

function mutable(attributes: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(attributes).map(([tag, names]) => [tag, [...names]]));
}

/** Rich text. Anything a browser could execute is removed on write, so that every reader can show it unchanged. */
export const htmlKind = defineKind('html', {
  ...shared,
  column: () => 'text',
  cast(value) {
    if (isAbsent(value)) return null;
    const given = checkText(value);
    return prepared.get(given) ?? sanitise(given);
  },
  prepare(value) {
    if (typeof value !== 'string' || value.length < longToClean) return null;
    return {
      work: () => void prepared.set(value, sanitise(checkText(value))),
      forget: () => void prepared.delete(value),
    };
  },
  isEmpty: (value) => isAbsent(value) || (typeof value === 'string' && isEmptyHtml(value)),
});

/** As long as a short book. */
const longestMarkup = 250_000;
/** Cleaning this takes some milliseconds. */
const longToClean = 20_000;
/** What was cleaned before it is cast. */
const prepared = new Map<string, string>();
const deepest = 200;

/** The parser compares each closing tag with all open ones, so their number is limited, as the parser counts them. */
function sanitise(given: string): string {
  if (given.length > longestMarkup) {
    throw new BadValue(
      text('At most {size} characters; this has {length}.', { size: longestMarkup, length: given.length }),
    );
  }
  const [count, most] = [elementsIn(given), htmlPolicy.mostElements];
  if (count > most) {
    throw new BadValue(text('At most {most} formatted parts; this has {count}.', { most, count }));
  }
  let depth = 0;
  return sanitizeHtml(given, {
    ...allowed,
    onOpenTag: () => {
      if (++depth > deepest) throw new BadValue('This is nested too deeply.');
    },
    onCloseTag: () => {
      depth--;
    },
  });
}

/** An editor that was opened and closed leaves `<p><br></p>`; that is not content. */
function isEmptyHtml(html: string): boolean {
  return !html.includes('<hr') && html.replace(/<[^<>]*>|&nbsp;|\s/g, '') === '';
}
