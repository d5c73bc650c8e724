import { hash } from 'node:crypto';
import { anyModel, type Env, fieldAtPath, portalPaths, wordsIn, writtenValue } from '@kontor/addon';
import { portalOf, type Subject } from '../links/make-link.ts';
import { accountPath, type Visit, type Visitor } from '../visits/visit.ts';

interface Loaded {
  readonly id: number;
  readonly [name: string]: unknown;
}
type Currency = { readonly symbol: string; readonly decimal_places: number } | null;

/** A record as its customer reads it: texts in their language and formats. */
export type ShownDocument = Awaited<ReturnType<typeof readDocument>>;
export type ShownLine = ShownDocument['lines'][number];

/** With the rights of the visitor. */
export async function readDocument(visit: Visit) {
  const { env, spec, model, visitor } = visit;
  const { record, version } = await readContent(env, visit);
  const show = shower(env, visitor, record);
  const labelOf = (path: string) => fieldAtPath(env.registry, model, path.replace(/\.name$/, ''))?.label ?? '';
  const fact = (path: string) => [labelOf(path), show(model, path, record)] as const;
  const contact = record[spec.contact ?? ''] as { readonly name?: string } | null;
  return {
    label: show(model, spec.kind, record) || env.registry.model(model).label,
    title: show(model, spec.title ?? 'display_name', record),
    date: show(model, spec.date, record),
    status: spec.status === spec.kind ? '' : show(model, spec.status, record),
    until: show(model, spec.until, record),
    contact: String(contact?.name ?? ''),
    facts: (spec.shows ?? []).map(fact).filter(([, value]) => value !== ''),
    sums: (spec.sums ?? []).map(fact),
    total: spec.total
      ? { label: labelOf(spec.total), value: show(model, spec.total, record), exact: digitsOf(record[spec.total]) }
      : null,
    currency: currencyOf(record),
    lines: readLines(visit, record, show),
    /** What is signed must be what was read. */
    version,
  };
}

/** What a customer reads of a record, without its status: accepting changes that, and nothing else. The version is its SHA-256. */
export async function readContent(env: Env, { model, id }: Subject) {
  const paths = portalPaths(env.registry, model);
  const [record] = (await anyModel(env, model).load([id], paths, { inWords: true })) as Loaded[];
  if (!record) throw new Error(`${model} ${id} was not loaded.`);
  const { [portalOf(env, model).status ?? '']: _status, ...content } = record;
  const exact = JSON.stringify(content);
  return { record, content: JSON.parse(exact) as unknown, version: hash('sha256', exact) };
}

function readLines({ env, spec, model }: Visit, record: Loaded, show: ReturnType<typeof shower>) {
  const { lines } = spec;
  const relation = lines && env.registry.model(model).fields.get(lines.field)?.spec.relation;
  if (!lines || !relation) return [];
  const { option, kind } = lines;
  return (record[lines.field] as readonly Loaded[]).map((line) => {
    const cell = (path: string | undefined) => show(relation, path, line);
    const [first = '', ...rest] = cell(lines.title).split('\n');
    const count = [cell(lines.quantity), cell(lines.unit)].filter(Boolean).join(' ');
    const isOption = kind !== undefined && line[kind] === 'option';
    return {
      id: line.id,
      kind: kind === undefined ? '' : String(line[kind]),
      title: first,
      about: rest.join('\n'),
      quantity: [count, cell(lines.price)].filter(Boolean).join(' × '),
      amount: cell(isOption ? option?.amount : lines.amount),
      status: cell(lines.status),
      /** What ticking it adds, in exact digits. Null: no option. */
      option:
        option && isOption ? { untaxed: digitsOf(line[option.amount]), total: digitsOf(line[option.total]) } : null,
    };
  });
}

/** What a page adds up. */
const digitsOf = (amount: unknown): string => String(amount ?? '0');
const currencyOf = (record: Loaded) => (record.currency_id ?? null) as Currency;

/** Writes the value at a path of a record, or of one of its lines, as its customer reads it; empty without a path. */
function shower(env: Env, visitor: Visitor, whole: Loaded) {
  const writing = { ...visitor, currency: currencyOf(whole), daysOnly: true };
  return (model: string, path: string | undefined, record: Loaded): string => {
    const field = path && fieldAtPath(env.registry, model, path);
    const value = path?.split('.').reduce<unknown>((at, step) => (at as Loaded | null)?.[step], record);
    return field ? writtenValue(field, value, writing) : '';
  };
}

export type ShownList = ReturnType<typeof readList>;

/** Records of a model as a list with a heading. */
export function readList(env: Env, model: string, records: readonly Loaded[], visitor: Visitor) {
  const { label, title = 'display_name', date, status, total } = portalOf(env, model);
  const rows = records.map((record) => {
    const show = shower(env, visitor, record);
    const cell = (path: string | undefined) => show(model, path, record);
    const shown = { title: cell(title), date: cell(date), status: cell(status), total: cell(total) };
    return { path: accountPath({ model, id: record.id }), ...shown };
  });
  return { label: wordsIn(env, visitor.lang, env.registry.model(model).module).say(label), rows };
}
