import { randomBytes } from 'node:crypto';
import { type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { digest } from '../secrets.ts';
import { endSteps } from './sign-in-step.ts';

const recoveryFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', index: true }),
  code_hash: fields.char({ secret: true, required: true, size: 64 }),
};
export interface CoreUserRecovery extends FieldsOf<typeof recoveryFields> {}

declare module '@kontor/orm' {
  interface Models {
    'core.user.recovery': CoreUserRecovery;
  }
}

/** For when the phone is lost. Each code works once. */
export const coreUserRecovery = defineModel('core.user.recovery', {
  label: 'Recovery code',
  closedToAgents: true,
  ownRules: 'Nobody reads them; the server counts them for their owner.',
  order: 'id',
  displayName: '{id}',
  quiet: true,
  fields: recoveryFields,
});

const count = 10;
/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstvwxyz23456789';
const signs = 16;

/**
 * Creates ten new codes; earlier ones become invalid, and so do pending sign-ins that could have used them. With 78
 * bits each, their hashes reveal nothing.
 */
export async function newRecoveryCodes(db: Queryable, uid: number): Promise<readonly string[]> {
  const codes = Array.from({ length: count }, newCode);
  await db.execute(sql`delete from core_user_recovery where user_id = ${uid}`);
  await endSteps(db, [uid]);
  await db.execute(sql`
    insert into core_user_recovery (user_id, code_hash, create_date, write_date)
    select ${uid}::int4, hash, now(), now() from unnest(${codes.map((code) => hashOf(code))}::text[]) as hash`);
  return codes;
}

export async function countRecoveryCodes(db: Queryable, uid: number): Promise<number> {
  const [row] = await db.query<{ left: number }>(sql`
    select count(*)::int4 as left from core_user_recovery where user_id = ${uid}`);
  return row?.left ?? 0;
}

/** Of two concurrent uses of a code, one succeeds. */
export async function useRecoveryCode(db: Queryable, uid: number, code: string): Promise<boolean> {
  const used = await db.query(sql`
    delete from core_user_recovery where user_id = ${uid} and code_hash = ${hashOf(code)} returning id`);
  return used.length > 0;
}

function newCode(): string {
  let code = '';
  while (code.length < signs) {
    // Bytes beyond the last full round of the alphabet would make its first letters more likely.
    for (const byte of randomBytes(signs)) {
      if (byte < 240 && code.length < signs) code += alphabet[byte % alphabet.length];
    }
  }
  return (code.match(/.{4}/g) as string[]).join('-');
}

function hashOf(code: string): string {
  return digest(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
