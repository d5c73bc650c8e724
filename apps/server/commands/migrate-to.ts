import { mkdirSync, writeFileSync } from 'node:fs';
import { createDatabase, loadDump, parseDsn, refuseFilledDatabase, sql, writeDump } from '@kontor/database';
import { kontorVersion } from '@kontor/kernel';
import { maskedValue } from '../config/config-error.ts';
import { movedNote } from '../moved-note.ts';
import { type Command, UsageError } from './command.ts';
import { openSource } from './open-source.ts';

export const migrateTo: Command = {
  name: 'migrate-to',
  takes: 'DSN',
  help: 'Moves the database to another PostgreSQL: from the embedded one to a server.',
  details: `DSN is postgres://user:password@host:port/database of an empty database that this user owns. Stop Kontor first.
Afterwards set db_dsn; the embedded data stay where they are, and Kontor no longer starts with them.`,
  words: [1, 1],
  options: [],
  async run({ config, words: [dsn = ''] }) {
    const target = readTarget(dsn);
    const source = await openSource(config);
    try {
      if (source.isShared) throw new Error(`Kontor is running on ${config.dataDir}. Stop it first.`);
      if (config.dbDsn !== '') await refuseInUse(config.dbDsn);
      await refuseFilledDatabase(target);
      const { rows, tables } = await loadDump(target, writeDump(source.connection, { kontor: kontorVersion() }));
      console.log(`Moved ${rows} rows of ${tables} tables.`);
    } finally {
      await source.close();
    }
    const place = maskedValue(dsn).slice(1, -1);
    if (config.dbDsn === '') noteMove(config.dataDir, place);
    console.log(`From now on start with db_dsn = ${place}`);
  },
};

function readTarget(dsn: string): ReturnType<typeof parseDsn> {
  try {
    return parseDsn(dsn);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function noteMove(dataDir: string, place: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(movedNote(dataDir), `${place}\n`, { mode: 0o644 });
}

/** Writes by another process during the copy would be lost. */
async function refuseInUse(dsn: string): Promise<void> {
  const database = createDatabase({ dsn, maxConnections: 1, applicationName: 'kontor command' });
  try {
    const others = await database.query<{ application_name: string }>(sql`
      select application_name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'kontor%'`);
    if (others.length > 0)
      throw new Error(`Kontor is running on this database (${others.length} connections). Stop it first.`);
  } finally {
    await database.close();
  }
}
