import { randomBytes } from 'node:crypto';
import { type Queryable, sql } from '@kontor/database';
import { definePart, workState } from '@kontor/kernel';
import { type Env, open, sysSequence } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const parameterFields = {
  name: fields.char({ required: true, unique: true, size: 200, label: 'Key' }),
  value: fields.text({}),
};
export interface SysConfigParameter extends FieldsOf<typeof parameterFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.config.parameter': SysConfigParameter;
  }
}

export const sysConfigParameter = defineModel('sys.config.parameter', {
  label: 'System parameter',
  noCompany: 'Parameters are those of the whole server.',
  closedToAgents: true,
  order: 'name',
  fields: parameterFields,
});

/** The public address of this server, for links in mail: a `sys.config.parameter` that administrators may change. */
const parameter = 'web.base_url';

/**
 * The address under which the server was set up, or that an administrator confirmed; other requests are not trusted.
 */
export async function keepBaseAddress(db: Queryable, address: string): Promise<void> {
  await keepParameter(db, parameter, address);
}

/** The value that administrators set under a key; null if there is none. */
export async function readParameter(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ value: string | null }>(
    sql`select value from sys_config_parameter where name = ${name}`,
  );
  return row?.value || null;
}

/** Stores a value of the server itself under a key. */
export async function keepParameter(db: Queryable, name: string, value: string): Promise<void> {
  await db.execute(sql`
    insert into sys_config_parameter (name, value, create_date, write_date) values (${name}, ${value}, now(), now())
    on conflict (name) do update set value = excluded.value, write_date = now()`);
}

/** As configured, otherwise from the settings; null if unknown. */
export async function baseAddress({ db, work }: Pick<Env, 'db' | 'work'>): Promise<string | null> {
  const configured = workState(work)?.config.baseUrl;
  if (configured) return configured;
  return readParameter(db, parameter);
}

const setupToken = 'setup.token';

/** Created by the first start, the same for every process, until Kontor is set up. */
export function keepSetupToken(db: Queryable): Promise<string> {
  return keepRandom(db, setupToken);
}

/** Created when it is first needed, the same for every process: whoever knows it can end e-mails of anybody, and do nothing else. */
export function unsubscribeKey(db: Queryable): Promise<string> {
  return keepRandom(db, 'mail.unsubscribe_key');
}

async function keepRandom(db: Queryable, name: string): Promise<string> {
  const known = await readParameter(db, name);
  if (known !== null) return known;
  await db.execute(sql`
    insert into sys_config_parameter (name, value, create_date, write_date)
    values (${name}, ${randomBytes(24).toString('base64url')}, now(), now()) on conflict (name) do nothing`);
  return (await readParameter(db, name)) as string;
}

export async function dropSetupToken(db: Queryable): Promise<void> {
  await db.execute(sql`delete from sys_config_parameter where name = ${setupToken}`);
}

const lastBackup = 'backup.last_at';

/** Records when a backup was finished, for monitoring. */
export async function keepBackupTime(db: Queryable): Promise<void> {
  await db.execute(sql`
    insert into sys_config_parameter (name, value, create_date, write_date)
    values (${lastBackup}, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), now(), now())
    on conflict (name) do update set value = excluded.value, write_date = now()`);
}

/** Seconds since the last backup; -1 if there was none. */
const backupAge = sql`
  select coalesce((select extract(epoch from now() - value::timestamptz)::int8 from sys_config_parameter
    where name = ${lastBackup} and pg_input_is_valid(value, 'timestamptz')), -1)`;

const demoChoice = 'setup.demo';

/** If demonstration data was chosen at setup, apps installed later get theirs as well. */
export async function keepDemoChoice(db: Queryable): Promise<void> {
  await db.execute(sql`
    insert into sys_config_parameter (name, value, create_date, write_date)
    values (${demoChoice}, '1', now(), now()) on conflict (name) do nothing`);
}

export async function wantsDemo(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`select id from sys_config_parameter where name = ${demoChoice} and value = '1'`);
  return rows.length > 0;
}

/**
 * The path of a record in the client.
 * ```ts
 * const path = recordPath('core.partner', 7);
 * ```
 */
export function recordPath(model: string, id: number): string {
  return open(model, { id }).redirect;
}

/**
 * The full address of a record, for mail; null if the server's address is unknown.
 * ```ts
 * export async function linkTo(env: Env, partnerId: number) {
 *   return recordLink(env, 'core.partner', partnerId);
 * }
 * ```
 */
export async function recordLink(env: Pick<Env, 'db' | 'work'>, model: string, id: number): Promise<string | null> {
  const address = await baseAddress(env);
  return address && `${address}${recordPath(model, id)}`;
}

/**
 * The full address of a path on this server, for mail; null if the server's address is unknown.
 * ```ts
 * export async function ping(env: Env) {
 *   return serverLink(env, '/library/ping');
 * }
 * ```
 */
export async function serverLink(env: Pick<Env, 'db' | 'work'>, path: string): Promise<string | null> {
  const address = await baseAddress(env);
  return address && `${address}${path}`;
}

/** System-wide settings of administrators. */
export const settingsPart = definePart({
  name: 'settings',
  models: [sysSequence, sysConfigParameter],
  counts: { 'backups.age': backupAge },
});
