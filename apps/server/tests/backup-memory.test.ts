import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@kontor/database';
import { createTestDatabase, isLong, preparedDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBuilt } from './built-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-memory-'));
const at = (name: string) => join(folder, name);
/** Of half a kilobyte that hardly packs: 2 GB. */
const rows = 4_000_000;
const megabytes = (rows * 512) / 1_000_000;
let data: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  if (!isLong) return;
  data = await createTestDatabase({ template: await preparedDatabase({}) });
  empty = await createTestDatabase();
});
afterAll(async () => {
  await data?.drop();
  await empty?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The most memory that a command had, in megabytes. */
async function peakOf(args: readonly string[], dsn: string): Promise<number> {
  const env = { KONTOR_DB_DSN: dsn, KONTOR_TEST_PEAK: at('peak') };
  expect(await runBuilt(args, { env })).toMatchObject({ code: 0, err: '' });
  return Number(readFileSync(at('peak'), 'utf8')) / 1_000;
}

describe.runIf(isLong)('a large database', () => {
  it('OPS-9 is backed up and restored in memory that does not grow with it', async () => {
    const small = await peakOf(['backup', at('small.backup')], data.dsn);
    const bytes = sql`select string_agg(sha512((row * 8 + part)::text::bytea), ''::bytea) from generate_series(1, 8) part`;
    await data.database.transaction(
      async (tx) => {
        await tx.execute(sql`create table large (id integer primary key, content bytea)`);
        await tx.execute(sql`insert into large select row, (${bytes}) from generate_series(1, ${rows}::int4) row`);
      },
      { statementTimeoutMs: 0 },
    );
    const large = await peakOf(['backup', at('large.backup')], data.dsn);
    const restored = await peakOf(['restore', at('large.backup')], empty.dsn);
    const [found] = await empty.database.query<{ count: number }>(sql`select count(*)::int4 as count from large`);
    process.stdout.write(
      `rows of ${megabytes.toFixed(0)} MB: backup at most ${large.toFixed(0)} MB of memory, restore ${restored.toFixed(0)} MB; of next to nothing ${small.toFixed(0)} MB\n`,
    );
    expect(found?.count).toBe(rows);
    expect(large - small).toBeLessThan(80);
    expect(restored - small).toBeLessThan(80);
  }, 1_800_000);
});
