import { type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { digest, newSecret } from '../secrets.ts';

const stepFields = {
  token_hash: fields.char({ secret: true, required: true, unique: true, size: 64 }),
  kind: fields.char({ required: true, size: 16 }),
  user_id: fields.many2one('core.user', { ondelete: 'cascade' }),
  data: fields.json({ secret: true }),
  expires_at: fields.datetime({ required: true }),
};
export interface SysSignInStep extends FieldsOf<typeof stepFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.sign.in.step': SysSignInStep;
  }
}

/** What is known of somebody between two requests of a sign-in, or of a new factor; the same for every process. */
export const sysSignInStep = defineModel('sys.sign.in.step', {
  label: 'Pending sign-in',
  order: '-id',
  displayName: '{kind}',
  quiet: true,
  fields: stepFields,
});

/**
 * `factor`: the password was right. `enrol`: and a factor is asked for that they do not have. `totp`, `register`: a
 * new authenticator or passkey. `passkey`: one is to be shown. `oidc`: they are at the provider. `secret`: something that
 * was made for them is shown once by the next page.
 */
export type StepKind = 'factor' | 'enrol' | 'totp' | 'register' | 'passkey' | 'oidc' | 'secret';

export interface SignInStep {
  readonly id: number;
  readonly uid: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export const stepMinutes = 10;

export interface NewStep {
  readonly kind: StepKind;
  readonly uid: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly minutes?: number;
}

/** Returns the token; the database keeps only its digest. */
export async function beginStep(db: Queryable, { kind, uid, data, minutes = stepMinutes }: NewStep): Promise<string> {
  const token = newSecret();
  await db.execute(sql`
    insert into sys_sign_in_step (token_hash, kind, user_id, data, expires_at, create_date, write_date)
    values (${digest(token)}, ${kind}, ${uid}, ${JSON.stringify(data)}::jsonb,
      now() + make_interval(mins => ${minutes}::int4), now(), now())`);
  return token;
}

interface StepRow extends Record<string, unknown> {
  readonly id: number;
  readonly user_id: number | null;
  readonly data: string;
}

export async function findStep(db: Queryable, kind: StepKind, token: string): Promise<SignInStep | null> {
  const [row] = await db.query<StepRow>(sql`
    select id, user_id, data::text as data from sys_sign_in_step
    where token_hash = ${digest(token)} and kind = ${kind} and expires_at > now()`);
  return row ? toStep(row) : null;
}

/** The same, and nobody finds it again: of two at once one gets it. */
export async function takeStep(db: Queryable, kind: StepKind, token: string): Promise<SignInStep | null> {
  const [row] = await db.query<StepRow>(sql`
    delete from sys_sign_in_step where token_hash = ${digest(token)} and kind = ${kind} and expires_at > now()
    returning id, user_id, data::text as data`);
  return row ? toStep(row) : null;
}

/** What waits for somebody ends with the password or the factors that it stood on. */
export async function endSteps(db: Queryable, uids: readonly number[]): Promise<void> {
  await db.execute(sql`delete from sys_sign_in_step where user_id = any(${[...uids]}::int4[])`);
}

function toStep({ id, user_id: uid, data }: StepRow): SignInStep {
  return { id, uid, data: JSON.parse(data) as Record<string, unknown> };
}
