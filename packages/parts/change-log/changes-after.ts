import { type Env, looseEnv, type TypedEnv } from '@kontor/orm';
import { type Domain, parseDomain, type WireRecord } from '@kontor/protocol';
import { named, readCursor } from './feed-query.ts';
import { feedRows } from './read-feed.ts';

export interface FollowedRecords {
  /** In log order, each record once per transaction. */
  readonly changes: readonly {
    readonly model: string;
    readonly id: number;
    /** `unlink`: deleted, or no longer readable for the user of the env. */
    readonly operation: 'create' | 'write' | 'unlink';
    /** Names of the changed fields that they may read. */
    readonly fields: readonly string[];
    /** When the transaction began. */
    readonly at: string;
    readonly changeSet: number;
  }[];
  /** The cursor to continue from. */
  readonly cursor: string;
}

/**
 * The changes after a cursor in records of one or several models that the user of the env may read, as external programs get them
 * from `sys.feed`: no change is missed, and rolled-back ones are not included. Start with the cursor of `'now'`, store the returned
 * cursor in the transaction that processes the changes, and repeat while there are more. A domain selects records; deleted records
 * are matched by their last values.
 * ```ts
 * export async function newCompanies(env: Env, cursor: string) {
 *   const { changes, cursor: next } = await changesAfter(env, 'core.partner', cursor, { domain: [['is_company', '=', true]] });
 *   return { next, ids: changes.filter((change) => change.operation === 'create').map((change) => change.id) };
 * }
 * ```
 */
export async function changesAfter(
  env: TypedEnv,
  model: string | readonly string[],
  cursor: string,
  { domain, limit = 500 }: { readonly domain?: Domain; readonly limit?: number } = {},
): Promise<FollowedRecords> {
  const loose: Env = looseEnv(env);
  const after = cursor === 'now' ? cursor : readCursor(cursor);
  const models = new Map(named(loose, [model].flat()).map((one) => [one.name, one]));
  const node = domain && domain.length > 0 ? parseDomain(domain) : null;
  const rows = await feedRows(loose, { after, models, ids: null, domain: node, fields: null, limit });
  return {
    changes: rows.filter((row) => row.operation !== 'skip').map(toChange),
    cursor: String(rows.at(-1)?.cursor ?? cursor),
  };
}

function toChange(row: WireRecord): FollowedRecords['changes'][number] {
  return {
    model: row.model as string,
    id: row.res_id as number,
    operation: row.operation as 'create' | 'write' | 'unlink',
    fields: row.fields as readonly string[],
    at: row.at as string,
    changeSet: row.change_set as number,
  };
}
