import { defineModel, type Env, fields, inheritModel } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openTrade } from '../computing/trade.ts';

/** Counts over records that a rule may hide, and a text that is made from such a count. */
const counted = inheritModel('trade.partner', {
  fields: {
    visit_ids: fields.one2many('trade.visit', 'partner_id'),
    visit_count: fields.integer({ computed: true }),
  },
  computes: { visit_count: { count: 'visit_ids' } },
});
const told = (partner: unknown) => (partner as { visit_count: number } | null)?.visit_count ?? 0;
const visit = defineModel('trade.visit', {
  fields: {
    name: fields.char(),
    date: fields.date(),
    is_secret: fields.boolean(),
    partner_id: fields.many2one('trade.partner'),
    standing: fields.char({ computed: true }),
  },
  computes: {
    standing: { depends: ['partner_id.visit_count'], value: ({ partner_id }) => `${told(partner_id)} visits` },
  },
  onchange: {
    date: {
      reads: ['partner_id.visit_count'],
      value: ({ partner_id }) => ({ name: `${told(partner_id)} known` }),
    },
  },
});

let trade: TestWorld;
let manager: Env;
beforeAll(async () => {
  trade = await openTrade([counted, visit]);
  manager = trade.as({ uid: 2, groups: new Set(['trade.manager']) });
});
afterAll(() => trade.drop());

describe('what onchange reads', () => {
  it('CMP-15 onchange counts only what its reader may read, whatever path leads there', async () => {
    const partner_id = await trade.transact((env) => env.model('trade.partner').create({ name: 'Ada' }));
    const make = (is_secret: boolean) =>
      trade.transact((env) => env.model('trade.visit').create({ partner_id, is_secret }));
    const [id] = [await make(false), await make(true)];
    const rule = {
      name: 'no secret ones',
      domain: parseDomain([['is_secret', '=', false]]),
      groups: [],
      operations: new Set(['read'] as const),
    };
    const limited = trade.as({ uid: 4 }, trade.database, { rules: new Map([['trade.visit', [rule]]]) });
    const changed = async (env: Env, values: object, name: string, of?: number) =>
      (await env.model('trade.visit').onchange(values as never, [name], of === undefined ? {} : { id: of })).value;
    const [read] = await limited.model('trade.visit').read([id], ['standing']);
    expect(read).toMatchObject({ standing: '1 visits' });
    expect(await changed(limited, { partner_id }, 'partner_id', id)).toMatchObject({ standing: '1 visits' });
    expect(await changed(limited, { partner_id }, 'partner_id')).toMatchObject({ standing: '1 visits' });
    expect(await changed(limited, { partner_id, date: '2026-01-01' }, 'date')).toMatchObject({ name: '1 known' });
    expect(await changed(manager, { partner_id }, 'partner_id')).toMatchObject({ standing: '2 visits' });
  });

  it('CMP-15 onchange computes nothing for a stored line that a rule hides and the caller names', async () => {
    const id = await trade.transact((env) => makeOrder(env, [10, 20]));
    const [, second] = (await trade.env.model('trade.line').search([['order_id', '=', id]], { order: 'id' })) as [
      number,
      number,
    ];
    const rule = {
      name: 'small lines',
      domain: parseDomain([['price', '<', 15]]),
      groups: [],
      operations: new Set(['read'] as const),
    };
    const limited = trade.as({ uid: 4 }, trade.database, { rules: new Map([['trade.line', [rule]]]) });
    const line_ids = [['update', second, { qty: 3 }]];
    const { value } = await limited.model('trade.order').onchange({ line_ids } as never, ['line_ids'], { id });
    expect(JSON.stringify(value)).not.toContain('subtotal');
  });
});
