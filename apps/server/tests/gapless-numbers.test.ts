import { createTestDatabase, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';

let data: TestDatabase;
let one: BuiltServer;
let two: BuiltServer;
beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({ modules: ['invoice'] }) });
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

it('INV-6 numbers have no gaps after kill -9 of a server while twenty people post there and on another', async () => {
  const [first, second] = [await signIn(one), await signIn(two)];
  const partner = await second.rpc<number>('core.partner', 'create', [{ name: 'Customer' }]);
  const line_ids = [['create', { name: 'Work', price_unit: '10' }]];
  const values = { partner_id: partner, invoice_date: '2023-03-03', line_ids };
  const ids = await second.rpc<number[]>('invoice.invoice', 'create_many', [Array.from({ length: 20 }, () => values)]);
  const post = (caller: Browser, id: number) =>
    caller.rpc('invoice.invoice', 'call', [id, 'action_post']).catch(() => null);
  const numbers = async () => {
    const rows = await second.rpc<{ name: string }[]>('invoice.invoice', 'search_read', [
      [['state', '=', 'posted']],
      ['name'],
    ]);
    return rows.map(({ name }) => Number(name.slice(-4))).sort((a, b) => a - b);
  };
  // Some are posted before the end, some after it, and some in the middle.
  const dying = ids.slice(0, 10).map((id) => post(first, id));
  const living = ids.slice(10).map((id) => post(second, id));
  await Promise.race(dying);
  one.signal('SIGKILL');
  await Promise.all([...dying, ...living, one.ended]);
  const before = await numbers();
  expect(before).toEqual(before.map((_, at) => at + 1));
  const drafts = await second.rpc<{ id: number }[]>('invoice.invoice', 'search', [[['state', '=', 'draft']]]);
  for (const { id } of drafts) await post(second, id);
  expect(await numbers()).toEqual(ids.map((_, at) => at + 1));
}, 120_000);
