import { type Arch, type ArchField, fieldType, isInFormat, type TextFormat } from '@kontor/protocol';
import { today } from '../../i18n/local-time.ts';
import { t } from '../../i18n/messages.ts';
import { editNumber, formatDecimal, numberReadings } from '../../i18n/numbers.ts';
import { editDate } from '../../i18n/typed-dates.ts';
import { fieldNodes } from './field-nodes.ts';
import type { FormState } from './form-state.ts';
import { isLinesEdit, shownLines } from './lines.ts';

const isoDay = /^\d{4}-\d{2}-\d{2}$/;
const isoInstant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
const decimal = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const integer = /^[+-]?\d+$/;

/** Why the typed text is not valid for the field, with an example in the user's notation; null if it is valid. */
export function invalidMessage(field: ArchField, value: unknown): string | null {
  const type = fieldType(field.type);
  if (unfinishedValue(value) !== undefined) return t('A condition has no value. Enter one, or remove it.');
  const typed = typedText(value) ?? unmatchedName(value);
  if (type.isJson) return typed === null ? null : t('This is not valid JSON, so it is not applied.');
  if (typed !== null && (type.isToOne || type.isLinks))
    return field.related?.create === false
      ? t('“{name}” was not found. Choose one from the list.', { name: typed })
      : t('“{name}” was not found. Choose one from the list, or create it.', { name: typed });
  if (typed !== null)
    return eitherMessage(typed, decimalsOf(field)) ?? t('“{text}” was not understood.', { text: typed });
  if (typeof value !== 'string' || value === '') return null;
  if (field.format && value.trim() !== '' && !isInFormat(field.format, value.trim()))
    return formatMessage(field.format);
  if (type.isInstant && !isoInstant.test(value))
    return t('Enter a date and time such as {example}.', { example: `${editDate(today())} 09:30` });
  if (type.isDate && !type.isInstant && !isoDay.test(value))
    return t('Enter a date such as {example}.', { example: editDate(today()) });
  if (type.isWhole && !integer.test(value)) return t('Enter a whole number.');
  if (type.isNumber && !decimal.test(value))
    return t('Enter a number such as {example}.', { example: editNumber(1234.5) });
  return null;
}

/** The decimals that a field keeps. Monetary fields default to those of most currencies. */
export function decimalsOf({ type, digits }: ArchField): number | undefined {
  const { isWhole, isMoney } = fieldType(type);
  return isWhole ? 0 : (digits?.[1] ?? (isMoney ? 2 : undefined));
}

function eitherMessage(typed: string, scale: number | undefined): string | null {
  const readings = numberReadings(typed, scale);
  if (readings === null) return null;
  const [one, other] = readings.map((reading) => formatDecimal(reading)) as [string, string];
  return t('{typed} could be {one} or {other}.', { typed, one, other });
}

function formatMessage(format: TextFormat): string {
  if (format === 'email') return t('This is not an e-mail address.');
  if (format === 'iban') return t('This IBAN is not valid. Check it for typos.');
  return format === 'phone' ? t('This is not a phone number.') : t('This is not a web address.');
}

/** Messages for edits that the server would reject, by field. */
export function invalidFields(state: FormState, arch: Arch): Record<string, readonly string[]> {
  const byName = new Map(arch.fields.map((field) => [field.name, field]));
  const invalid: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(state.edits)) {
    const field = byName.get(name);
    if (!field || field.readonly) continue;
    const message = isLinesEdit(value) ? invalidInLines(state, arch, name) : invalidMessage(field, value);
    if (message) invalid[name] = [message];
  }
  return invalid;
}

function invalidInLines({ edits, stored }: FormState, arch: Arch, name: string): string | null {
  const edit = edits[name];
  const fields = fieldNodes(arch).find((node) => node.name === name)?.fields ?? [];
  if (!isLinesEdit(edit)) return null;
  for (const [index, { key, values }] of shownLines(stored[name], edit).entries()) {
    if (key > 0 && !edit.changed[key]) continue;
    for (const field of fields) {
      const problem = field.readonly ? null : invalidMessage(field, values[field.name]);
      if (problem) return t('Line {n}, {label}: {problem}', { n: index + 1, label: field.label, problem });
    }
  }
  return null;
}

/** No JSON of the server can contain this key, because the database cannot store the character. */
const key = '\u0000typed';

/**
 * A placeholder for text that is not a value yet: invalid JSON, or an ambiguous number. Drafts keep and restore it like
 * any value.
 */
export function asTyped(text: string): unknown {
  return { [key]: text };
}

const rest = '\u0000rest';

/** A placeholder for conditions of which some have no value yet: without them it would mean something else. */
export function asUnfinished(complete: unknown): unknown {
  return { [key]: JSON.stringify(complete), [rest]: complete };
}

/** What is complete of it, if the value is such a placeholder. */
export function unfinishedValue(value: unknown): unknown {
  return typedText(value) === null ? undefined : (value as Record<string, unknown>)[rest];
}

/** Of a list of records: the name that somebody typed or pasted and no record has. It stays until it is chosen or removed. */
export function unmatchedName(value: unknown): string | null {
  return Array.isArray(value) ? (value.map(typedText).find((text) => text !== null) ?? null) : null;
}

/** The typed text, if the value is such a placeholder. */
export function typedText(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !(key in value)) return null;
  return String((value as Record<string, unknown>)[key]);
}
