import { type Queryable, sql } from '@kontor/database';
import { type Kernel, systemActor } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import { type LoginName, type Person, toLoginName } from '../sign-in.ts';

/** The identity that a provider confirmed. */
export interface ProviderPerson {
  /** Issuer and subject: the provider never assigns the pair to another user. */
  readonly subject: string;
  /** As verified by the provider. */
  readonly email: string;
  readonly name: string;
}

interface UserRow extends Record<string, unknown> {
  readonly id: number;
  readonly login: LoginName;
  readonly company_id: number;
  readonly oidc_subject: string | null;
  readonly is_login: boolean;
}

/**
 * The matching user: the one who signed in with it before, otherwise the one with this login or confirmed email, who is
 * remembered from then on. Null for nobody, for an archived user, for an ambiguous address, and for one that another
 * subject used before. Only A to Z are case-folded: other letters that Unicode folds to them (such as the Kelvin sign)
 * belong to other addresses.
 */
export async function findByProvider(db: Queryable, { subject, email }: ProviderPerson): Promise<Person | null> {
  const address = email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const rows = await db.query<UserRow>(sql`
    select id, login, company_id, oidc_subject, login = ${address} as is_login from core_user
    where active and (oidc_subject = ${subject} or login = ${address}
      or (email_confirmed and lower(email collate "C") = ${address}))`);
  const known = rows.find((row) => row.oidc_subject === subject);
  if (known) return toPerson(known);
  const mine = rows.filter((row) => row.is_login);
  const [found, ...others] = mine.length > 0 ? mine : rows;
  if (!found || others.length > 0 || found.oidc_subject !== null) return null;
  const kept = await db.query(sql`
    update core_user set oidc_subject = ${subject} where id = ${found.id} and oidc_subject is null returning id`);
  return kept.length > 0 ? toPerson(found) : null;
}

function toPerson({ id, login, company_id }: UserRow): Person {
  return { uid: id, login, companyId: company_id };
}

/** Whether the address belongs to anybody, including archived users: for those no account is created. */
export async function isAddressTaken(db: Queryable, { subject, email }: ProviderPerson): Promise<boolean> {
  const name = toLoginName(email);
  const rows = await db.query(sql`
    select id from core_user where oidc_subject = ${subject} or login = ${name} or lower(email) = ${name} limit 1`);
  return rows.length > 0;
}

/** Creates an account for an unknown user, in one group of the first company and without a password. */
export async function makeByProvider(
  kernel: Kernel,
  { subject, email, name }: ProviderPerson,
  groupKey: string,
): Promise<Person | null> {
  const login = toLoginName(email);
  if (login === null) return null;
  const { result } = await kernel.transact(
    systemActor,
    async (untyped) => {
      const env = typedEnv(untyped);
      const [group] = await env.model('core.group').search([['key', '=', groupKey]]);
      const [company] = await env.model('core.company').search([], { order: 'id', limit: 1 });
      if (group === undefined || company === undefined) return null;
      const values = { login, email, name: name || email, company_id: company, oidc_only: true, oidc_subject: subject };
      const uid = await env.model('core.user').create({ ...values, group_ids: [['set', [group]]] });
      return { uid, login, companyId: company };
    },
    // As the server: nobody is signed in yet. The configuration allows such accounts.
    { isSudo: true },
  );
  return result;
}

/** They are matched by their address again. */
export async function forgetSubjects(db: Queryable, uids: readonly number[]): Promise<void> {
  await db.execute(sql`update core_user set oidc_subject = null where id = any(${[...uids]}::int4[])`);
}
