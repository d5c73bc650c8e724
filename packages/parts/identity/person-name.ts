import { type Sql, sql } from '@kontor/database';

/**
 * A description of a user that stays correct after the account is deleted: name and login. No user means the system.
 */
export function personName(uid: Sql): Sql {
  return sql`coalesce(
    (select concat(name, ' <', login, '>') from core_user where core_user.id = ${uid}),
    case when ${uid} is null then 'System' else concat('Person ', ${uid}) end)`;
}
