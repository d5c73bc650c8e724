import { type Said, workState } from '@kontor/kernel';
import { type Change, type Env, type Field, type Registry, toJson } from '@kontor/orm';
import { KontorError, type RpcRequest, text } from '@kontor/protocol';
import { ownValues } from '../change-log/undo/kept-changes.ts';
import { fromHtml } from '../texts/record-text.ts';

/** The effect of a call on one record, from before to after. */
export interface EffectRow {
  readonly model: string;
  readonly id: number;
  readonly operation: 'create' | 'write' | 'unlink';
  /** Of fields that users or code wrote. */
  readonly values: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;
}

/** Collects the changes of a unit of work; a retry starts again. */
export function gatherChanges() {
  let work: Env['work'] | null = null;
  let seen: Change[] = [];
  let at = new Date().toISOString();
  return {
    see(changes: readonly Change[], env: Env): void {
      if (work !== env.work) seen = [];
      work = env.work;
      at = env.now.toISOString();
      seen.push(...changes);
    },
    changes: (): readonly Change[] => seen,
    /** The clock of the work. */
    at: (): string => at,
    /** Whether it affected the outside. */
    isFinal: (): boolean => work?.canUndo === false,
    /** E-mails, messages and notices. */
    said: (): readonly Said[] => saidIn(work),
  };
}

/** More text cannot be reviewed. */
const maxSaid = 1_000_000;

function saidIn(work: Env['work'] | null): readonly Said[] {
  const said = (work && workState(work)?.said) ?? [];
  const length = said.reduce((total, { body, subject }) => total + body.length + subject.length, 0);
  if (said.length <= maxRecords && length <= maxSaid) return [...said];
  throw new KontorError(
    'USER_ERROR',
    text('This would send {n} messages. A person can review at most {max}: propose it in parts.', {
      n: said.length,
      max: maxRecords,
    }),
    { messages: said.length, max: maxRecords },
  );
}

/** What a call would do, and what it was calculated from. */
export interface Calculated {
  readonly effect: readonly EffectRow[];
  readonly basis: Basis;
}

export interface Basis {
  /** The clock of the calculation. */
  readonly at: string;
  /** When the records of an action or a deletion were last changed, by id. */
  readonly targets: Readonly<Record<string, string>>;
  /** What it says to people; missing in proposals of older versions. */
  readonly said?: readonly Said[];
}

/** The current state of the records that the call is about. */
export async function targetsOf(env: Env, { model, method, args }: RpcRequest): Promise<Basis['targets']> {
  const ids = method === 'call' ? calledIds(args) : method.startsWith('unlink') ? [args[0]].flat() : [];
  const known = ids.filter((id) => Number.isInteger(id) && Number(id) > 0 && Number(id) < 2 ** 31) as number[];
  if (known.length === 0 || env.registry.model(model).served) return {};
  // As the server: nothing is revealed, it is only compared.
  const rows = await env
    .sudo()
    .model(model)
    .searchRead([['id', 'in', known]], ['write_date']);
  return Object.fromEntries(rows.map(({ id, write_date }) => [id, String(write_date)]));
}

/** The records that an action is run on. */
export function calledIds(args: RpcRequest['args']): readonly number[] {
  const { active_ids: more } = (args[2] ?? {}) as { readonly active_ids?: unknown };
  const ids = [args[0], ...String(more ?? '').split(',')].map(Number).filter((id) => Number.isInteger(id) && id > 0);
  return [...new Set(ids)];
}

/** More records cannot be reviewed. */
const maxRecords = 500;

/** The effect of a call, with all its changes of a record combined. It contains no secret values. */
export function effectOf(registry: Registry, changes: readonly Change[]): readonly EffectRow[] {
  const rows = new Map<string, EffectRow>();
  for (const { model: name, id, operation, values } of changes) {
    const model = registry.model(name);
    if (model.quiet) continue;
    const key = `${name},${id}`;
    const known = rows.get(key);
    const merged = { ...known?.values };
    for (const [field, { old, new: value }] of ownValues(model, values)) {
      merged[field.name] = { old: merged[field.name] ? merged[field.name]?.old : old, new: value };
    }
    if (known?.operation === 'create' && operation === 'unlink') rows.delete(key);
    else rows.set(key, { model: name, id, operation: merge(known?.operation, operation), values: merged });
  }
  if (rows.size > maxRecords) {
    throw new KontorError(
      'USER_ERROR',
      text('This would change {n} records. A person can review at most {max}: propose it in parts.', {
        n: rows.size,
        max: maxRecords,
      }),
      { records: rows.size, max: maxRecords },
    );
  }
  return [...rows.values()];
}

function merge(before: EffectRow['operation'] | undefined, now: EffectRow['operation']): EffectRow['operation'] {
  return before === 'create' || now === 'write' ? (before ?? now) : now;
}

/** How a call differs from what the user was shown. */
export interface Difference {
  /** The record, and the field if it is one value; null for what is not in a record. */
  readonly model: string | null;
  readonly field: string | null;
  readonly part: 'value' | 'record' | 'target' | 'recipients' | 'subject' | 'text' | 'files' | 'messages';
}

/**
 * How what a call would do now differs from what the user was shown: the same records in the same way, from the same values to the
 * same values, with the same messages to the same people, on records that nobody has changed since. Ids of new records and numbers
 * drawn for them differ each time, and times are compared relative to the clock.
 */
export function differences(registry: Registry, shown: Calculated, now: Calculated): readonly Difference[] {
  const targets = [shown, now].map(({ basis }) => asJson(Object.entries(basis.targets)));
  return [
    ...(targets[0] === targets[1] ? [] : [{ model: null, field: null, part: 'target' as const }]),
    ...saidDifferences(registry, shown, now),
    ...recordDifferences(registry, shown, now),
  ];
}

function recordDifferences(registry: Registry, shown: Calculated, now: Calculated): readonly Difference[] {
  const [before, after] = [ordered(shown.effect), ordered(now.effect)];
  const clocks = [shown, now].map(({ basis }) => Date.parse(basis.at)) as [number, number];
  const isSame = (field: Field, a: unknown, b: unknown): boolean => {
    const [one, other] = [stripped(field, a, before), stripped(field, b, after)];
    if (one === other || asJson(a) === asJson(b)) return true;
    if (!field.kind.isInstant || typeof a !== 'string' || typeof b !== 'string') return false;
    return Math.abs(Date.parse(a) - clocks[0] - (Date.parse(b) - clocks[1])) < 1_000;
  };
  const others = new Map(after.rows.map(({ key, row }) => [key, row]));
  const known = new Set(before.rows.map(({ key }) => key));
  const record = ({ model }: EffectRow): Difference => ({ model, field: null, part: 'record' });
  const changed = before.rows.flatMap(({ key, row }): readonly Difference[] => {
    const other = others.get(key);
    if (!other) return [record(row)];
    const model = registry.model(row.model);
    const names = new Set([...Object.keys(row.values), ...Object.keys(other.values)]);
    return [...names].flatMap((name): readonly Difference[] => {
      const field = model.fields.get(name);
      const [a, b] = [row.values[name], other.values[name]];
      if (!field || isNumbered(field)) return [];
      const isOld = row.operation === 'create' || (a && b && asJson(a.old) === asJson(b.old));
      return isOld && isSame(field, a?.new, b?.new) ? [] : [{ model: row.model, field: name, part: 'value' }];
    });
  });
  return [...changed, ...after.rows.filter(({ key }) => !known.has(key)).map(({ row }) => record(row))];
}

/** In the order in which they are sent, which a call keeps. */
function saidDifferences(registry: Registry, shown: Calculated, now: Calculated): readonly Difference[] {
  const one = (part: Difference['part']): Difference => ({ model: null, field: null, part });
  const [before, after] = [shown.basis.said, now.basis.said ?? []];
  if (before?.length !== after.length) return [one('messages')];
  const [plain, other] = [shown, now].map(({ effect }) => comparable(registry, effect)) as [Comparable, Comparable];
  return before.flatMap((a, at) => {
    const b = after[at] as Said;
    const isSame = (of: (said: Said, by: Comparable) => string) => of(a, plain) === of(b, other);
    const files = (said: Said, by: Comparable) => by.words(said.files.join('\n'));
    return [
      ...(isSame(recipientsOf) ? [] : [one('recipients')]),
      ...(isSame(({ subject }, by) => by.words(subject)) ? [] : [one('subject')]),
      ...(isSame(readIn) ? [] : [one('text')]),
      ...(isSame(files) ? [] : [one('files')]),
    ];
  });
}

function recipientsOf({ kind, to, people = [], answersTo = '', about }: Said, { made }: Comparable): string {
  const on = about && (made.get(`${about.model},${about.id}`) ?? `${about.model},${about.id}`);
  return JSON.stringify([kind, to, people, answersTo, on]);
}

/** What people read: rich text without its links, plain text with them. */
function readIn({ body, isHtml }: Said, { words }: Comparable): string {
  return words(isHtml ? fromHtml(body) : body);
}

/** The words and records of one calculation, as they can be compared with another. */
interface Comparable {
  /** Without the numbers that were drawn for new records and, in links, their ids and secrets. */
  words(text: string): string;
  readonly made: Ordered['made'];
}

function comparable(registry: Registry, effect: readonly EffectRow[]): Comparable {
  const { made, madeIds } = ordered(effect);
  const drawn = effect
    .filter(({ operation }) => operation === 'create')
    .flatMap(({ model, values }) =>
      Object.entries(values).flatMap(([name, { new: number }]) => {
        const field = registry.model(model).fields.get(name);
        return field && isNumbered(field) && number ? [String(number)] : [];
      }),
    );
  const [numbers, ids] = [anyOf(drawn), anyOf([...madeIds].map(String))];
  const inPath = (path: string) => path.replaceAll(/[\w-]{32,}/g, '+').replaceAll(ids, '+');
  const links = /(https?:\/\/[^\s/]+)(\/\S*)/g;
  return {
    made,
    words: (text) => text.replaceAll(links, (_, host, path) => host + inPath(path)).replaceAll(numbers, '+'),
  };
}

/** Any of these as a whole word; nothing if there are none. */
function anyOf(words: readonly string[]): RegExp {
  const longest = [...new Set(words)].toSorted((a, b) => b.length - a.length);
  const escaped = longest.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return escaped.length === 0
    ? /(?!)/g
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
}

interface Ordered {
  readonly rows: readonly { readonly key: string; readonly row: EffectRow }[];
  /** Names of new records here, by `model,id`. */
  readonly made: ReadonlyMap<string, string>;
  readonly madeIds: ReadonlySet<number>;
}

/** New records are identified by the order of their creation, others by their ids. */
function ordered(effect: readonly EffectRow[]): Ordered {
  const made = new Map<string, string>();
  const counts = new Map<string, number>();
  const rows = effect.map((row) => {
    if (row.operation !== 'create') return { key: `${row.model} ${row.operation} ${row.id}`, row };
    const count = (counts.get(row.model) ?? 0) + 1;
    counts.set(row.model, count);
    made.set(`${row.model},${row.id}`, `+${count}`);
    return { key: `${row.model} +${String(count).padStart(6, '0')}`, row };
  });
  const madeIds = new Set(effect.flatMap(({ operation, id }) => (operation === 'create' ? [id] : [])));
  return { rows: rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)), made, madeIds };
}

/** The value as JSON, with new records by their names here: in relations, and in numbers that contain the id of one. */
function stripped({ spec }: Field, value: unknown, { made, madeIds }: Ordered): string {
  const one = (each: unknown): unknown => {
    if (typeof each !== 'number') return each ?? null;
    if (spec.relation) return made.get(`${spec.relation},${each}`) ?? each;
    return madeIds.has(each) ? '+' : each;
  };
  return asJson(Array.isArray(value) ? value.map(one) : one(value));
}

function isNumbered({ spec }: Field): boolean {
  const given: unknown = spec.default;
  return typeof given === 'object' && given !== null && 'source' in given && given.source === 'sequence';
}

/** Converted to JSON and back, like the stored effect, so that digits and times have the same form. */
function asJson(value: unknown): string {
  return JSON.stringify(JSON.parse(toJson(value ?? null)));
}
