import { type Sql, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { KontorError } from '@kontor/protocol';

const answerFields = {
  // Without a foreign key: the user is the caller, and the row is deleted after a day.
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', key: false }),
  key: fields.char({ required: true, size: 200 }),
  body_hash: fields.char({ required: true, size: 64 }),
  change_set: fields.integer({}),
  is_final: fields.boolean({ label: 'Cannot be undone' }),
  answer: fields.text({ secret: true }),
};
export interface SysIdempotency extends FieldsOf<typeof answerFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.idempotency': SysIdempotency;
  }
}

/** Answers of changing calls with an Idempotency-Key, stored for a day. */
export const sysIdempotency = defineModel('sys.idempotency', {
  label: 'Kept answer',
  order: '-id',
  displayName: '{key}',
  quiet: true,
  fields: answerFields,
  uniques: { user_and_key: { fields: ['user_id', 'key'] } },
});

export interface KeptAnswer {
  readonly json: string;
  readonly changeSet: number | null;
  readonly canUndo: boolean;
}
type TakenKey = { readonly kept: KeptAnswer } | { readonly kept: null; readonly id: number };

type KeptRow = {
  readonly body_hash: string;
  readonly answer: string | null;
  readonly change_set: number | null;
  readonly is_final: boolean | null;
};

/**
 * Claims the key inside the call's own transaction. A second call with it waits here until the first has committed,
 * and then finds the answer; a first call that failed leaves nothing behind, so that a retry runs.
 */
export async function takeKey(env: Env, key: string, bodyHash: string): Promise<TakenKey> {
  await env.db.execute(sql`
    delete from sys_idempotency where user_id = ${env.uid} and key = ${key} and create_date < now() - interval '24 hours'`);
  const [made] = await env.db.query<{ id: number }>(sql`
    insert into sys_idempotency (user_id, key, body_hash, create_date, write_date)
    values (${env.uid}, ${key}, ${bodyHash}, now(), now())
    on conflict (user_id, key) do nothing returning id`);
  if (made) return { kept: null, id: made.id };
  const [first] = await env.db.query<KeptRow>(sql`
    select body_hash, answer, change_set, is_final from sys_idempotency where user_id = ${env.uid} and key = ${key}`);
  if (first?.body_hash === bodyHash && first.answer !== null) {
    return { kept: { json: first.answer, changeSet: first.change_set, canUndo: first.is_final !== true } };
  }
  throw new KontorError('CONFLICT', 'This Idempotency-Key was used with another body.', { key });
}

/** The sources of the stored answer of a one-statement change: values, or slots for them, and queries of that statement. */
interface ShortAnswer {
  readonly uid: number;
  readonly key: unknown;
  readonly bodyHash: unknown;
  /** Null if nothing was done. */
  readonly id: Sql;
  readonly changeSet: Sql;
  readonly operation: 'create' | 'write';
}

/** Claims the key and stores the answer with the change. A used key fails the statement; `takeKey` then finds the reason. */
export function shortAnswer({ uid, key, bodyHash, id, changeSet, operation }: ShortAnswer): Sql {
  const answer = operation === 'create' ? sql`done.id::text` : sql`'true'`;
  return sql`kept_answer as (
    insert into sys_idempotency (user_id, key, body_hash, answer, change_set, is_final, create_date, write_date)
    select ${uid}::int4, ${key}::text, ${bodyHash}::text, ${answer}, ${changeSet}, false, now(), now()
    from (select ${id} as id) as done where done.id is not null)`;
}

export async function keepAnswer(env: Env, id: number, { json, changeSet, canUndo }: KeptAnswer): Promise<void> {
  await env.db.execute(sql`
    update sys_idempotency set answer = ${json}, change_set = ${changeSet}, is_final = ${!canUndo} where id = ${id}`);
}

export async function dropKey(env: Env, id: number): Promise<void> {
  await env.db.execute(sql`delete from sys_idempotency where id = ${id}`);
}
