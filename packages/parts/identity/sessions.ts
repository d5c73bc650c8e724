import { type Queryable, sql } from '@kontor/database';
import { addEvent, innerChannels, type SystemJobSpec } from '@kontor/kernel';
import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';
import { eventInsert } from '../events/outbox.ts';
import { digest, newSecret } from './secrets.ts';

const sessionFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  token_hash: fields.char({ secret: true, required: true, unique: true, size: 64 }),
  company_id: fields.many2one('core.company', { label: 'Active company', ondelete: 'cascade' }),
  shown_companies: fields.json({ help: 'Ids of companies whose records are shown with those of the active company.' }),
  started_at: fields.datetime({ required: true, default: now }),
  last_seen_at: fields.datetime({ required: true, default: now }),
  address: fields.char({ personal: true, size: 64 }),
  user_agent: fields.char({ personal: true, label: 'Browser', size: 400 }),
  device: fields.char({ computed: true }),
  last_write_lsn: fields.char({ size: 32, secret: true }),
};
export interface SysSession extends FieldsOf<typeof sessionFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.session': SysSession;
  }
}

export const sysSession = defineModel('sys.session', {
  label: 'Session',
  noCompany: 'A session belongs to one person.',
  closedToAgents: true,
  order: '-last_seen_at',
  displayName: '{user_id.name}, {address}',
  quiet: true,
  companyRule: false,
  ownRules: 'People end their own sessions, though they may not change users.',
  fields: sessionFields,
  computes: {
    device: { depends: ['user_agent'], value: (session) => deviceName(session.user_agent) },
  },
  hooks: {
    /** In every process, sockets of these sessions check whether the session is still valid. */
    async beforeUnlink({ env, ids }) {
      for (const session of ids) addEvent(env, { channel: innerChannels.session, payload: { session } });
    },
  },
});

export interface SessionLimits {
  readonly idleMinutes: number;
  readonly maxDays: number;
}

export interface OpenSession {
  readonly id: number;
  readonly uid: number;
  readonly companyId: number | null;
  readonly shownCompanyIds: readonly number[];
  /** The WAL position after this session's last change, so that a replica that is behind is not used. */
  readonly lastWriteLsn: string | null;
}

export interface NewSession {
  readonly uid: number;
  readonly companyId: number | null;
  readonly address: string;
  readonly userAgent: string;
}

/** Returns the token for the cookie; the database stores only its digest. */
export async function openSession(db: Queryable, session: NewSession): Promise<{ id: number; token: string }> {
  const token = newSecret();
  const [row] = await db.query<{ id: number }>(sql`
    insert into sys_session (user_id, token_hash, company_id, started_at, last_seen_at, address, user_agent,
      create_date, write_date)
    values (${session.uid}, ${digest(token)}, ${session.companyId}, now(), now(), ${session.address.slice(0, 64)},
      ${session.userAgent.slice(0, 400)}, now(), now()) returning id`);
  return { id: row?.id as number, token };
}

/** How old the recorded last request may be: a minute, or less if the idle limit is that short. */
function touchSeconds({ idleMinutes }: SessionLimits): number {
  return Math.min(60, idleMinutes * 10);
}

/** The session behind a token, while neither limit has passed and the user is active. Touched now and then. */
export async function findSession(db: Queryable, token: string, limits: SessionLimits): Promise<OpenSession | null> {
  if (!/^[0-9a-f]{64}$/.test(token)) return null;
  const [row] = await db.query<{
    id: number;
    user_id: number;
    company_id: number | null;
    shown: string;
    last_write_lsn: string | null;
    is_due: boolean;
  }>(sql`
    select s.id, s.user_id, s.company_id, ${shownColumn} as shown, s.last_write_lsn,
      s.last_seen_at < now() - make_interval(secs => ${touchSeconds(limits)}::float8) as is_due
    from sys_session s join core_user u on u.id = s.user_id
    where s.token_hash = ${digest(token)} and u.active
      and s.last_seen_at > now() - make_interval(mins => ${limits.idleMinutes}::int4)
      and s.started_at > now() - make_interval(days => ${limits.maxDays}::int4)`);
  if (!row) return null;
  if (row.is_due) await db.execute(sql`update sys_session set last_seen_at = now() where id = ${row.id}`);
  return { id: row.id, uid: row.user_id, ...companiesOf(row), lastWriteLsn: row.last_write_lsn };
}

const shownColumn = sql`coalesce(s.shown_companies, '[]')::text`;

function companiesOf(row: { readonly company_id: number | null; readonly shown: string }) {
  return { companyId: row.company_id, shownCompanyIds: JSON.parse(row.shown) as readonly number[] };
}

export type LiveSession = Pick<OpenSession, 'uid' | 'companyId' | 'shownCompanyIds'>;

/** Which of these sessions are still valid. Checking does not extend them. */
export async function findLiveSessions(
  db: Queryable,
  ids: readonly number[],
  limits: SessionLimits,
): Promise<ReadonlyMap<number, LiveSession>> {
  const rows = await db.query<{ id: number; user_id: number; company_id: number | null; shown: string }>(sql`
    select s.id, s.user_id, s.company_id, ${shownColumn} as shown from sys_session s join core_user u on u.id = s.user_id
    where s.id = any(${[...ids]}::int4[]) and u.active
      and s.last_seen_at > now() - make_interval(mins => ${limits.idleMinutes}::int4)
      and s.started_at > now() - make_interval(days => ${limits.maxDays}::int4)`);
  return new Map(rows.map((row) => [row.id, { uid: row.user_id, ...companiesOf(row) }]));
}

/** Ring afterwards: sockets of the session are open in any process. */
export async function endSession(db: Queryable, token: string): Promise<void> {
  await db.execute(sql`
    with changed as (delete from sys_session where token_hash = ${digest(token)} returning id) ${tellSockets}`);
}

/** Ring afterwards, as above. */
export async function switchCompany(
  db: Queryable,
  sessionId: number,
  { companyId, shown }: { readonly companyId: number; readonly shown: readonly number[] },
): Promise<void> {
  await db.execute(sql`
    with changed as (update sys_session set company_id = ${companyId}, shown_companies = ${JSON.stringify(shown)}::jsonb where id = ${sessionId} returning id) ${tellSockets}`);
}

/** The events of `changed`, a query of session ids. */
const tellSockets = eventInsert(sql`
  select ${innerChannels.session}::text as channel, jsonb_build_object('session', id)::text as payload, null::text as model,
    null::int4 as company_id, null::int4 as user_id
  from changed`);

export async function rememberWrite(db: Queryable, sessionId: number, lsn: string): Promise<void> {
  // Two concurrent changes may be recorded in either order; the later position counts.
  await db.execute(sql`
    update sys_session set last_write_lsn = greatest(last_write_lsn::pg_lsn, ${lsn}::pg_lsn)::text where id = ${sessionId}`);
}

const browsers = [
  ['Firefox/', 'Firefox'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** A readable name of the device; the header itself means nothing to users. */
function deviceName(agent: string | null): string {
  const browser = browsers.find(([mark]) => agent?.includes(mark))?.[1];
  const system = systems.find(([mark]) => agent?.includes(mark))?.[1];
  if (!browser && !system) return agent?.slice(0, 40) || 'Unknown device';
  return [browser, system].filter(Boolean).join(', ');
}

/** Sessions and tokens that can no longer be used. */
export const cleanSessions: SystemJobSpec = {
  name: 'clean_sessions',
  async runAsSystem({ database, config }) {
    await database.execute(sql`
      delete from sys_session
      where last_seen_at < now() - make_interval(mins => ${config.sessionIdleMinutes}::int4)
        or started_at < now() - make_interval(days => ${config.sessionMaxDays}::int4)`);
    await database.execute(sql`delete from sys_password_token where expires_at < now()`);
    await database.execute(sql`delete from sys_sign_in_step where expires_at < now()`);
  },
};
