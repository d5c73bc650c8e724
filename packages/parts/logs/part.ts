import { sql } from '@kontor/database';
import { definePart } from '@kontor/kernel';
import { sysLog } from './log.ts';

/** Warnings and worse, for the viewer. */
export const logsPart = definePart({
  name: 'logs',
  models: [sysLog],
  expires: { clean_logs: [{ model: 'sys.log', column: 'at', age: '30 days' }] },
  counts: {
    'logs.errors': sql`select count(*) from sys_log where at > now() - interval '1 day' and level <> 'warning'`,
  },
});
