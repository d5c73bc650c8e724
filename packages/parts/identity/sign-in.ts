import { type Database, type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';
import { type FactorRow, type Factors, factorColumns, toFactors } from './factors/factor.ts';
import { verifyPassword } from './secrets.ts';

declare const isLoginName: unique symbol;

/** A login as it is stored and compared; input is normalised in one way only. */
export type LoginName = string & { readonly [isLoginName]: true };

const longest = 200;

/**
 * Null: no user can have that name. Every spelling that finds the same user must count as the same name, or each would
 * have its own set of attempts.
 */
export function toLoginName(typed: string): LoginName | null {
  const name = typed.trim().toLowerCase();
  if (name === '' || name.length > longest || /[\0\p{Surrogate}]/u.test(name)) return null;
  return name as LoginName;
}

const attemptFields = {
  login: fields.char({ personal: true, required: true, size: 200 }),
  address: fields.char({ personal: true, required: true, size: 64 }),
  at: fields.datetime({ required: true, default: now }),
};
export interface SysLoginAttempt extends FieldsOf<typeof attemptFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.login.attempt': SysLoginAttempt;
  }
}

export const sysLoginAttempt = defineModel('sys.login.attempt', {
  label: 'Failed sign-in',
  noCompany: 'Nobody is signed in yet.',
  order: '-at',
  displayName: '{login}, {address}',
  quiet: true,
  fields: attemptFields,
  indexes: ['login, at'],
});

/** Failures of one login from one address that lock the pair, and for how long. */
const pairLimit = 5;
/** Failures of one login from anywhere, beyond which attempts are processed one at a time. */
const loginLimit = 50;

export type Attempt = { readonly isAllowed: false } | { readonly isAllowed: true; readonly id: number };

/**
 * Counts a sign-in as failed before the password is checked, across all processes, so that many concurrent attempts
 * cannot bypass the limit. A success removes the count.
 */
export function beginAttempt(database: Database, name: LoginName, address: string): Promise<Attempt> {
  return database.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockOf(name)})`);
    return countAttempt(tx, name, address);
  });
}

/**
 * The same inside a transaction that continues: it must commit, or the attempt is not counted. Of several concurrent
 * ones only one is allowed, because waiting for each other would hold connections.
 */
export async function beginAttemptIn(db: Queryable, name: LoginName, address: string): Promise<Attempt> {
  const [lock] = await db.query<{ is_ours: boolean }>(sql`
    select pg_try_advisory_xact_lock(${lockOf(name)}) as is_ours`);
  return lock?.is_ours ? countAttempt(db, name, address) : { isAllowed: false };
}

function lockOf(name: LoginName) {
  return sql`hashtextextended(${`kontor.login ${name}`}, 0)`;
}

async function countAttempt(db: Queryable, name: LoginName, address: string): Promise<Attempt> {
  const from = address.slice(0, 64);
  const [state] = await db.query<{ is_locked: boolean; is_slowed: boolean }>(sql`
    select
      coalesce((select max(at) > now() - interval '15 minutes' and count(*) = ${pairLimit}::int4
          and max(at) - min(at) <= interval '15 minutes'
        from (select at from sys_login_attempt where login = ${name} and address = ${from}
          order by at desc limit ${pairLimit}::int4) last), false) as is_locked,
      coalesce((select count(*) > ${loginLimit}::int4 and max(at) > now() - interval '5 seconds'
        from sys_login_attempt where login = ${name} and at > now() - interval '15 minutes'), false) as is_slowed`);
  if (state?.is_locked || state?.is_slowed) return { isAllowed: false };
  const [row] = await db.query<{ id: number }>(sql`
    insert into sys_login_attempt (login, address, at, create_date, write_date)
    values (${name}, ${from}, clock_timestamp(), now(), now()) returning id`);
  return { isAllowed: true, id: row?.id as number };
}

/** After a success, or when a new password proves the user's identity: their failures from that address are cleared. */
export async function attemptSucceeded(database: Queryable, name: LoginName, address: string): Promise<void> {
  await database.execute(sql`
    delete from sys_login_attempt where login = ${name} and address = ${address.slice(0, 64)}`);
}

/**
 * A user with a valid link has proved their identity: failures of others with the old password no longer lock them out.
 */
export async function clearAttempts(db: Queryable, uid: number): Promise<void> {
  await db.execute(sql`
    delete from sys_login_attempt where login = (select login from core_user where id = ${uid})`);
}

/** A correct attempt, although more is required: only wrong ones keep counting. */
async function takeBack(database: Queryable, id: number): Promise<void> {
  await database.execute(sql`delete from sys_login_attempt where id = ${id}`);
}

export interface Credentials {
  readonly login: string;
  readonly password: string;
  readonly address: string;
}

export interface Person {
  readonly uid: number;
  readonly login: LoginName;
  readonly companyId: number;
}

export type PasswordVerdict =
  | { readonly isRight: true; readonly person: Person; readonly factors: Factors }
  /** `uid` is only for the audit trail: nobody else learns whose login it was. Locked: it was not even checked. */
  | { readonly isRight: false; readonly uid: number | null; readonly isLocked: boolean };

interface UserRow extends FactorRow {
  readonly id: number;
  readonly password: string | null;
  readonly company_id: number;
}

/** The same rejection for a wrong password, an unknown login, an archived or locked user, and a provider-only user. */
export async function checkPassword(
  database: Database,
  given: Credentials,
  hasProvider = false,
): Promise<PasswordVerdict> {
  const login = toLoginName(given.login);
  const attempt = login && (await beginAttempt(database, login, given.address));
  if (!login || !attempt?.isAllowed) return { isRight: false, uid: null, isLocked: true };
  const [user] = await database.query<UserRow>(sql`
    select u.id, u.company_id, case when u.oidc_only and ${hasProvider} then null else u.password end as password, ${factorColumns} from core_user u where u.login = ${login} and u.active`);
  if (!(await verifyPassword(user?.password ?? null, given.password)) || !user) {
    return { isRight: false, uid: user?.id ?? null, isLocked: false };
  }
  const factors = toFactors(user);
  if (needsMore(factors)) await takeBack(database, attempt.id);
  else await attemptSucceeded(database, login, given.address);
  return { isRight: true, person: { uid: user.id, login, companyId: user.company_id }, factors };
}

export function needsMore({ hasTotp, hasPasskey, isRequired }: Factors): boolean {
  return hasTotp || hasPasskey || isRequired;
}
