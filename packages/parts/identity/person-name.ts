import { type Sql, sql } from '@kontor/database';

/** Who somebody is, in words that stay true when the account is gone: name and login. Nobody is the system. */
export function personName(uid: Sql): Sql {
  return sql`coalesce(
    (select concat(name, ' <', login, '>') from core_user where core_user.id = ${uid}),
    case when ${uid} is null then 'System' else concat('Person ', ${uid}) end)`;
}
