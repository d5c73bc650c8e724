import { defineModel, fields } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { growthOf, linearGrowth, turnsDuring } from '@kontor/testing/growth';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';

const box = defineModel('test.box', {
  fields: { name: fields.char(), item_ids: fields.one2many('test.item', 'box_id'), note: fields.html() },
});
const item = defineModel('test.item', {
  fields: { name: fields.char(), box_id: fields.many2one('test.box'), size: fields.integer({ computed: true }) },
  computes: { size: { depends: ['name'], value: ({ name }) => String(name ?? '').length } },
});

let world: TestWorld;
beforeAll(async () => {
  world = await createTestEnv([box, item]);
});
afterAll(() => world.drop());

const change = (lines: number) => {
  const item_ids = Array.from({ length: lines }, (_, at) => ['create', { name: `${at}` }]);
  return world.env.model('test.box').onchange({ item_ids } as never, ['item_ids']);
};

long(
  'CST-8 four times as many lines of a form cost about four times as much',
  async () => {
    expect(await growthOf(change, 4_000)).toBeLessThan(linearGrowth);
  },
  120_000,
);

it('CST-10 others are served while the lines of a form are computed, and while many records are created', async () => {
  expect(await turnsDuring(() => change(2_000))).toBeGreaterThan(18);
  const rows = Array.from({ length: 2_000 }, (_, at) => ({ name: `${at}` }));
  expect(await turnsDuring(() => world.transact((env) => env.model('test.item').createMany(rows)))).toBeGreaterThan(5);
});

it('CST-10 others are served while several long rich texts are cleaned, also in lines', async () => {
  const note = '<p>a <b onclick="x">b</b></p>'.repeat(1_000);
  let ids: number[] = [];
  const turns = await turnsDuring(async () => {
    ids = await world.transact((env) =>
      env.model('test.box').createMany(Array.from({ length: 20 }, (_, at) => ({ name: `${at}`, note }))),
    );
  });
  expect(turns).toBeGreaterThan(20);
  const [first] = await world.env.model('test.box').read(ids.slice(0, 1), ['note']);
  expect(first?.note).toBe('<p>a <b>b</b></p>'.repeat(1_000));
  for (const [tags, refusal] of [
    ['<b>'.repeat(5_000), 'This is nested too deeply.'],
    ['<b></b>'.repeat(8_001), 'At most 8000 formatted parts; this has 8001.'],
    ['<BR>'.repeat(60_000), 'At most 8000 formatted parts; this has 60000.'],
  ] as const) {
    await expect(world.transact((env) => env.model('test.box').create({ note: tags }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(refusal),
    });
  }
  const most = '<i>a</i>'.repeat(8_000);
  const kept = await world.transact((env) => env.model('test.box').create({ note: most }));
  expect((await world.env.model('test.box').read([kept], ['note']))[0]?.note).toBe(most);
});
