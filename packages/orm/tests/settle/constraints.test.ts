import { defineModel, fields, inOperation } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look, makeOrder, openTrade, refusal } from '../computing/trade.ts';

const checked: string[] = [];
const range = defineModel('trade.range', {
  fields: {
    low: fields.integer({ default: 0 }),
    high: fields.integer({ default: 10 }),
    partner_id: fields.many2one('trade.partner'),
    note: fields.char(),
    parts: fields.integer({ default: 1 }),
    share: fields.integer({ computed: true, stored: true }),
  },
  computes: {
    share: {
      depends: ['high', 'parts'],
      value: ({ high, parts }) => {
        if (parts === 0) throw new RangeError('Division by zero');
        return Math.round(Number(high) / Number(parts));
      },
    },
  },
  hooks: {
    async afterWrite({ values }) {
      if (values.low === -7) throw new RangeError('A hook cannot do with it');
    },
  },
  constraints: {
    divisible: { on: ['parts'], holds: ({ parts }) => Number(parts) !== 0, message: 'Not in this many.' },
    ordered: {
      on: ['low', 'high'],
      holds: (record) => {
        checked.push(`ordered ${record.id}`);
        return Number(record.low) <= Number(record.high);
      },
      message: 'Low must not be above high.',
      field: 'high',
    },
    positive: { on: ['low'], holds: ({ low }) => Number(low) >= 0, message: 'Low must not be negative.' },
    known: {
      on: ['partner_id'],
      reads: ['partner_id.country'],
      holds: ({ partner_id }) => partner_id === null || (partner_id as { country: unknown }).country !== 'XX',
      message: 'Not there.',
    },
    careless: { on: ['note'], holds: (record) => record.note === null || record.low !== 3, message: 'Never.' },
  },
});

let trade: TestWorld;
beforeAll(async () => {
  trade = await openTrade([range]);
});
afterAll(() => trade.drop());

describe('constraints', () => {
  it('CMP-4 constraint tells every violation at its field, and nothing is written', async () => {
    const refused = await refusal(trade.transact((env) => env.model('trade.range').create({ low: -1, high: -5 })));
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { high: ['Low must not be above high.'], low: ['Low must not be negative.'] } },
    });
    expect(await trade.env.model('trade.range').count()).toBe(0);
  });

  it('CMP-4 constraint is told, not the failure of a hook or a compute that its value breaks', async () => {
    const id = await trade.transact((env) => env.model('trade.range').create({ high: 8, parts: 2 }));
    const refused = await refusal(trade.transact((env) => env.model('trade.range').write([id], { parts: 0 })));
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', details: { fields: { parts: ['Not in this many.'] } } });
    const hooked = await refusal(trade.transact((env) => env.model('trade.range').write([id], { low: -7 })));
    expect(hooked).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { low: ['Low must not be negative.'] } },
    });
    await trade.transact((env) => env.model('trade.range').unlink([id]));
  });

  it('CMP-4 constraint runs only for records and fields that changed', async () => {
    const [a, b] = (await trade.transact((env) => env.model('trade.range').createMany([{}, {}]))) as [number, number];
    checked.length = 0;
    await trade.transact((env) => env.model('trade.range').write([a, b], { partner_id: null }));
    await trade.transact((env) =>
      env.model('trade.range').writeEach([
        { id: a, values: { low: 0 } },
        { id: b, values: { low: 1 } },
      ]),
    );
    expect(checked).toEqual([`ordered ${b}`]);
  });

  it('CMP-4 constraint reads declared paths under the rights of the system', async () => {
    const partner_id = await trade.transact((env) => env.model('trade.partner').create({ name: 'X', country: 'XX' }));
    const refused = await refusal(trade.transact((env) => env.model('trade.range').create({ partner_id })));
    expect(refused.details).toMatchObject({ fields: { partner_id: ['Not there.'] } });
  });

  it('CMP-4 constraint that reads an undeclared path throws', async () => {
    const creating = trade.transact((env) => env.model('trade.range').create({ note: 'x' }));
    await expect(creating).rejects.toThrow('The constraint trade.range.careless reads low');
  });

  it('CMP-4 constraint on a list runs when a line goes by itself, and tells whose field it is, by its label', async () => {
    const order = await trade.transact((env) => makeOrder(env, [1], { state: 'sale' }));
    const lines = await trade.env.model('trade.line').search([['order_id', '=', order]]);
    const refused = await refusal(trade.transact((env) => env.model('trade.line').unlink(lines)));
    expect(refused.message).toBe('State: Add a line before confirming.');
    expect(refused.details).toEqual({ model: 'trade.order', fields: { state: ['Add a line before confirming.'] } });
    const other = await trade.transact((env) => makeOrder(env));
    expect(
      await refusal(trade.transact((env) => env.model('trade.line').write(lines, { order_id: other }))),
    ).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await look(trade.env, 'trade.order', order, 'lines')).toEqual({ lines: 1 });
  });

  it('CMP-4 constraint on a computed field runs when it is recomputed', async () => {
    const order = await trade.transact((env) => makeOrder(env, [1]));
    const refused = await refusal(
      trade.transact((env) => env.model('trade.line').create({ order_id: order, price: -5 })),
    );
    expect(refused.details).toEqual({ model: 'trade.order', fields: { discount: ['The discount is too large.'] } });
  });

  it('CMP-4 constraint looks at the end of an operation, not between its steps', async () => {
    await trade.transact((env) =>
      inOperation(env, async () => {
        const order = await makeOrder(env, [], { state: 'sale' });
        await env.model('trade.line').create({ order_id: order, price: 1 });
      }),
    );
    const running = trade.transact((env) => inOperation(env, () => makeOrder(env, [], { state: 'sale' })));
    expect(await refusal(running)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('CMP-4 constraint is silent about what was removed in the same operation', async () => {
    await trade.transact((env) =>
      inOperation(env, async () => {
        const order = await makeOrder(env, [], { state: 'sale' });
        await env.model('trade.order').unlink([order]);
      }),
    );
  });
});
