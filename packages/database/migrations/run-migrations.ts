import { KontorError } from '@kontor/protocol';
import { serverError } from '../errors/sql-state.ts';
import type { Queryable, Transaction } from '../queryable.ts';
import { syncSchema } from '../schema/sync-schema.ts';
import type { TableSpec } from '../schema/table-spec.ts';
import { sql, trustedSql } from '../sql/sql.ts';
import { type MigrationFile, type MigrationPhase, parseMigrationName } from './migration-file.ts';
import { type SqlStatement, splitStatements } from './split-statements.ts';

export interface MigrationRun {
  readonly module: string;
  /** Every file of the addon's folder `migrations/`. */
  readonly files: readonly MigrationFile[];
  /** `pre` before the schema sync, `post` after it. */
  readonly phase: MigrationPhase;
  /** The module has no data yet: `pre` files are recorded without being run. */
  readonly fresh: boolean;
}

/**
 * Runs the files of one phase that have not run yet, in order, inside the transaction of the install, and returns their
 * names. Nothing runs if a file is misnamed, was changed after it ran, or would end the transaction.
 */
export async function runMigrations(tx: Transaction, run: MigrationRun): Promise<string[]> {
  const files = inOrder(run);
  if (files.length === 0) return [];
  const log = await readMigrationLog(tx, run.module);
  checkChecksums(run.module, files, log);
  const due = files.filter((file) => parseMigrationName(file.name)?.phase === run.phase && !log.has(file.name));
  const parsed = due.map((file) => ({ file, statements: parseFile(run.module, file) }));
  for (const { file, statements } of parsed) {
    if (run.phase === 'post' || !run.fresh) {
      for (const statement of statements) await runStatement(tx, run.module, file, statement);
    }
    await recordMigration(tx, run.module, file);
  }
  return due.map((file) => file.name);
}

function inOrder(run: MigrationRun): MigrationFile[] {
  const seen = new Map<string, string>();
  for (const file of run.files) {
    const place = { addon: run.module, file: pathOf(file) };
    const parsed = parseMigrationName(file.name);
    if (!parsed) {
      throw migrationError(
        place,
        'A migration is named NNNN-name.sql or NNNN-name.pre.sql, with four digits and lower-case words.',
      );
    }
    const key = `${parsed.phase} ${parsed.number}`;
    const other = seen.get(key);
    if (other)
      throw migrationError(place, `${other} has the number ${parsed.number} too; which runs first is not said.`);
    seen.set(key, file.name);
  }
  return [...run.files].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function checkChecksums(module: string, files: readonly MigrationFile[], log: ReadonlyMap<string, string>): void {
  for (const file of files) {
    const recorded = log.get(file.name);
    if (recorded === undefined || recorded === file.checksum) continue;
    throw migrationError(
      { addon: module, file: pathOf(file) },
      'This migration has run already and was changed since. Put it back as it was and write a new one.',
    );
  }
}

function parseFile(module: string, file: MigrationFile): SqlStatement[] {
  const statements = splitStatements(file.text);
  for (const statement of statements) {
    const reason = forbiddenReason(statement);
    if (reason) {
      throw migrationError({ addon: module, file: pathOf(file), line: lineAt(file.text, statement.start) }, reason);
    }
  }
  return statements;
}

async function runStatement(
  tx: Transaction,
  module: string,
  file: MigrationFile,
  statement: SqlStatement,
): Promise<void> {
  try {
    await tx.execute(trustedSql(statement.text));
  } catch (error) {
    const known = serverError(error);
    if (!known || error instanceof KontorError) throw error;
    const offset = statement.start + offsetOf(statement.text, Number(known.position ?? 1));
    const message = [known.message, known.detail, known.hint].filter(Boolean).join(' ');
    throw migrationError({ addon: module, file: pathOf(file), line: lineAt(file.text, offset) }, message, error);
  }
}

/** The server counts characters from 1; a JavaScript string counts surrogate halves from 0. */
function offsetOf(text: string, position: number): number {
  let offset = 0;
  for (const character of text) {
    if (--position <= 0) break;
    offset += character.length;
  }
  return offset;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function pathOf(file: MigrationFile): string {
  return `migrations/${file.name}`;
}

const transactionWords = new Set(['begin', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release']);

/** Why a statement is not allowed in a migration, or null. The install's own transaction must not be interrupted. */
function forbiddenReason({ words }: SqlStatement): string | null {
  const [first = '', second = ''] = words;
  const isTransaction =
    transactionWords.has(first) ||
    (first === 'start' && second === 'transaction') ||
    (first === 'prepare' && second === 'transaction');
  if (isTransaction) {
    return `${first.toUpperCase()} is not allowed: a migration runs inside the transaction of the install.`;
  }
  if (first === 'set' && !['local', 'transaction', 'constraints'].includes(second)) {
    return 'SET would outlive the migration; write SET LOCAL.';
  }
  return null;
}

/** The minimum that the model `sys.migration` needs: the table is required before any model has its own. */
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

/** Files that the next upgrade would run. */
export async function dueMigrations(
  db: Queryable,
  module: string,
  files: readonly MigrationFile[],
): Promise<readonly MigrationFile[]> {
  if (files.length === 0) return [];
  const log = (await hasLog(db)) ? await readLog(db, module) : new Map();
  return files.filter(({ name }) => !log.has(name));
}

/** Checksums of the module's files that have run, by name. */
async function readMigrationLog(tx: Transaction, module: string): Promise<ReadonlyMap<string, string>> {
  if (await hasLog(tx)) return readLog(tx, module);
  await syncSchema(tx, [table]);
  return new Map();
}

async function hasLog(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ is_there: boolean }>(sql`
    select exists (select from pg_class
      where relname = 'sys_migration' and relnamespace = current_schema()::regnamespace) as is_there`);
  return found?.is_there === true;
}

async function readLog(db: Queryable, module: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ name: string; checksum: string }>(
    sql`select name, checksum from sys_migration where module = ${module}`,
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function recordMigration(tx: Transaction, module: string, file: MigrationFile): Promise<void> {
  await tx.execute(sql`insert into sys_migration (module, name, checksum, applied_at)
    values (${module}, ${file.name}, ${file.checksum}, clock_timestamp())`);
}

interface MigrationPlace {
  readonly addon: string;
  readonly file: string;
  readonly line?: number;
}

/** A mistake in a migration, for the person who installs it: addon, file, line and message. */
function migrationError(place: MigrationPlace, message: string, cause?: unknown): KontorError {
  const line = place.line === undefined ? '' : `:${place.line}`;
  const error = new KontorError('USER_ERROR', `${place.addon}: ${place.file}${line}: ${message}`, { ...place });
  if (cause !== undefined) error.cause = cause;
  return error;
}
