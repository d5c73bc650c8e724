import { Decimal, type Env, type ObserverSpec } from '@kontor/addon';

export type Change = Parameters<ObserverSpec['run']>[0]['changes'][number];

/** One field of one record as it is kept: raw values, and the names that records had then. */
export interface KeptChange {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
  /** Names of the records that a relation pointed at, by id. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface RecordChange {
  readonly model: string;
  readonly id: number;
  readonly companyId: number | null;
  readonly fields: readonly KeptChange[];
}

const longestText = 500;

/** What a unit of work did to tracked fields, from before its beginning to its end; new and deleted records tell by themselves. */
export function trackedChanges(env: Env, changes: readonly Change[]): readonly RecordChange[] {
  const records = new Map<string, { model: string; id: number; companyId: number | null; values: Map<string, Pair> }>();
  const skipped = new Set<string>();
  for (const { model, id, operation, values, companyId } of changes) {
    const key = `${model},${id}`;
    if (operation !== 'write') skipped.add(key);
    const tracked = Object.entries(values).filter(([name]) => isTracked(env, model, name));
    if (tracked.length === 0) continue;
    const known = records.get(key) ?? { model, id, companyId, values: new Map<string, Pair>() };
    records.set(key, { ...known, companyId });
    for (const [name, value] of tracked) {
      const first = known.values.get(name);
      known.values.set(name, { old: first ? first.old : plain(value.old), new: plain(value.new) });
    }
  }
  return [...records]
    .filter(([key]) => !skipped.has(key))
    .map(([, { values, ...record }]) => ({ ...record, fields: differing(values) }))
    .filter(({ fields }) => fields.length > 0);
}

interface Pair {
  readonly old: unknown;
  readonly new: unknown;
}

function isTracked(env: Env, model: string, name: string): boolean {
  const field = env.registry.model(model).fields.get(name);
  return field?.spec.tracking === true && field.spec.secret !== true && !field.kind.isOpaque;
}

function differing(values: ReadonlyMap<string, Pair>): readonly KeptChange[] {
  return [...values]
    .filter(([, pair]) => JSON.stringify(pair.old) !== JSON.stringify(pair.new))
    .map(([field, pair]) => ({ field, ...pair }));
}

/** As JSON keeps it: exact digits as text, long texts cut. */
function plain(value: unknown): unknown {
  if (value instanceof Decimal) return value.toString();
  if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}…`;
  return value ?? null;
}
