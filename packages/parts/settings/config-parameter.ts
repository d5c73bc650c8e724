import { type Queryable, sql } from '@kontor/database';
import { definePart } from '@kontor/kernel';
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
  order: 'name',
  fields: parameterFields,
});

/** Where people reach this server, for links in mail: a `sys.config.parameter` that administrators may change. */
const parameter = 'web.base_url';
const loopback = '^https?://(localhost|127\\.|\\[::1\\])';

/**
 * Kept once it is known. A local address is replaced by a public one, never the other way round: an
 * administrator who works on the server would break everybody's links.
 */
export async function keepBaseAddress(db: Queryable, address: string): Promise<void> {
  await db.execute(sql`
    insert into sys_config_parameter as p (name, value, create_date, write_date)
    values (${parameter}, ${address}, now(), now())
    on conflict (name) do update set value = excluded.value, write_date = now()
      where coalesce(p.value, '') = '' or (p.value ~ ${loopback} and excluded.value !~ ${loopback})`);
}

export async function readBaseAddress(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ value: string | null }>(
    sql`select value from sys_config_parameter where name = ${parameter}`,
  );
  return row?.value || null;
}

/**
 * Where the client shows a record, under this server.
 * ```ts
 * const path = recordPath('core.partner', 7);
 * ```
 */
export function recordPath(model: string, id: number): string {
  return open(model, { id }).redirect;
}

/**
 * The same as a whole address, for mail; null while the server's address is not known.
 * ```ts
 * export async function linkTo(env: Env, partnerId: number) {
 *   return recordLink(env, 'core.partner', partnerId);
 * }
 * ```
 */
export async function recordLink(env: Pick<Env, 'db'>, model: string, id: number): Promise<string | null> {
  const address = await readBaseAddress(env.db);
  return address && `${address}${recordPath(model, id)}`;
}

/** What administrators set for the whole installation. */
export const settingsPart = definePart({ name: 'settings', models: [sysSequence, sysConfigParameter] });
