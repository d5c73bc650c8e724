import { Decimal, defineModel, type Env, fields, inheritModel } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal } from './shop.ts';

const heard: string[] = [];
const say = (text: string) => heard.push(text);

const task = defineModel('test.task', {
  fields: {
    name: fields.char({ required: true }),
    code: fields.char({ readonly: true }),
    hours: fields.decimal({ default: 2 }),
    step_ids: fields.one2many('test.step', 'task_id'),
  },
  hooks: {
    async beforeCreate({ values }) {
      say('first');
      return values.map((row) => ({ ...row, code: `${row.name}!` }));
    },
    async afterCreate({ env, ids, values }) {
      say(`created ${values.map((row) => row.code)}`);
      expect(values.map((row) => row.hours)).toEqual(values.map(() => new Decimal(2)));
      expect(await env.model('test.task').count([['id', 'in', [...ids]]])).toBe(ids.length);
    },
    async beforeWrite({ ids, values }) {
      say(`before ${ids.length} ${Object.keys(values)}`);
      return 'name' in values ? { ...values, code: `${values.name}?`, hours: '3' } : values;
    },
    async afterWrite({ ids, values }) {
      say(`after ${ids.length} ${Object.keys(values)}`);
      expect(values.hours).toEqual(new Decimal(3));
    },
  },
});
const step = defineModel('test.step', {
  fields: {
    task_id: fields.many2one('test.task', { required: true, ondelete: 'cascade' }),
    name: fields.char({ required: true }),
    rank: fields.integer({ readonly: true }),
    note: fields.char(),
  },
  hooks: {
    on: ['note', 'rank'],
    async beforeWrite({ values }) {
      say(`step before ${Object.keys(values)}`);
      return 'note' in values ? { ...values, rank: 7 } : values;
    },
  },
});
const moreSteps = inheritModel('test.step', {
  hooks: {
    on: ['rank'],
    async afterWrite({ ids, values }) {
      say(`step after ${ids.length} ${Object.keys(values)}`);
    },
  },
});
const more = inheritModel('test.task', {
  hooks: {
    async beforeCreate({ values }) {
      say('second');
      return values.map((row) => (row.step_ids ? row : { ...row, step_ids: [['create', { name: 'made', rank: 1 }]] }));
    },
  },
});

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop([task, step, more, moreSteps]);
});
afterAll(() => shop.drop());
beforeEach(() => {
  heard.length = 0;
});

const user = { uid: 2 };
const outside = <T>(work: (env: Env) => Promise<T>) => shop.transact((env) => work(env.outside(true)), user);

describe('hooks', () => {
  it('hooks of a create are chained, once for many records, and may set readonly fields', async () => {
    const ids = await outside((env) => env.model('test.task').createMany([{ name: 'a' }, { name: 'b' }]));
    expect(heard).toEqual(['first', 'second', 'created a!,b!']);
    const read = await shop.env.model('test.task').read(ids, ['code', { step_ids: ['name', 'rank'] }]);
    expect(read).toMatchObject([
      { code: 'a!', step_ids: [{ name: 'made', rank: 1 }] },
      { code: 'b!', step_ids: [{ name: 'made', rank: 1 }] },
    ]);
  });

  it("ACC-2 lines of the caller stay the caller's beside lines that a hook makes", async () => {
    const own = { name: 'a', step_ids: [['create', { name: 'mine', rank: 9 }]] };
    const refused = await refusal(outside((env) => env.model('test.task').createMany([own, { name: 'b' }])));
    expect(refused).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'field', model: 'test.step', field: 'rank' },
    });
  });

  it('hooks of a write run once, and after it only where something changed', async () => {
    const [a, b] = (await outside((env) => env.model('test.task').createMany([{ name: 'a' }, { name: 'b' }]))) as [
      number,
      number,
    ];
    heard.length = 0;
    await outside((env) => env.model('test.task').write([a, b], { name: 'c' }));
    expect(heard).toEqual(['before 2 name', 'after 2 name,code,hours']);
    heard.length = 0;
    await outside((env) => env.model('test.task').write([a, b], { name: 'c' }));
    expect(heard).toEqual(['before 2 name']);
    expect((await shop.env.model('test.task').read([b], ['code']))[0]?.code).toBe('c?');
  });

  it('PRF-8 hooks that are on some fields run for writes of these, and for what another hook sets', async () => {
    const steps = shop.env.model('test.step');
    const [first, second] = (await steps.search([], { limit: 2 })) as [number, number];
    const write = (rows: Parameters<typeof steps.writeEach>[0]) =>
      shop.transact((env) => env.model('test.step').writeEach(rows));
    heard.length = 0;
    await write([{ id: first, values: { name: 'other' } }]);
    expect(heard).toEqual([]);
    await write([{ id: first, values: { note: 'n' } }]);
    expect(heard).toEqual(['step before note', 'step after 1 note,rank']);
    heard.length = 0;
    const same = { rank: 8 };
    await write([
      { id: first, values: same },
      { id: second, values: { name: 'not watched' } },
    ]);
    expect(heard).toEqual(['step before rank', 'step after 1 rank']);
  });

  it('hooks that invent a field are told so', async () => {
    const broken = inheritModel('test.task', {
      hooks: { beforeCreate: async ({ values }) => values.map((row) => ({ ...row, coda: 1 })) },
    });
    const world = await openShop([task, step, broken]);
    try {
      expect(await refusal(world.transact((env) => env.model('test.task').create({ name: 'a' })))).toMatchObject({
        code: 'INVALID_ARGS',
        details: { field: 'coda', hint: 'code' },
      });
    } finally {
      await world.drop();
    }
  });
});

describe('env', () => {
  it('env: those made from one another share transaction, clock and unit of work', async () => {
    await shop.transact(async (env) => {
      const other = env.as({ ...env.actor, uid: 9 });
      const family = [env.sudo(), other, other.sudo(), env.outside(true).sudo()];
      for (const each of family) {
        expect([each.db, each.work, each.now, each.policy]).toEqual([env.db, env.work, env.now, env.policy]);
      }
      // For a caller outside the same handle has bounds.
      const outside = env.outside(true);
      expect([outside.work, outside.now, outside.policy]).toEqual([env.work, env.now, env.policy]);
      expect(Object.getPrototypeOf(outside.db)).toBe(env.db);
      expect(other).toMatchObject({ uid: 9, isSudo: false });
      expect(env.outside(true).sudo()).toMatchObject({ isSudo: true, isOutside: false });
      expect(other.sudo().uid).toBe(9);
      await makeOrder(other);
      expect(env.work.changes.length).toBeGreaterThan(0);
    });
  });

  it('an unknown model is MODEL_NOT_FOUND', () => {
    expect(() => shop.env.model('shop.odrer')).toThrow(expect.objectContaining({ code: 'MODEL_NOT_FOUND' }));
  });
});
