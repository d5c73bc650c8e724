import { sql } from '@kontor/database';
import { createTestDatabase, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Envelope } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';

let data: TestDatabase;
let one: BuiltServer;
let two: BuiltServer;
beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({}) });
  const env = { KONTOR_CRON_ENABLED: 'false' };
  [one, two] = await Promise.all([startBuiltServer({ dsn: data.dsn, env }), startBuiltServer({ dsn: data.dsn, env })]);
});
afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()]);
  await data?.drop();
});

const signIn = async (server: BuiltServer): Promise<Browser> => {
  const browser = server.browser();
  await browser.signIn(testAdmin.email, testAdmin.password);
  return browser;
};
const publish = (browser: Browser) =>
  browser.json(
    '/web/customise',
    {
      ...{ do: 'publish', base: 0, draft: 0 },
      changes: [
        {
          do: 'add_field',
          model: 'core.partner',
          name: 'x_size',
          field: { type: 'integer', label: 'Size', default: 4 },
        },
        { do: 'add_field', model: 'core.company', name: 'x_motto', field: { type: 'char', label: 'Motto' } },
      ],
    },
    { accept: 'application/json' },
  );
/** Columns, revisions and views of the customisation. */
const traces = async () => {
  const [row] = await data.database.query<{ columns: number; revisions: number; views: number; fields: number }>(sql`
    select (select count(*)::int4 from information_schema.columns where column_name in ('x_size', 'x_motto')) as columns,
      (select count(*)::int4 from sys_custom_revision) as revisions,
      (select count(*)::int4 from sys_view where module = 'custom') as views,
      (select count(*)::int4 from sys_field where module = 'custom') as fields`);
  return row;
};

it('CUS-2 kill -9 in the middle of a publication leaves the old state, and the next one succeeds', async () => {
  const [first, second] = [await signIn(one), await signIn(two)];
  const lost = await data.database.transaction(async (tx) => {
    // The publication waits for this table with everything else done.
    await tx.query(sql`select id from core_company limit 1`);
    const answer = publish(first).catch(() => 'lost');
    const waits = sql`select 1 as found from pg_locks where not granted and relation = 'core_company'::regclass`;
    await expect.poll(async () => (await data.database.query(waits)).length, { timeout: 120_000, interval: 5 }).toBe(1);
    one.signal('SIGKILL');
    await one.ended;
    return answer;
  });
  expect(lost).toBe('lost');
  expect(await traces()).toEqual({ columns: 0, revisions: 0, views: 0, fields: 0 });
  const { ok } = (await (await publish(second)).json()) as Envelope;
  expect(ok).toBe(true);
  expect(await traces()).toMatchObject({ columns: 2, revisions: 1, fields: 2 });
});

it('CUS-2 kill -9 right after the commit of a publication leaves the new state, which other processes serve', async () => {
  const three = await startBuiltServer({ dsn: data.dsn, env: { KONTOR_CRON_ENABLED: 'false' } });
  try {
    const [first, second] = [await signIn(three), await signIn(two)];
    const answer = first
      .json(
        '/web/customise',
        {
          ...{ do: 'publish', base: 1, draft: 0 },
          changes: [
            {
              do: 'add_field',
              model: 'core.company',
              name: 'x_founded',
              field: { type: 'integer', label: 'Founded' },
              inList: true,
            },
          ],
        },
        { accept: 'application/json' },
      )
      .catch(() => 'lost');
    await expect.poll(async () => (await traces())?.revisions, { timeout: 120_000, interval: 2 }).toBe(2);
    three.signal('SIGKILL');
    await Promise.all([three.ended, answer]);
    expect(await traces()).toMatchObject({ revisions: 2, fields: 3 });
    const shown = async () =>
      (await (await second.get('/web/wc/workspace?model=core.company&view_type=form')).text()).includes('x_founded');
    await expect.poll(shown, { timeout: 120_000, interval: 20 }).toBe(true);
    const [row] = await second.rpc<{ id: number }[]>('core.company', 'search_read', [[], ['x_founded']]);
    await second.rpc('core.company', 'write', [[row?.id], { x_founded: 1999 }]);
  } finally {
    await three.stop();
  }
});
