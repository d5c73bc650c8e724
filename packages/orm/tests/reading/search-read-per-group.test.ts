import { type Env, type PerGroupSpec, searchReadPerGroup } from '@kontor/orm';
import { expectQueries } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShop, type Shop } from './shop.ts';

let shop: Shop;
let user: Env;
let partners: number[];

beforeAll(async () => {
  shop = await createShop();
  user = shop.user();
  partners = await shop.insert('t.partner', [{ name: 'Zoe' }, { name: 'Abe' }, { name: 'Mia', hidden: true }]);
  const [zoe, abe, mia] = partners;
  await shop.insert('t.order', [
    { name: 'a1', partner_id: abe, state: 'draft', qty: 3, day: '2026-01-05' },
    { name: 'a2', partner_id: abe, state: 'draft', qty: 1, day: '2026-01-06' },
    { name: 'a3', partner_id: abe, state: 'sale', qty: 2, day: '2026-02-01' },
    { name: 'z1', partner_id: zoe, state: 'sale', qty: 9 },
    { name: 'm1', partner_id: mia, state: 'sale', qty: 5 },
    { name: 'n1', qty: 4 },
  ]);
});
afterAll(() => shop.drop());

describe('the first records of every group', () => {
  const names = async (spec: Omit<PerGroupSpec, 'projection'>, env = user) => {
    const rows = await searchReadPerGroup(env, env.registry.model('t.order'), { projection: ['name'], ...spec });
    return rows.map((row) => row.name).sort();
  };

  it('WSP-20 takes as many of each group as asked for, also of records without a value', async () => {
    expect(await names({ by: 'state', limit: 1, order: 'qty' })).toEqual(['a2', 'a3', 'n1']);
    expect(await names({ by: 'state', limit: 2, order: 'qty' })).toEqual(['a1', 'a2', 'a3', 'm1', 'n1']);
    expect(await names({ by: 'partner_id', limit: 1, order: '-name' })).toEqual(['a3', 'm1', 'n1', 'z1']);
    expect(await names({ by: 'day:month', limit: 1, order: '-day', domain: [['day', '!=', null]] })).toEqual([
      'a2',
      'a3',
    ]);
    expect(await names({ by: 'state', limit: 0 })).toEqual([]);
  });

  it('WSP-20 keeps the order within a group and reads everything in one statement', async () => {
    const order = user.registry.model('t.order');
    const rows = await expectQueries(user.db, 1, () =>
      searchReadPerGroup(user, order, {
        by: 'state',
        limit: 40,
        order: 'partner_id, -qty',
        projection: ['state', 'name', 'partner_id.display_name'],
      }),
    );
    const drafts = rows.filter((row) => row.state === 'draft').map((row) => row.name);
    expect(drafts).toEqual(['a1', 'a2']);
    const hidden = rows.find((row) => row.name === 'm1');
    expect(hidden).toMatchObject({ state: 'sale', 'partner_id.display_name': null });
  });

  it('WSP-20 refuses what has no single value and what does not exist', async () => {
    await expect(names({ by: 'tag_ids', limit: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(names({ by: 'nothing', limit: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(names({ by: 'state', limit: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });
});
