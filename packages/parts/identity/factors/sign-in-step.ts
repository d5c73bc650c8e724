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

/** The state between two requests of a sign-in or an enrolment; shared by all processes. */
export const sysSignInStep = defineModel('sys.sign.in.step', {
  label: 'Pending sign-in',
  order: '-id',
  displayName: '{kind}',
  quiet: true,
  fields: stepFields,
});

/**
 * `factor`: the password was correct. `enrol`: it was, and a required factor is missing. `totp`, `register`: a new
 * authenticator or passkey. `passkey`: one is to be used. `oidc`: the user is at the provider. `secret`: the next page
 * shows a new secret once.
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

/** Returns the token; the database stores only its digest. */
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

/** The same, and removes it: of two concurrent callers one gets it. */
export async function takeStep(db: Queryable, kind: StepKind, token: string): Promise<SignInStep | null> {
  const [row] = await db.query<StepRow>(sql`
    delete from sys_sign_in_step where token_hash = ${digest(token)} and kind = ${kind} and expires_at > now()
    returning id, user_id, data::text as data`);
  return row ? toStep(row) : null;
}

/** Pending steps end when the password or the factors that they depend on change. */
export async function endSteps(db: Queryable, uids: readonly number[]): Promise<void> {
  await db.execute(sql`delete from sys_sign_in_step where user_id = any(${[...uids]}::int4[])`);
}

function toStep({ id, user_id: uid, data }: StepRow): SignInStep {
  return { id, uid, data: JSON.parse(data) as Record<string, unknown> };
}
