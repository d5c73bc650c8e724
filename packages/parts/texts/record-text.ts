import { formatAmount, formatDate, formatNumber, formatTime } from '@kontor/exchange';
import { languageChain, sourceLanguage, wordsIn } from '@kontor/kernel';
import {
  Decimal,
  type Field,
  type Env as FullEnv,
  looseEnv,
  type Model,
  mayAccessModel,
  mayReadField,
} from '@kontor/orm';
import type { Env } from '@kontor/orm/author';
import {
  dateIn,
  fillPlaceholders,
  nearest,
  placeholderMistake,
  placeholdersIn,
  type Text,
  text,
} from '@kontor/protocol';

/** The last field of a path, and how its record is reached: `partner_id.` */
interface Reached {
  readonly model: Model;
  readonly field: Field;
  readonly prefix: string;
}

const mostHops = 3;

/**
 * What is wrong with a text that names fields of a model in braces, such as `{partner_id.name}`; null if nothing. Fields that its
 * author may not read are unknown to them.
 * ```ts
 * export const mistake = (env: Env, written: string) => recordTextMistake(env, 'core.partner', written);
 * ```
 */
export function recordTextMistake(given: Env, model: string, written: string): Text | null {
  const env = looseEnv(given);
  const known: string[] = [];
  for (const path of new Set(placeholdersIn(written))) {
    const found = reach(env, env.registry.model(model), path);
    if (found instanceof Object && 'field' in found) known.push(path);
    else return found;
  }
  return /[{}]/.test(written.replaceAll(/\{[a-z]\w*(?:\.\w+)*\}/g, ''))
    ? text('Braces are only for fields, such as {name}.', { name: '{name}' })
    : placeholderMistake(written, known);
}

/** The field at the end of a path through to-one relations, or what is wrong with it. */
function reach(env: FullEnv, root: Model, path: string): Reached | Text {
  const steps = path.split('.');
  let model = root;
  if (steps.length > mostHops + 1)
    return text('{name} is too long: at most {most} relations.', { name: `{${path}}`, most: mostHops });
  for (const [at, step] of steps.entries()) {
    const field = model.fields.get(step);
    const isLast = at === steps.length - 1;
    if (!field || !isOpen(env, model, field) || (isLast ? !isText(field) : !field.kind.isToOne || !field.spec.relation))
      return unknown(env, model, steps, at);
    if (isLast)
      return {
        model,
        field,
        prefix: steps
          .slice(0, -1)
          .map((each) => `${each}.`)
          .join(''),
      };
    model = env.registry.model(field.spec.relation as string);
  }
  return unknown(env, model, steps, 0);
}

function isOpen(env: FullEnv, model: Model, field: Field): boolean {
  return mayAccessModel(env, model, 'read') && mayReadField(env, field) && !field.spec.secret;
}

/** One value that can be read in a sentence. */
function isText({ kind }: Field): boolean {
  return !kind.isList && !kind.isFile && !kind.isJson && !kind.isReference;
}

/** With the nearest field that would do there. A field that is hidden is told like one that does not exist. */
function unknown(env: FullEnv, model: Model, steps: readonly string[], at: number): Text {
  const isLast = at === steps.length - 1;
  const fitting = [...model.fields.values()].filter(
    (field) => isOpen(env, model, field) && (isLast ? isText(field) : field.kind.isToOne && field.spec.relation),
  );
  const wrong = steps[at] as string;
  const close = nearest(
    wrong,
    fitting.map(({ name }) => name),
  );
  const name = `{${steps.join('.')}}`.slice(0, 120);
  if (close === null) return text('{label} has no field {name} that can be inserted.', { label: model.label, name });
  const meant = `{${[...steps.slice(0, at), close, ...steps.slice(at + 1)].join('.')}}`;
  return text('{label} has no field {name} that can be inserted. Did you mean {meant}?', {
    label: model.label,
    name,
    meant,
  });
}

/**
 * A field that can be inserted into a text about a record.
 * ```ts
 * export const inBraces = ({ path }: InsertableField) => `{${path}}`;
 * ```
 */
export interface InsertableField {
  /** As it is written in braces. */
  readonly path: string;
  readonly label: string;
  /** The model whose fields can be inserted behind it; null: none. */
  readonly leadsTo: string | null;
}

/**
 * The fields that the caller can insert into a text about records of a model, behind a path through to-one relations.
 * ```ts
 * export const choices = (env: Env) => insertableFields(env, 'core.partner', 'country_id');
 * ```
 */
export function insertableFields(given: Env, model: string, behind = ''): readonly InsertableField[] {
  const env = looseEnv(given);
  let at = env.registry.model(model);
  const steps = behind === '' ? [] : behind.split('.');
  for (const step of steps) {
    const field = at.fields.get(step);
    if (!field?.kind.isToOne || !field.spec.relation || !isOpen(env, at, field)) return [];
    at = env.registry.model(field.spec.relation);
  }
  const prefix = steps.map((step) => `${step}.`).join('');
  return [...at.fields.values()]
    .filter((field) => isOpen(env, at, field) && isText(field))
    .map(({ name, label, kind, spec }) => ({
      ...{ path: `${prefix}${name}`, label },
      leadsTo: kind.isToOne && spec.relation && steps.length < mostHops ? spec.relation : null,
    }))
    .sort((one, other) => one.label.localeCompare(other.label));
}

/**
 * The values of the placeholders of a text about one record, formatted for its reader; null for an empty one.
 * ```ts
 * export const nobody: RecordValues = new Map([['name', null]]);
 * ```
 */
export type RecordValues = ReadonlyMap<string, string | null>;

/**
 * The values of the fields that texts name, for records of a model, formatted in a language. They are read with the rights of the env:
 * what it may not read is empty. A record that it may not read is missing.
 * ```ts
 * export async function greet(env: Env, id: number) {
 *   const values = await recordTextValues(env, { model: 'core.partner', ids: [id], lang: 'de_DE' }, ['Dear {name},']);
 *   return fillRecordText('Dear {name},', values.get(id) ?? new Map());
 * }
 * ```
 */
export async function recordTextValues(
  given: Env,
  { model: name, ids, lang }: { readonly model: string; readonly ids: readonly number[]; readonly lang: string },
  texts: readonly string[],
): Promise<ReadonlyMap<number, RecordValues>> {
  const env = looseEnv(given).inLanguage(lang);
  const model = env.registry.model(name);
  const reached = new Map<string, Reached>();
  for (const path of new Set(texts.flatMap(placeholdersIn))) {
    const found = reach(env, model, path);
    if ('field' in found) reached.set(path, found);
  }
  const paths = [...new Set([...reached].flatMap(([path, found]) => pathsOf(path, found, env)))];
  const records = await env.model(name).searchRead([['id', 'in', [...ids]]], paths.length === 0 ? ['id'] : paths, {
    limit: ids.length,
  });
  const format = formatterFor(env, lang);
  return new Map(
    records.map((record) => [
      Number(record.id),
      new Map([...reached].map(([path, found]) => [path, format(path, found, record)])),
    ]),
  );
}

/**
 * A text with the values of a record. A line with an empty field is left out.
 * ```ts
 * export const greeting = (values: RecordValues) => fillRecordText('Dear {name},', values);
 * ```
 */
export function fillRecordText(written: string, values: RecordValues): string {
  return fillPlaceholders(written, (path) => values.get(path) ?? null);
}

/** What is read for a path: a relation by its name, an amount with its currency. */
function pathsOf(path: string, { model, field, prefix }: Reached, env: FullEnv): readonly string[] {
  if (field.kind.isToOne && field.spec.relation) return [`${path}.display_name`];
  if (!field.kind.isMoney) return [path];
  const currency = currencyOf(model, field);
  return currency && mayAccessModel(env, env.registry.model('core.currency'), 'read')
    ? [path, `${prefix}${currency}.symbol`, `${prefix}${currency}.decimal_places`]
    : [path];
}

function currencyOf(model: Model, { spec }: Field): string | null {
  const name = spec.currency ?? 'currency_id';
  return model.fields.get(name)?.spec.relation === 'core.currency' ? name : null;
}

type Row = Readonly<Record<string, unknown>>;
/** A message that a person wrote may be a value. */
const longest = 20_000;

function formatterFor(env: FullEnv, lang: string) {
  const { say } = wordsIn(env, lang, 'base');
  return (path: string, { model, field, prefix }: Reached, row: Row): string | null => {
    const value = field.kind.isToOne && field.spec.relation ? row[`${path}.display_name`] : row[path];
    if (value === null || value === undefined || value === '') return null;
    if (field.kind.isBoolean) return say(value ? 'Yes' : 'No');
    const currency = field.kind.isMoney ? currencyIn(row, prefix, currencyOf(model, field)) : null;
    return writtenValue(field, value, { lang, tz: env.actor.tz, currency }).slice(0, longest) || null;
  };
}

/**
 * Whose formats a value is written in, and the currency of an amount.
 * ```ts
 * export const inBerlin: Writing = { lang: 'de_DE', tz: 'Europe/Berlin', currency: null, daysOnly: true };
 * ```
 */
export interface Writing {
  readonly lang: string;
  readonly tz: string;
  readonly currency: { readonly symbol: string; readonly decimal_places: number } | null;
  /** Of an instant only its day. */
  readonly daysOnly?: boolean;
}

/**
 * A value of a field as its reader writes it: an amount in its currency, days and numbers in their format, a choice by its label, rich
 * text without its tags; empty for null.
 * ```ts
 * export function created(env: Env) {
 *   const field = env.registry.model('core.partner').fields.get('create_date');
 *   return field && writtenValue(field, '2026-11-19T09:30:00.000Z', { lang: 'de_DE', tz: 'Europe/Berlin', currency: null });
 * }
 * ```
 */
export function writtenValue(
  { kind, selection }: Field,
  value: unknown,
  { lang, tz, currency, daysOnly }: Writing,
): string {
  if (value === null || value === undefined || value === '') return '';
  const text = String(value);
  if (kind.isMoney) return formatAmount(new Decimal(text), currency, lang);
  if (kind.isNumber) return formatNumber(new Decimal(text), lang);
  if (kind.isInstant) return daysOnly ? formatDate(dateIn(tz, text), lang) : formatTime(text, lang, tz);
  if (kind.isDate) return formatDate(text, lang);
  if (kind.isChoice) return selection?.get(text) ?? text;
  return kind.isText && !kind.isShort && !kind.isLong ? fromHtml(text) : text;
}

function currencyIn(row: Row, prefix: string, name: string | null) {
  const symbol = name === null ? null : row[`${prefix}${name}.symbol`];
  if (typeof symbol !== 'string') return null;
  return { symbol, decimal_places: Number(row[`${prefix}${name}.decimal_places`] ?? 2) };
}

/**
 * Rich text without its tags, a line for each paragraph.
 * ```ts
 * export const firstLine = (written: string) => fromHtml(written).split('\n')[0];
 * ```
 */
export function fromHtml(html: string): string {
  return html
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();
}

/**
 * Of the languages that something is written in, the one for a reader: theirs, that of its main country, the language alone, any country
 * of the language, English, otherwise the first.
 * ```ts
 * export const best = bestLanguage(['en_US', 'de_DE'], 'de_AT');
 * ```
 */
export function bestLanguage(written: readonly string[], wanted: string | null): string | null {
  const chain = languageChain(wanted ?? sourceLanguage);
  const exact = [wanted ?? sourceLanguage, ...chain].find((lang) => written.includes(lang));
  const alike = written.find((lang) => lang.split('_')[0] === (wanted ?? sourceLanguage).split('_')[0]);
  return exact ?? alike ?? written.find((lang) => lang === sourceLanguage) ?? written[0] ?? null;
}
