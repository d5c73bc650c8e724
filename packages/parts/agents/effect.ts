import { type Change, type Env, type Field, type Registry, toJson } from '@kontor/orm';
import { KontorError, type RpcRequest, text } from '@kontor/protocol';
import { ownValues } from '../change-log/undo/kept-changes.ts';
import { queuedFor } from '../mail/mail-queue.ts';

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
    /** The recipients of mail. */
    mails: (): readonly string[] => (work ? queuedFor(work).toSorted() : []),
  };
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
  readonly mails: readonly string[];
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

/**
 * Whether a call would still do what the user was shown: the same records in the same way, from the same values to the
 * same values, with the same mails, on records that nobody has changed since. Ids of new records and numbers drawn for
 * them differ each time, and times are compared relative to the clock.
 */
export function isSameEffect(registry: Registry, shown: Calculated, now: Calculated): boolean {
  if (asJson(shown.basis.mails) !== asJson(now.basis.mails)) return false;
  if (asJson(Object.entries(shown.basis.targets)) !== asJson(Object.entries(now.basis.targets))) return false;
  const [before, after] = [ordered(shown.effect), ordered(now.effect)];
  const clocks = [shown, now].map(({ basis }) => Date.parse(basis.at)) as [number, number];
  const isSame = (field: Field, a: unknown, b: unknown): boolean => {
    const [one, other] = [stripped(field, a, before), stripped(field, b, after)];
    if (one === other) return true;
    if (!field.kind.isInstant || typeof a !== 'string' || typeof b !== 'string') return false;
    return Math.abs(Date.parse(a) - clocks[0] - (Date.parse(b) - clocks[1])) < 1_000;
  };
  return (
    before.rows.length === after.rows.length &&
    before.rows.every(({ key, row }, at) => {
      const other = after.rows[at];
      if (other?.key !== key) return false;
      const model = registry.model(row.model);
      return [...new Set([...Object.keys(row.values), ...Object.keys(other.row.values)])].every((name) => {
        const field = model.fields.get(name);
        const [a, b] = [row.values[name], other.row.values[name]];
        if (!field || isNumbered(field)) return true;
        if (row.operation === 'create') return isSame(field, a?.new, b?.new);
        return a !== undefined && b !== undefined && asJson(a.old) === asJson(b.old) && isSame(field, a.new, b.new);
      });
    })
  );
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
