import { hash } from 'node:crypto';
import { anyModel, Decimal, dateIn, type Env, formatAmount, formatDate, formatNumber, wordsIn } from '@kontor/addon';
import { portalOf, type Subject } from '../links/make-link.ts';
import { shownPaths, type Visit } from '../visits/visit.ts';
import type { ListedRow } from './account-page.ts';
import { plainText } from './html.ts';

interface Loaded {
  readonly id: number;
  readonly [name: string]: unknown;
}
type Currency = { readonly symbol: string; readonly decimal_places: number } | null;

export interface ShownLine {
  readonly id: number;
  readonly kind: string;
  readonly title: string;
  readonly about: string;
  readonly quantity: string;
  readonly amount: string;
  readonly status: string;
  /** Null: no option. */
  readonly option: { readonly untaxed: string; readonly total: string } | null;
}

/** A record as its customer reads it: texts in their language and formats. */
export interface ShownDocument {
  readonly label: string;
  readonly title: string;
  readonly date: string;
  readonly status: string;
  readonly until: string;
  readonly contact: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly sums: readonly (readonly [label: string, value: string])[];
  readonly total: { readonly label: string; readonly value: string; readonly exact: string } | null;
  readonly currency: Currency;
  readonly lines: readonly ShownLine[];
  /** What a signature is given under. */
  readonly content: unknown;
  /** The SHA-256 of it: what is signed must be what was read. */
  readonly version: string;
}

/** With the rights of the visitor. */
export async function readDocument(visit: Visit): Promise<ShownDocument> {
  const { env, spec, model, visitor } = visit;
  const { record, content, version } = await readContent(env, visit);
  const currency = (record.currency_id ?? null) as Currency;
  const show = shower(env, visitor, currency);
  const fact = (path: string) => [labelOf(env, model, path, visitor.lang), show(model, path, record)] as const;
  const shown = (path: string | undefined) => (path === undefined ? '' : show(model, path, record));
  const { title = 'display_name', total } = spec;
  return {
    label: shown(spec.kind) || labelIn(env, model, visitor.lang),
    title: shown(title),
    date: shown(spec.date),
    status: spec.status === spec.kind ? '' : shown(spec.status),
    until: shown(spec.until),
    contact: String((record[spec.contact ?? ''] as { name?: string } | null)?.name ?? ''),
    facts: (spec.shows ?? []).map(fact).filter(([, value]) => value !== ''),
    sums: (spec.sums ?? []).map(fact),
    total:
      total === undefined ? null : { label: fact(total)[0], value: fact(total)[1], exact: digitsOf(record[total]) },
    currency,
    lines: readLines(visit, record, show),
    content,
    version,
  };
}

/** What a customer reads of a record, without its status: accepting changes that, and nothing else. */
export async function readContent(env: Env, { model, id }: Subject) {
  const [record] = (await anyModel(env, model).load([id], shownPaths(env, model), { inWords: true })) as Loaded[];
  if (!record) throw new Error(`${model} ${id} was not loaded.`);
  const { [portalOf(env, model).status ?? '']: _status, ...content } = plainOf(record) as Loaded;
  return { record, content, version: hash('sha256', JSON.stringify(content)) };
}

type Show = (model: string, path: string, record: Loaded) => string;

function readLines({ env, spec, model }: Visit, record: Loaded, show: Show): readonly ShownLine[] {
  const { lines } = spec;
  const relation = lines && env.registry.model(model).fields.get(lines.field)?.spec.relation;
  if (!lines || !relation) return [];
  const { option, kind } = lines;
  const isOption = (line: Loaded) => kind !== undefined && line[kind] === 'option';
  return (record[lines.field] as readonly Loaded[]).map((line) => {
    const cell = (path: string | undefined) => (path === undefined ? '' : show(relation, path, line));
    const [first = '', ...rest] = cell(lines.title).split('\n');
    const count = [cell(lines.quantity), cell(lines.unit)].filter(Boolean).join(' ');
    return {
      id: line.id,
      kind: kind === undefined ? '' : String(line[kind]),
      title: first,
      about: rest.join('\n'),
      quantity: [count, cell(lines.price)].filter(Boolean).join(' × '),
      amount: isOption(line) ? cell(option?.amount) : cell(lines.amount),
      status: cell(lines.status),
      option:
        option && isOption(line)
          ? { untaxed: digitsOf(line[option.amount]), total: digitsOf(line[option.total]) }
          : null,
    };
  });
}

function shower(env: Env, { lang, tz }: Visit['visitor'], currency: Currency): Show {
  return (model, path, record) => {
    const value = path.split('.').reduce<unknown>((at, step) => (at as Loaded | null)?.[step], record);
    const field = fieldAt(env, model, path);
    if (value === null || value === undefined || value === '' || !field) return '';
    const { kind } = field;
    if (kind.isMoney) return formatAmount(value as Decimal, currency, lang);
    if (kind.isNumber) return formatNumber(new Decimal(String(value)), lang);
    if (kind.isDate) return formatDate(kind.isInstant ? dateIn(tz, String(value)) : String(value), lang);
    if (kind.isChoice) return wordsIn(env, lang, field.module).say(field.selection?.get(String(value)) ?? '');
    return kind.shownAs === 'html' ? plainText(String(value)) : String(value);
  };
}

type Field = ReturnType<Env['registry']['model']>['fields'] extends ReadonlyMap<string, infer F> ? F : never;

function fieldAt(env: Env, model: string, path: string): Field | undefined {
  const [step = '', ...rest] = path.split('.');
  const field = env.registry.models.get(model)?.fields.get(step);
  return rest.length === 0 ? field : fieldAt(env, field?.spec.relation ?? '', rest.join('.'));
}

/** The label of a field, translated by the addon that declared it. */
function labelOf(env: Env, model: string, path: string, lang: string): string {
  const field = fieldAt(env, model, path.replace(/\.name$/, ''));
  return field ? wordsIn(env, lang, field.module).say(field.label) : '';
}

/** The heading of a list. */
export function labelsOf(env: Env, model: string, lang: string): string {
  const { module } = env.registry.model(model);
  return wordsIn(env, lang, module).say(portalOf(env, model).label);
}

/** A record in a list. */
export function listRow(env: Env, model: string, record: Loaded, visitor: Visit['visitor']): ListedRow {
  const { title = 'display_name', date, status, total } = portalOf(env, model);
  const show = shower(env, visitor, (record.currency_id ?? null) as Currency);
  const cell = (path: string | undefined) => (path === undefined ? '' : show(model, path, record));
  const shown = { title: cell(title), date: cell(date), status: cell(status), total: cell(total) };
  return { path: `/portal/my/${model}/${record.id}`, ...shown };
}

function labelIn(env: Env, model: string, lang: string): string {
  const { label, module } = env.registry.model(model);
  return wordsIn(env, lang, module).say(label);
}

/** Exact digits, as text: what is hashed and what a page adds up. */
function digitsOf(value: unknown): string {
  return value instanceof Decimal ? value.toFixed() : String(value ?? '0');
}

function plainOf(value: unknown): unknown {
  if (value instanceof Decimal) return value.toFixed();
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainOf(each)]));
}
