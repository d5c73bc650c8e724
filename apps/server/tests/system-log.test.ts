import { createDatabase, type Database, sql } from '@kontor/database';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../logging/create-log.ts';
import { createSystemLog } from '../logging/system-log.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());
beforeEach(() => world.kernel.database.execute(sql`delete from sys_log`));

interface Row {
  readonly level: string;
  readonly message: string;
  readonly source: string;
  readonly request_id: string | null;
  readonly user_id: number | null;
}
const rows = () =>
  world.kernel.database.query<Row>(sql`select level, message, source, request_id, user_id from sys_log order by id`);
const nowhere = { write: () => {} };

function open(options: Parameters<typeof createSystemLog>[0] = {}, logLevel: 'info' | 'error' | 'silent' = 'info') {
  const system = createSystemLog({ flushMs: 10, ...options });
  const log = createLog({ logLevel, logFile: '' }, { lines: nowhere, warnings: system.stream });
  return { system, log };
}

describe('sys.log', () => {
  it('RTE-10 has warnings and worse, with who and where, whatever the level of the log', async () => {
    for (const level of ['info', 'error', 'silent'] as const) {
      const { system, log } = open({}, level);
      system.attach(world.kernel.database);
      log.info('nothing to see');
      log.warn({ reqId: 'r-1', userId: 7, model: 'core.user', method: 'read', code: 'UNAVAILABLE' }, 'request failed');
      log.error({ err: new TypeError('broken') }, 'a failure');
      log.fatal('the end');
      await system.close();
    }
    const found = await rows();
    expect(found).toHaveLength(9);
    expect(found.slice(0, 3)).toEqual([
      {
        level: 'warn',
        message: 'request failed (UNAVAILABLE)',
        source: 'core.user read',
        request_id: 'r-1',
        user_id: 7,
      },
      {
        level: 'error',
        message: expect.stringMatching(/^a failure\nTypeError: broken\nat /),
        source: 'server',
        request_id: null,
        user_id: null,
      },
      { level: 'fatal', message: 'the end', source: 'server', request_id: null, user_id: null },
    ]);
  });

  it('RTE-10 is capped: the oldest rows go', async () => {
    const { system, log } = open({ cap: 50, maxWaiting: 5_000 });
    system.attach(world.kernel.database);
    for (let at = 1; at <= 450; at++) log.warn(`warning ${at}`);
    await system.close();
    const found = await rows();
    expect(found).toHaveLength(50);
    expect(found.at(-1)?.message).toBe('warning 450');
  });

  it('RTE-10 waits for the database, and loses the oldest when there is too much to hold', async () => {
    const { system, log } = open({ maxWaiting: 20 });
    let isAway = true;
    let refused = 0;
    const database: Database = {
      ...world.kernel.database,
      async execute(statement) {
        if (!isAway) return world.kernel.database.execute(statement);
        refused++;
        throw new Error('away');
      },
    };
    system.attach(database);
    for (let at = 1; at <= 30; at++) log.warn(`warning ${at}`);
    await expect.poll(() => refused).toBeGreaterThan(1);
    isAway = false;
    await expect.poll(async () => (await rows()).length, { timeout: 120_000 }).toBe(20);
    expect((await rows())[0]?.message).toBe('warning 11');
    await system.close();
  });

  it('RTE-10 holds up nobody: a database that does not answer is asked once, and the log goes on', async () => {
    const { system, log } = open();
    const silent = createDatabase({ dsn: world.dsn, onWarning: () => {} });
    let asked = 0;
    system.attach({ ...silent, execute: () => new Promise<never>(() => void asked++) });
    log.warn('first');
    await expect.poll(() => asked).toBe(1);
    for (let at = 0; at < 5_000; at++) log.warn('again');
    // A log beside it goes round its own database several times meanwhile.
    const other = open();
    other.system.attach(world.kernel.database);
    for (let at = 1; at <= 3; at++) {
      other.log.warn('elsewhere');
      await expect.poll(async () => (await rows()).length).toBe(at);
    }
    expect(asked).toBe(1);
    await other.system.close();
    await silent.close();
  });

  it('RTE-10 keeps what cannot be stored out, and lines that are none', async () => {
    const { system, log } = open();
    system.attach(world.kernel.database);
    log.warn('null \0 and half \ud800 a character');
    system.stream.write('no json\n');
    system.stream.write('{"level":"x"}\n');
    await system.close();
    expect((await rows()).map(({ message }) => message)).toEqual(['null  and half \ufffd a character']);
  });
});
