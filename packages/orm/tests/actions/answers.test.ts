import { Decimal, defineModel, fields } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';

let heard: Readonly<Record<string, unknown>> = {};
const colour = defineModel('quiz.colour', { fields: { name: fields.char() } });
const thing = defineModel('quiz.thing', {
  fields: { name: fields.char() },
  actions: {
    tell: {
      asks: {
        count: fields.integer({ min: 1 }),
        weight: fields.float(),
        cost: fields.decimal({ precision: [6, 2] }),
        price: fields.monetary(),
        is_new: fields.boolean(),
        day: fields.date(),
        moment: fields.datetime(),
        kind: fields.selection({ a: 'A', b: 'B' }, { default: 'a' }),
        extra: fields.json(),
        colour_id: fields.many2one('quiz.colour'),
        colour_ids: fields.many2many('quiz.colour'),
        words: fields.text(),
        shown: fields.char({ readonly: true }),
        secret: fields.char({ groups: ['quiz.boss'], required: true }),
      },
      async run({ answers }) {
        heard = answers;
      },
    },
  },
});

let quiz: TestWorld;
let id = 0;
let colours: number[] = [];
beforeAll(async () => {
  quiz = await createTestEnv([colour, thing]);
  await quiz.transact(async (env) => {
    id = await env.model('quiz.thing').create({ name: 'Thing' });
    colours = await env.model('quiz.colour').createMany([{ name: 'Red' }, { name: 'Blue' }]);
  });
});
afterAll(() => quiz.drop());
beforeEach(() => {
  heard = {};
});

const boss = { uid: 1, groups: new Set(['quiz.boss']) };
const tell = (answers: object, actor = boss) =>
  quiz.transact((env) => env.model('quiz.thing').call([id], 'tell', { secret: 's', ...answers }), actor);

describe('answers', () => {
  it('RPC-26 texts are taken as values of their field', async () => {
    const [red, blue] = colours as [number, number];
    await tell({
      count: '12',
      weight: '-0.5',
      cost: '12.50',
      price: '3',
      is_new: 'true',
      day: '2026-11-14',
      moment: '2026-11-14T09:30:00Z',
      kind: 'b',
      extra: '{"a": [1]}',
      colour_id: String(red),
      colour_ids: `${blue}, ${red},${blue}`,
      words: ' as they are ',
    });
    expect(heard).toEqual({
      count: 12,
      weight: -0.5,
      cost: new Decimal('12.5'),
      price: new Decimal(3),
      is_new: true,
      day: '2026-11-14',
      moment: '2026-11-14T09:30:00.000Z',
      kind: 'b',
      extra: { a: [1] },
      colour_id: red,
      colour_ids: [blue, red],
      words: ' as they are ',
      shown: null,
      secret: 's',
    });
  });

  it('RPC-26 values of server code are taken as they are, and what is not said is nothing or its default', async () => {
    await tell({ count: 2, cost: new Decimal('1.25'), is_new: true, colour_ids: colours });
    expect(heard).toMatchObject({ count: 2, cost: new Decimal('1.25'), is_new: true, colour_ids: colours, kind: 'a' });
    await tell({});
    expect(heard).toMatchObject({ count: null, is_new: false, colour_id: null, colour_ids: [], words: null });
    await tell({ count: '', is_new: '0', colour_id: '', colour_ids: '', words: '' });
    expect(heard).toMatchObject({ count: null, is_new: false, colour_id: null, colour_ids: [], words: null });
  });

  it.each([
    ['count', '1.5'],
    ['count', '0'],
    ['count', 'many'],
    ['count', '1e3'],
    ['cost', '12,50'],
    ['cost', '1.234'],
    ['is_new', 'perhaps'],
    ['day', '14.11.2026'],
    ['moment', 'noon'],
    ['kind', 'c'],
    ['extra', '{'],
    ['colour_id', '1.5'],
    ['colour_id', '0x1'],
    ['colour_ids', '1,,2'],
    ['colour_ids', ['x']],
    ['words', 'half \ud800'],
  ])('RPC-26 %s cannot be %j', async (name, given) => {
    expect(await refusal(tell({ [name]: given }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { [name]: [expect.anything()] } },
    });
    expect(heard).toEqual({});
  });

  it('RPC-26 nobody answers what is shown only, or not asked of them', async () => {
    expect(await refusal(tell({ shown: 'x' }))).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field' } });
    const clerk = { uid: 2, groups: new Set(['quiz.clerk']) };
    expect(await refusal(tell({}, clerk))).toMatchObject({ code: 'ACCESS_DENIED', details: { field: 'secret' } });
  });
});
