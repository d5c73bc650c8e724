import { ident, literal, type Sql, sql, trustedSql } from '../sql/sql.ts';
import { createDatabase } from './create-database.ts';
import type { ConnectionConfig } from './parse-dsn.ts';

/** Session settings of the pool, as they have to be stored with the role if a pooler shares sessions. */
const roleSettings: readonly (readonly [string, string])[] = [
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO, YMD'],
  ['IntervalStyle', 'iso_8601'],
  ['bytea_output', 'hex'],
  ['client_min_messages', 'warning'],
  ['jit', 'off'],
  ['default_transaction_isolation', 'read committed'],
  ['lock_timeout', '10s'],
  ['idle_in_transaction_session_timeout', '60s'],
];

/**
 * A pooler in transaction mode gives each transaction another session, so session settings are lost. Stored with the role in this
 * database, they apply to every session that the pooler opens from now on.
 */
export async function keepRoleSettings(direct: ConnectionConfig, statementSeconds: number): Promise<void> {
  const database = createDatabase({ connection: direct, maxConnections: 1, applicationName: 'kontor start' });
  try {
    await database.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('kontor.role_settings'))`);
      const [found] = await tx.query<{ role: string; name: string; kept: readonly string[] | null }>(sql`
        select current_user::text as role, current_database()::text as name, (select s.setconfig from pg_db_role_setting s
          join pg_roles r on r.oid = s.setrole join pg_database d on d.oid = s.setdatabase
          where r.rolname = current_user and d.datname = current_database()) as kept`);
      if (!found) return;
      for (const [name, value] of [...roleSettings, ['statement_timeout', `${statementSeconds}s`] as const]) {
        if (found.kept?.includes(`${name}=${value}`)) continue;
        await tx.execute(
          sql`alter role ${ident(found.role)} in database ${ident(found.name)} set ${trustedSql(name)} to ${settingValue(name, value)}`,
        );
      }
    });
  } finally {
    await database.close();
  }
}

/** A list of words is not a single word with a comma in it. */
function settingValue(name: string, value: string): Sql {
  return name === 'DateStyle' ? trustedSql(value) : literal(value);
}
