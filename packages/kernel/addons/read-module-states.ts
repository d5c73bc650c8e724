import { type Queryable, sql } from '@kontor/database';
import type { InstallState } from './install-context.ts';

/** State by module as the database has it; empty before the first install. */
export async function readModuleStates(db: Queryable): Promise<ReadonlyMap<string, InstallState>> {
  const [table] = await db.query<{ is_there: boolean }>(sql`select to_regclass('sys_module') is not null as is_there`);
  if (!table?.is_there) return new Map();
  const rows = await db.query<{ name: string; state: InstallState }>(
    sql`select name, state from sys_module order by name`,
  );
  return new Map(rows.map((row) => [row.name, row.state]));
}

/** Modules whose models are served: installed and inactive ones. */
export function presentModules(states: ReadonlyMap<string, InstallState>): ReadonlySet<string> {
  return new Set([...states].filter(([, state]) => state !== 'uninstalled').map(([name]) => name));
}
