import type { Transaction } from '../queryable.ts';
import { syncSchema } from '../schema/sync-schema.ts';
import type { TableSpec } from '../schema/table-spec.ts';
import { sql } from '../sql/sql.ts';
import type { MigrationFile } from './migration-file.ts';

/** The least that the model `sys.migration` will ask for: the table is needed before any model has its own. */
const table: TableSpec = {
  name: 'sys_migration',
  hasId: true,
  columns: [
    { name: 'module', type: 'varchar(64)', notNull: true },
    { name: 'name', type: 'varchar(200)', notNull: true },
    { name: 'checksum', type: 'varchar(64)', notNull: true },
    { name: 'applied_at', type: 'timestamptz(3)', notNull: true },
    { name: 'create_date', type: 'timestamptz(3)', notNull: false, default: 'now()' },
    { name: 'write_date', type: 'timestamptz(3)', notNull: false, default: 'now()' },
  ],
  foreignKeys: [],
  indexes: [{ name: 'sys_migration_module_and_name_unique', columns: ['"module"', '"name"'], unique: true }],
  checks: [],
};

/** Checksums of the module's files that have run, by name. */
export async function readMigrationLog(tx: Transaction, module: string): Promise<ReadonlyMap<string, string>> {
  const [found] = await tx.query<{ is_there: boolean }>(sql`
    select exists (select from pg_class
      where relname = 'sys_migration' and relnamespace = current_schema()::regnamespace) as is_there`);
  if (!found?.is_there) {
    await syncSchema(tx, [table]);
    return new Map();
  }
  const rows = await tx.query<{ name: string; checksum: string }>(
    sql`select name, checksum from sys_migration where module = ${module}`,
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

export async function recordMigration(tx: Transaction, module: string, file: MigrationFile): Promise<void> {
  await tx.execute(sql`insert into sys_migration (module, name, checksum, applied_at)
    values (${module}, ${file.name}, ${file.checksum}, clock_timestamp())`);
}
