import { jsonCleaner, type Queryable, type Replacing, type Sql, sql } from '@kontor/database';
import { extendWhole, type NotedEntry, newSalt, noteEntry, saltedHash } from './chain.ts';

interface Erasure {
  readonly subject: { readonly model: string; readonly id: number };
  readonly origin: Pick<NotedEntry, 'uid' | 'address' | 'via' | 'requestId'>;
  /** Fields of records whose values are erased. */
  readonly records: readonly {
    readonly model: string;
    readonly ids: readonly number[];
    readonly names: readonly string[];
  }[];
  /** Files on other records that a user marked as the person's. */
  readonly files: readonly { readonly model: string; readonly id: number }[];
  /** Texts that are erased wherever they occur; null: none. */
  readonly texts: Replacing | null;
}

/**
 * Removes a person's values from the trail. Each entry keeps its place, its hash and the hash of its values, whose salt is removed
 * with them, so that they cannot be guessed; a separate entry lists the emptied ones with the hash of what is left. So the chain
 * still proves that nothing else was changed. Returns the number of entries.
 */
export async function eraseFromTrail(tx: Queryable, erasure: Erasure): Promise<number> {
  const { subject, origin, records, files, texts } = erasure;
  // Includes entries that are not chained yet, so that nothing of the person is added afterwards.
  await extendWhole(tx);
  const emptied = new Map<number, string>();
  const empty = async (values: Sql, where: Sql): Promise<void> => {
    const rows = await tx.query<{ seq: number; hash: string }>(sql`
      update sys_audit set values = ${values}, salt = ${newSalt} where ${where} returning seq, ${saltedHash} as hash`);
    for (const { seq, hash } of rows) emptied.set(seq, hash);
  };
  for (const { model, ids, names } of records) {
    const isTheirs = sql`model = ${model} and res_id = any(${ids}::int4[]) and values ?| ${names}::text[]`;
    await empty(sql`values - ${names}::text[]`, isTheirs);
  }
  if (texts !== null) {
    const clean = jsonCleaner(texts);
    const rows = await tx.query<{ seq: number; values: string }>(sql`
      select seq, values::text as values from sys_audit where values::text ~* ${texts.pattern} order by seq`);
    for (const { seq, values } of rows) await empty(sql`${clean(values)}::jsonb`, sql`seq = ${seq}::int4`);
  }
  await noteEntry(tx, {
    ...origin,
    ...{ kind: 'erase', model: subject.model, resId: subject.id, count: emptied.size },
    values: { entries: Object.fromEntries(emptied), ...(files.length > 0 ? { files } : {}) },
  });
  await extendWhole(tx);
  return emptied.size;
}

/** Code that replaces texts everywhere leaves these tables to `eraseFromTrail`. */
export const trailTables: readonly string[] = ['sys_audit', 'sys_audit_segment'];

/** The emptied entries by number, with the hash of what was left; the last one counts. */
export async function erasedEntries(db: Queryable): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query<{ seq: string; hash: string }>(sql`
    select e.key as seq, e.value as hash
    from sys_audit a, jsonb_each_text(a.values -> 'entries') as e
    where a.kind = 'erase' order by a.seq`);
  return new Map(rows.map(({ seq, hash }) => [Number(seq), hash]));
}
