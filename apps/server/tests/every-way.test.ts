import { type Concern, concerns } from '@kontor/orm';
import { UserError } from '@kontor/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { badCells, confirm, stage } from './import/upload-csv.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

const model = 'shop.order';
const refusal = 'The last concern refuses.';

/** What the spy was asked about since the last look, and whether it refuses. */
const seen = new Set<string>();
const spying = { refuses: false };
const spy: Concern = {
  name: 'spy',
  plan: ({ model: { name }, operation }) => ({
    row: {
      kind: 'check',
      run() {
        seen.add(`${operation} ${name}`);
        if (spying.refuses && name === model) throw new UserError(refusal);
      },
    },
  }),
};

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  (concerns as Concern[]).push(spy);
  world = await startShop();
  admin = await world.signedIn();
});
afterAll(async () => {
  (concerns as Concern[]).splice(concerns.indexOf(spy), 1);
  await world.close();
});

interface Order {
  readonly id: number;
  readonly name: string;
  /** The change set that made it. */
  readonly set: number;
}

const failure = async (answer: Promise<{ readonly error?: { readonly message: string } | null }>) =>
  (await answer).error?.message ?? null;
const call = (method: string, args: readonly unknown[], kwargs: object = {}) =>
  failure(admin.call({ model, method, args, kwargs }));
const importing = async (csv: string) => {
  const answer = await confirm(admin, await stage(admin, csv, { import_mode: 'upsert' }));
  return badCells(answer)[0]?.message ?? answer.error?.message ?? null;
};
let number = 0;
const fresh = () => `N${++number}`;

/** Each way to write, what it does to orders, and why it was refused. */
const ways: readonly (readonly [string, string, (order: Order) => Promise<string | null>])[] = [
  ['create', 'create', () => call('create', [{ name: fresh() }])],
  ['create_many', 'create', () => call('create_many', [[{ name: fresh() }, { name: fresh() }]])],
  ['an upsert', 'write', ({ name }) => call('create_many', [[{ name, note: 'x' }]], { upsert: 'name' })],
  ['write', 'write', ({ id }) => call('write', [[id], { note: 'changed' }])],
  ['a merge', 'write', ({ id }) => call('write', [[id], { note: 'merged' }], { base: { note: null } })],
  ['a write with lines', 'write', ({ id }) => call('write', [[id], { line_ids: [['create', { name: 'A' }]] }])],
  ['unlink', 'unlink', ({ id }) => call('unlink', [[id]])],
  ['archive', 'write', ({ id }) => call('call', [id, 'action_archive'])],
  ['copy', 'create', ({ id }) => call('call', [id, 'action_copy'])],
  ['an import of new rows', 'create', () => importing(`name\n${fresh()}\n`)],
  ['an import over known rows', 'write', ({ name }) => importing(`name,note\n${name},imported\n`)],
  [
    'saving a form after onchange',
    'write',
    async ({ id }) => {
      const { result } = await admin.call({
        model,
        method: 'onchange',
        args: [{ count: 3 }, ['count']],
        kwargs: { id },
      });
      return call('write', [[id], { count: 3, ...(result as { value: object }).value }]);
    },
  ],
  [
    'undo',
    'unlink',
    ({ set }) =>
      failure(admin.call({ model: 'sys.change.set', method: 'call', args: [set, 'action_revert'], kwargs: {} })),
  ],
];

async function makeOrder(): Promise<Order> {
  const name = fresh();
  const id = await admin.rpc<number>(model, 'create', [{ name }]);
  const [change] = await admin.rpc<{ set_id: number }[]>('sys.change', 'search_read', [
    [
      ['model', '=', model],
      ['res_id', '=', id],
    ],
    ['set_id'],
  ]);
  return { id, name, set: change?.set_id as number };
}

const rows = () => admin.rpc<object[]>(model, 'search_read', [[['active', 'in', [true, false]]]], { order: 'id' });

it.each(ways)('REC-18 %s asks every concern of a write', async (_name, operation, way) => {
  spying.refuses = false;
  const order = await makeOrder();
  const before = await rows();
  spying.refuses = true;
  expect(await way(order)).toBe(refusal);
  expect(await rows()).toEqual(before);
  spying.refuses = false;
  seen.clear();
  expect(await way(order)).toBeNull();
  expect([...seen]).toContain(`${operation} ${model}`);
});

it('REC-18 records that are deleted with others, and lines that are written with their owner, ask every concern', async () => {
  spying.refuses = false;
  seen.clear();
  const lines = [['create', { name: 'A' }]];
  const id = await admin.rpc<number>(model, 'create', [{ name: fresh(), line_ids: lines }]);
  const [order] = await admin.rpc<{ line_ids: number[] }[]>(model, 'read', [[id], ['line_ids']]);
  await admin.rpc(model, 'write', [[id], { line_ids: [['update', order?.line_ids[0], { qty: 5 }]] }]);
  await admin.rpc(model, 'unlink', [[id]]);
  expect([...seen].filter((each) => each.endsWith('.line'))).toEqual([
    'create shop.order.line',
    'write shop.order.line',
    'unlink shop.order.line',
  ]);
});
