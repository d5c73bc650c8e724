import { createDatabase, type PooledDatabase, sql } from '@kontor/database';
import { createTestDatabase, isLong, preparedDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startBuiltServer } from './built-server.ts';
import { openBus } from './bus-socket.ts';

const most = 4;
let data: TestDatabase;
let watcher: PooledDatabase;
beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({}) });
  watcher = createDatabase({ dsn: data.dsn, maxConnections: 1, applicationName: 'watcher' });
});
afterAll(async () => {
  await watcher?.close();
  await data?.drop();
});

/** How many connections there are of each name. */
async function openConnections(): Promise<Record<string, number>> {
  const rows = await watcher.query<{ name: string; count: number }>(sql`
    select application_name as name, count(*)::int4 as count from pg_stat_activity
    where datname = current_database() and application_name <> 'watcher' group by 1 order by 1`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

describe('CST-9 connections to the database', () => {
  it.each(isLong ? [1, 2] : [2])(
    'CST-9 %i processes open db_max_open_conns and one more each, whatever they do',
    async (workers) => {
      const env = { KONTOR_DB_MAX_OPEN_CONNS: String(most), KONTOR_WORKERS: String(workers) };
      const server = await startBuiltServer({ dsn: data.dsn, env });
      onTestFinished(server.stop);
      const people = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const person = server.browser();
          await person.signIn('ada@example.com', 'correct horse battery');
          return { person, bus: await openBus(person) };
        }),
      );
      // Jobs, the bus, notifications and the watch of the database are under way; now everybody asks at once.
      const seen: Record<string, number>[] = [];
      for (let round = 0; round < 10; round++) {
        const calls = people.flatMap(({ person }) =>
          Array.from({ length: 10 }, (_, at) =>
            person.outcome('core.partner', at % 2 ? 'search_read' : 'create', at % 2 ? [[]] : [{ name: `P${at}` }]),
          ),
        );
        const [open, ...outcomes] = await Promise.all([openConnections(), ...calls]);
        seen.push(open as Record<string, number>);
        expect(new Set(outcomes)).toEqual(new Set(['OK']));
      }
      expect(seen.filter((counts) => sum(counts) > workers * (most + 1))).toEqual([]);
      expect(await openConnections()).toEqual({ kontor: expect.any(Number), 'kontor service': workers });
      for (const { bus } of people) await bus.close();
    },
  );
});
