import { type Queryable, sql } from '@kontor/database';
import { definePart } from '@kontor/kernel';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const logFields = {
  at: fields.datetime({ required: true, index: true }),
  level: fields.selection(
    { warn: 'Warning', error: 'Error', fatal: 'Fatal' },
    { required: true, sets: { failures: ['error', 'fatal'] } },
  ),
  source: fields.char({ size: 128 }),
  message: fields.text({ required: true }),
  request_id: fields.char({ size: 128, index: true }),
  user_id: fields.integer({ label: 'User', aggregate: 'none' }),
  process: fields.char({ size: 128 }),
};
export interface SysLog extends FieldsOf<typeof logFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.log': SysLog;
  }
}

export const sysLog = defineModel('sys.log', {
  label: 'Log entry',
  noCompany: 'The log is that of the whole server.',
  order: '-id',
  displayName: '{level} {id}',
  quiet: true,
  fields: logFields,
});

/** One line of the log as a row. */
export interface LogEntry {
  readonly at: string;
  /** By the names of `log_level`. */
  readonly level: 'warn' | 'error' | 'fatal';
  readonly source: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly userId: number | null;
}

export async function insertLogEntries(db: Queryable, process: string, entries: readonly LogEntry[]): Promise<void> {
  await db.execute(sql`
    insert into sys_log (at, level, source, message, request_id, user_id, process, create_date, write_date)
    select e.at::timestamptz, e.level, e.source, e.message, e.request_id, e.user_id, ${process}, now(), now()
    from unnest(${entries.map(({ at }) => at)}::text[], ${entries.map(({ level }) => level)}::text[],
      ${entries.map(({ source }) => source)}::text[], ${entries.map(({ message }) => message)}::text[],
      ${entries.map(({ requestId }) => requestId)}::text[], ${entries.map(({ userId }) => userId)}::int4[])
      as e(at, level, source, message, request_id, user_id)`);
}

/** The oldest are deleted first. */
export async function pruneLog(db: Queryable, cap: number): Promise<void> {
  await db.execute(sql`
    delete from sys_log where id <= (select id from sys_log order by id desc offset ${cap}::int4 limit 1)`);
}

/** Warnings and worse, for the viewer. */
export const logsPart = definePart({
  name: 'logs',
  models: [sysLog],
  expires: { clean_logs: [{ model: 'sys.log', column: 'at', age: '30 days' }] },
  counts: {
    'logs.errors': sql`select count(*) from sys_log where at > now() - interval '1 day' and level <> 'warn'`,
  },
});
