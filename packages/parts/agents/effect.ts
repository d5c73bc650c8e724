import { type Change, type Env, type Registry, toJson } from '@kontor/orm';
import { KontorError, text } from '@kontor/protocol';
import { ownValues } from '../change-log/undo/kept-changes.ts';

/** What a call does to one record, from before it to after it. */
export interface EffectRow {
  readonly model: string;
  readonly id: number;
  readonly operation: 'create' | 'write' | 'unlink';
  /** Of fields that people or code wrote. */
  readonly values: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;
}

/** Gathers what a unit of work changes, piece by piece; a second try begins anew. */
export function gatherChanges() {
  let work: Env['work'] | null = null;
  let seen: Change[] = [];
  return {
    see(changes: readonly Change[], env: Env): void {
      if (work !== env.work) seen = [];
      work = env.work;
      seen.push(...changes);
    },
    changes: (): readonly Change[] => seen,
    /** Whether it reached the outside. */
    isFinal: (): boolean => work?.canUndo === false,
  };
}

/** More than that nobody looks through. */
const maxRecords = 500;

/** What a call did, all its changes of a record taken together. Secret values are in none. */
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
 * Whether a call would still change what the person was shown: the same records in the same way, whose fields are as they
 * were. New numbers, moments and ids of new records differ each time and do not count.
 */
export function isSameEffect(shown: readonly EffectRow[], now: readonly EffectRow[]): boolean {
  return starts(shown) === starts(now);
}

function starts(rows: readonly EffectRow[]): string {
  const touched = rows.map(({ model, id, operation, values }) => {
    if (operation === 'create') return [model, operation];
    const olds = Object.entries(values).map(([name, { old }]) => [name, old ?? null]);
    return [model, operation, id, olds.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))];
  });
  // Once through JSON, as what was kept has been: digits and moments are then written the same way.
  return JSON.stringify(touched.map((row) => JSON.stringify(JSON.parse(toJson(row)))).sort());
}
