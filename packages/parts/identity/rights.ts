import { type Queryable, type Sql, sql } from '@kontor/database';
import { type CacheSpec, inCompany } from '@kontor/kernel';
import {
  type AccessPolicy,
  type AccessRow,
  type Actor,
  checkModelAccess,
  checkRecords,
  type Env,
  hasExternalId,
  type RuleRow,
} from '@kontor/orm';
import { isoWeeks, KontorError, type Operation, parseAuthoredDomain, type WeekRule } from '@kontor/protocol';
import { weekdays } from './company.ts';

interface Line {
  readonly model: string;
  readonly perm_read: boolean;
  readonly perm_write: boolean;
  readonly perm_create: boolean;
  readonly perm_unlink: boolean;
}
interface AccessLine extends Line {
  readonly group_key: string | null;
}
interface RuleLine extends Line {
  readonly id: number;
  readonly name: string;
  readonly domain: string;
  readonly group_keys: string;
  readonly is_custom: boolean;
}

/**
 * Every access row and active rule: two statements, a few hundred rows, cached until someone changes rights. Rights of
 * groups whose module is away are off: such a rule would otherwise have no group, and apply to everyone.
 */
async function loadPolicy(db: Queryable): Promise<AccessPolicy> {
  const accessLines = await db.query<AccessLine>(sql`
    select a.model, g.key as group_key, a.perm_read, a.perm_write, a.perm_create, a.perm_unlink
    from sys_access a left join core_group g on g.id = a.group_id where g.is_away is not true`);
  const ruleLines = await db.query<RuleLine>(sql`
    select r.id, r.model, r.name, r.domain, r.perm_read, r.perm_write, r.perm_create, r.perm_unlink,
      (select coalesce(json_agg(g.key), '[]') from sys_rule_group_rel rel
        join core_group g on g.id = rel.group_id where rel.rule_id = r.id) as group_keys,
      not ${hasExternalId('sys.rule', sql`r.id`, { isFromFile: true })} as is_custom
    from sys_rule r
    where r.active and (
      not exists (select from sys_rule_group_rel rel where rel.rule_id = r.id)
      or exists (select from sys_rule_group_rel rel join core_group g on g.id = rel.group_id
        where rel.rule_id = r.id and g.is_away is not true))
    order by r.id`);
  return { access: byModel(accessLines, toAccessRow), rules: byModel(ruleLines, toRuleRow) };
}

export const policyCache: CacheSpec<undefined, AccessPolicy> = {
  droppedBy: ['rights'],
  load: ({ db }) => loadPolicy(db),
};

function byModel<L extends Line, R>(lines: readonly L[], toRow: (line: L) => R): ReadonlyMap<string, readonly R[]> {
  const rows = new Map<string, R[]>();
  for (const line of lines) {
    const known = rows.get(line.model);
    if (known) known.push(toRow(line));
    else rows.set(line.model, [toRow(line)]);
  }
  return rows;
}

function toAccessRow(line: AccessLine): AccessRow {
  return {
    group: line.group_key,
    read: line.perm_read,
    write: line.perm_write,
    create: line.perm_create,
    unlink: line.perm_unlink,
  };
}

function toRuleRow(line: RuleLine): RuleRow {
  const operations = new Set<Operation>();
  if (line.perm_read) operations.add('read');
  if (line.perm_write) operations.add('write');
  if (line.perm_create) operations.add('create');
  if (line.perm_unlink) operations.add('unlink');
  return {
    id: line.id,
    name: line.name,
    domain: parseAuthoredDomain(JSON.parse(line.domain)),
    groups: JSON.parse(line.group_keys) as string[],
    operations,
    isCustom: line.is_custom,
  };
}

interface ActorLine {
  readonly company_id: number;
  readonly lang: string;
  readonly tz: string;
  readonly company_ids: readonly number[];
  readonly group_keys: string;
  readonly weeks: string;
}

type WeekLine = readonly [id: number, start: keyof typeof weekdays | null, numbers: string | null];

function weekRule(start: keyof typeof weekdays | null, numbers: string | null): WeekRule {
  return { start: start ? weekdays[start] : isoWeeks.start, firstDays: numbers === 'january' ? 1 : 4 };
}

/** An active user with every implied group, or null. Archived companies do not count. */
export async function loadActor(db: Queryable, uid: number): Promise<Actor | null> {
  const [line] = await db.query<ActorLine>(sql`
    with recursive member as (
      select rel.group_id from core_group_user_rel rel join core_group g on g.id = rel.group_id
      where rel.user_id = ${uid} and g.is_away is not true
      union
      select rel.implied_id from core_group_implied_rel rel join member on member.group_id = rel.group_id
        join core_group g on g.id = rel.implied_id and g.is_away is not true
    )
    select u.company_id, u.lang, u.tz,
      array(select c.id from core_user_company_rel rel join core_company c on c.id = rel.company_id
        where rel.user_id = u.id and c.active order by c.id) as company_ids,
      (select coalesce(json_agg(json_build_array(c.id, c.week_start, c.week_numbers)), '[]') from core_user_company_rel rel
        join core_company c on c.id = rel.company_id where rel.user_id = u.id) as weeks,
      (select coalesce(json_agg(g.key), '[]') from core_group g
        where g.id in (select group_id from member)) as group_keys
    from core_user u where u.id = ${uid} and u.active`);
  if (!line) return null;
  return {
    uid,
    groups: new Set(JSON.parse(line.group_keys) as string[]),
    companyId: line.company_id,
    companyIds: line.company_ids,
    lang: line.lang,
    tz: line.tz,
    weeks: new Map((JSON.parse(line.weeks) as WeekLine[]).map(([id, ...rule]) => [id, weekRule(...rule)])),
  };
}

export const actorCache: CacheSpec<number, Actor | null> = {
  droppedBy: ['rights'],
  load: ({ db }, uid) => loadActor(db, uid),
};

export async function hasUsers(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select exists (select 1 from core_user) as found`);
  return row?.found ?? false;
}

/** Whether a user with that id exists: a write for a user who was deleted in the meantime would fail. */
export function isUser(id: Sql): Sql {
  return sql`exists (select 1 from core_user u where u.id = ${id})`;
}

/** Any env, typed or not. */
type AnyEnv = Pick<Env, 'actor' | 'db' | 'work'>;

/**
 * Throws unless the caller may do this to the records: MODEL_NOT_FOUND, NOT_FOUND or ACCESS_DENIED.
 * ```ts
 * export async function checkOpenTo(env: Env, partnerId: number) {
 *   await checkRight(env, 'core.partner', [partnerId], 'read');
 * }
 * ```
 */
export async function checkRight(
  env: AnyEnv,
  model: string,
  ids: readonly number[],
  operation: 'read' | 'write' | 'unlink',
): Promise<void> {
  const whole = env as Env;
  const known = whole.registry.model(model);
  for (const each of new Set(['read', operation] as const)) checkModelAccess(whole, known, each);
  await checkRecords(whole, known, ids, operation);
}

/**
 * The same transaction as another user, in their own company or in another that they may act in; null if they are archived, deleted
 * or may not act there.
 * ```ts
 * export async function leadsOf(env: Env, userId: number) {
 *   const theirs = await inNameOf(env, userId);
 *   return theirs ? theirs.model('core.partner').count() : 0;
 * }
 * ```
 */
export async function inNameOf<E>(
  env: { readonly db: Queryable; as(actor: Actor): E },
  uid: number,
  companyId: number | null = null,
): Promise<E | null> {
  const own = await loadActor(env.db, uid);
  const actor = own && inCompany(own, companyId);
  return actor && (companyId === null || actor.companyId === companyId) ? env.as(actor) : null;
}

/**
 * Whether another user may read a record, in the company of the record.
 * ```ts
 * export async function mayTell(env: Env, userId: number, partnerId: number) {
 *   return mayPersonRead(env, userId, 'core.partner', partnerId);
 * }
 * ```
 */
export async function mayPersonRead(env: AnyEnv, uid: number, model: string, id: number): Promise<boolean> {
  const whole = env as Env;
  const actor = await loadActor(env.db, uid);
  if (!actor) return false;
  const companies = new Set([actor.companyId, ...actor.companyIds]);
  for (const companyId of companies) {
    if (await isOpen(whole.as(inCompany(actor, companyId)), model, id)) return true;
    if (!whole.registry.model(model).hasCompany) return false;
  }
  return false;
}

async function isOpen(env: Env, model: string, id: number): Promise<boolean> {
  try {
    await checkRight(env, model, [id], 'read');
    return true;
  } catch (error) {
    if (error instanceof KontorError && (error.code === 'ACCESS_DENIED' || error.code === 'NOT_FOUND')) return false;
    throw error;
  }
}
