import { KontorError } from '@kontor/protocol';
import { serverError } from '../errors/sql-state.ts';
import type { Transaction } from '../queryable.ts';
import { trustedSql } from '../sql/trusted-sql.ts';
import { forbiddenReason } from './forbidden-statement.ts';
import { migrationError } from './migration-error.ts';
import { type MigrationFile, type MigrationPhase, parseMigrationName } from './migration-file.ts';
import { readMigrationLog, recordMigration } from './migration-log.ts';
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
 * Runs the files of one phase that have not run yet, in order, inside the transaction of the install, and answers their
 * names. Nothing runs when a file is misnamed, was changed after it ran, or would end the transaction.
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
