import { ident, type Sql, sql } from '@kontor/database';
import type { Env, Model } from '@kontor/orm';
import { personalFields } from './personal-fields.ts';

/** What identifies a person: lower-case emails, phone digits, and names of several words. */
export interface PersonKeys {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly names: readonly string[];
}

interface ReadRecord {
  readonly model: Model;
  readonly values: Readonly<Record<string, unknown>>;
}

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const phoneForm = /^\+?[\d\s()./-]{6,}$/;
const leastDigits = 8;

export function findKeys(subject: Model, records: readonly ReadRecord[]): PersonKeys {
  const [emails, phones, names] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { model, values } of records) {
    for (const { name, kind } of personalFields(model)) {
      const text = typeof values[name] === 'string' ? values[name].trim() : '';
      if (!kind.isShort || text === '') continue;
      const digits = text.replaceAll(/\D/g, '');
      if (emailForm.test(text)) emails.add(text.toLowerCase());
      else if (phoneForm.test(text) && digits.length >= leastDigits) phones.add(digits);
      // A single word is too common to search for everywhere.
      else if (model === subject && name === 'name' && /\S\s+\S/.test(text)) names.add(text);
    }
  }
  return { emails: [...emails], phones: [...phones], names: [...names] };
}

/**
 * A model in which others of the same kind have their keys: the model itself, or one of its parts with the link to it.
 */
export interface KeyHolder {
  readonly model: Model;
  readonly owner: Sql;
  /** Whether a row may be searched. */
  readonly within: Sql;
}

export const noKeys: PersonKeys = { emails: [], phones: [], names: [] };

/** Distinguishes what belongs only to the person from what others have too, such as an office phone. */
export async function sharedKeys(
  { db }: Env,
  holders: readonly KeyHolder[],
  id: number,
  { emails, phones, names }: PersonKeys,
): Promise<{ readonly keys: PersonKeys; readonly shared: readonly string[] }> {
  const lowered = [...emails, ...names.map((name) => name.toLowerCase())];
  const others = new Set<string>();
  for (const { model, owner, within } of holders) {
    for (const { column, kind } of personalFields(model)) {
      if (!kind.isShort) continue;
      const text = ident('r', column as string);
      const rows = await db.arrays(sql`
        select distinct lower(trim(${text})) from ${ident(model.table)} r where ${owner} <> ${id}::int4 and ${within}
          and (lower(trim(${text})) = any(${lowered}::text[]) or regexp_replace(${text}, '\\D', '', 'g') = any(${phones}::text[]))`);
      for (const [found] of rows) others.add(String(found));
    }
  }
  const digits = new Set([...others].map((text) => text.replaceAll(/\D/g, '')));
  const isShared = (text: string) => others.has(text.toLowerCase());
  return {
    keys: {
      emails: emails.filter((text) => !isShared(text)),
      phones: phones.filter((text) => !digits.has(text)),
      names: names.filter((text) => !isShared(text)),
    },
    shared: [...[...emails, ...names].filter(isShared), ...phones.filter((text) => digits.has(text))],
  };
}

/** A PostgreSQL regular expression that finds the keys in any text: in HTML, in JSON, and phones in any notation. */
export function keyPattern({ emails, phones, names }: PersonKeys): string | null {
  const patterns = [
    ...emails.map(escaped),
    ...names.map((text) => text.split(/\s+/).map(escaped).join('(?:(?:\\s|&nbsp;)+|[_.+-]|%20)')),
    ...phones.map(phonePattern),
  ];
  return patterns.length === 0 ? null : whole(patterns);
}

const phonePattern = (digits: string) => `(?:\\+|00)?${[...digits].join('[-\\s()./]*')}`;
const whole = (patterns: readonly string[]) => `(?<![[:alnum:]])(?:${patterns.join('|')})(?![[:alnum:]])`;

/** Finds the keys in a file name, with the words of a name in any order: a user reviews the results. */
export function fileNamePattern({ emails, phones, names }: PersonKeys): string | null {
  const patterns = [
    ...emails.map(escaped),
    ...names.flatMap((name) => looseName(name, escaped)),
    ...phones.map((digits) => [...digits].join('[^[:alnum:]]*')),
  ];
  return patterns.length === 0 ? null : whole(patterns);
}

/** The same in the bytes of a file, where non-ASCII characters are `\nnn`, in UTF-8 or Latin-1. */
export function fileTextPattern({ emails, phones, names }: PersonKeys): string | null {
  const patterns = [
    ...emails.map(escapedBytes),
    ...names.flatMap((name) => looseName(name, escapedBytes)),
    ...phones.map(phonePattern),
  ];
  return patterns.length === 0 ? null : patterns.join('|');
}

/** The words in order, or with the last one first. */
function looseName(name: string, write: (word: string) => string): readonly string[] {
  const words = name.split(/\s+/).map(write);
  const between = '(?:<[^<>]*>|&nbsp;|%20|\\\\302\\\\240|[^[:alnum:]]){0,6}';
  return [words, [...words.slice(-1), ...words.slice(0, -1)]].map((each) => each.join(between));
}

function escapedBytes(text: string): string {
  return [...text].map((each) => ((each.codePointAt(0) ?? 0) < 128 ? escaped(each) : byteForms(each))).join('');
}

function byteForms(letter: string): string {
  const letters = [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])];
  const forms = letters.flatMap((each) => [
    Buffer.from(each, 'utf8'),
    ...(/^[\u0080-\u00ff]$/.test(each) ? [Buffer.from(each, 'latin1')] : []),
  ]);
  const octal = (byte: number) => `\\\\${byte.toString(8)}`;
  const inBytes = (form: Buffer) =>
    [...form].map((byte) => (byte < 128 ? String.fromCharCode(byte) : octal(byte))).join('');
  return `(?:${forms.map(inBytes).join('|')})`;
}

const otherForms: Readonly<Record<string, string>> = {
  "'": "(?:'|&#39;|&apos;)",
  '"': '(?:\\\\?"|&quot;)',
  '&': '(?:&amp;|&)',
  '@': '(?:@|%40)',
};

function escaped(text: string): string {
  return [...text].map((each) => otherForms[each] ?? each.replace(/[\\^$.|?*+()[\]{}]/, '\\$&')).join('');
}
