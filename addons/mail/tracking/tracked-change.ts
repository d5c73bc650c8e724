import { agentOf, anyModel, Decimal, type Env, type ObserverSpec } from '@kontor/addon';
import { publishPosted } from '../chatter/post-message.ts';

export type Change = Parameters<ObserverSpec['run']>[0]['changes'][number];

/** A field of a record as it is stored: raw values, and the names of records at that time. */
export interface KeptChange {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
  /** Names of the related records, by id. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface RecordChange {
  readonly model: string;
  readonly id: number;
  readonly companyId: number | null;
  readonly fields: readonly KeptChange[];
}

const longestText = 500;

/** The changes of a unit of work to tracked fields, from its start to its end; new and deleted records have their own messages. */
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

/** As JSON: exact digits as text, long texts truncated. */
function plain(value: unknown): unknown {
  if (value instanceof Decimal) return value.toString();
  if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}…`;
  return value ?? null;
}

/**
 * Writes one message per record for the tracked fields that a unit of work changed, in its transaction. As the server: nobody else
 * writes messages.
 */
export async function track(env: Env, changes: readonly Change[]): Promise<void> {
  const records = await withNames(env, trackedChanges(env, changes));
  if (records.length === 0) return;
  const messages = await env
    .sudo()
    .model('mail.message')
    .createMany(
      records.map((record) => ({
        model: record.model,
        res_id: record.id,
        kind: 'tracking',
        author_id: env.uid || null,
        agent: agentOf(env),
        tracking: record.fields,
      })),
    );
  for (const [index, record] of records.entries()) await publishPosted(env, record, messages[index] as number);
}

/** The ids in a value of a relation. */
export function idsIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

/** Puts the names of related records beside their ids: one query a related model, for all changes. */
async function withNames(env: Env, records: readonly RecordChange[]): Promise<readonly RecordChange[]> {
  const wanted = new Map<string, Set<number>>();
  for (const { model, fields } of records) {
    for (const change of fields) {
      const relation = relationOf(env, model, change.field);
      if (relation === null) continue;
      const ids = wanted.get(relation) ?? new Set();
      wanted.set(relation, ids);
      for (const id of [...idsIn(change.old), ...idsIn(change.new)]) ids.add(id);
    }
  }
  if (wanted.size === 0) return records;
  const names = new Map<string, ReadonlyMap<number, string>>();
  for (const [relation, ids] of wanted) names.set(relation, await namesIn(env, relation, [...ids]));
  return records.map((record) => ({
    ...record,
    fields: record.fields.map((change) => named(env, record.model, change, names)),
  }));
}

/** The model that a field points at; null for a plain value. */
export function relationOf(env: Env, model: string, name: string): string | null {
  return env.registry.model(model).fields.get(name)?.spec.relation ?? null;
}

/** As the server: names are stored as they are now, and shown later only to users who may read the records. */
async function namesIn(env: Env, model: string, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await anyModel(env.sudo(), model).searchRead([['id', 'in', [...ids]]], ['display_name']);
  return new Map(rows.map((row) => [row.id, String(row.display_name ?? '')]));
}

function named(
  env: Env,
  model: string,
  change: KeptChange,
  names: ReadonlyMap<string, ReadonlyMap<number, string>>,
): KeptChange {
  const known = names.get(relationOf(env, model, change.field) ?? '');
  if (!known) return change;
  const ids = [...idsIn(change.old), ...idsIn(change.new)];
  return { ...change, names: Object.fromEntries(ids.map((id) => [id, known.get(id) ?? ''])) };
}
