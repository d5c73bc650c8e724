import { createTestDatabase, isLong, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';

let data: TestDatabase;
let one: BuiltServer;
let two: BuiltServer;
const env = { KONTOR_CRON_ENABLED: 'false' };
beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({ modules: ['invoice'] }) });
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

const year = 2023;

long(
  'INV-6 numbers have no gaps after kill -9 of a server while twenty people post there and on another',
  async () => {
    const second = await signIn(two);
    const partner = await second.rpc<number>('core.partner', 'create', [{ name: 'Customer' }]);
    // Each time in another year, whose numbers begin with 1.
    for (let round = 0; round < (isLong ? 20 : 1); round++) {
      if (round > 0) one = await startBuiltServer({ dsn: data.dsn, env });
      await killWhilePosting({ second, partner, year: year + round, after: round % 10 });
    }
  },
  600_000,
);

interface Round {
  readonly second: Browser;
  readonly partner: number;
  readonly year: number;
  /** How many of those at the server that dies have posted before. */
  readonly after: number;
}

async function killWhilePosting({ second, partner, year: own, after }: Round): Promise<void> {
  const first = await signIn(one);
  const line_ids = [['create', { name: 'Work', price_unit: '10' }]];
  const values = { partner_id: partner, invoice_date: `${own}-03-03`, line_ids };
  const ids = await second.rpc<number[]>('invoice.invoice', 'create_many', [Array.from({ length: 20 }, () => values)]);
  const post = (caller: Browser, id: number) =>
    caller.rpc('invoice.invoice', 'call', [id, 'action_post']).catch(() => null);
  const posted = async (state: string) =>
    second.rpc<{ id: number; name: string }[]>('invoice.invoice', 'search_read', [
      [
        ['state', '=', state],
        ['id', 'in', ids],
      ],
      ['name'],
    ]);
  const numbers = async () => (await posted('posted')).map(({ name }) => Number(name.slice(-4))).sort((a, b) => a - b);
  // Some are posted before the end, some after it, and some in the middle.
  let done = 0;
  let stop = () => {};
  const enough = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const dying = ids.slice(0, 10).map(async (id) => {
    await post(first, id);
    if (++done > after) stop();
  });
  const living = ids.slice(10).map((id) => post(second, id));
  await enough;
  one.signal('SIGKILL');
  await Promise.all([...dying, ...living, one.ended]);
  const before = await numbers();
  expect(before).toEqual(before.map((_, at) => at + 1));
  for (const { id } of await posted('draft')) await post(second, id);
  expect(await numbers()).toEqual(ids.map((_, at) => at + 1));
}
