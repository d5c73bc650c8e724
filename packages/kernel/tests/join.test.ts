import { dueJoins, sql } from '@kontor/database';
import { defineModel, fields, type ModelDefinition, schemaRenames } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { describe, expect, it } from 'vitest';
import { type ModuleWorld, moduleWorld } from './module-world.ts';

const crew = (name: string, more: Parameters<typeof defineModel>[1]['fields'], spec: object = {}) =>
  defineModel(name, {
    ...spec,
    fields: {
      name: fields.char({ required: true }),
      place: fields.char({}),
      active: fields.boolean({ default: true }),
      ...more,
    },
  });
const work = (name: string, relation: string) =>
  defineModel(name, {
    fields: {
      crew_id: fields.many2one(relation, { required: true }),
      helper_ids: fields.many2many(relation),
      about: fields.reference(),
    },
  });
const screens = defineModel('shop.screen', {
  fields: { model: fields.char({ names: 'model' }), values: fields.json({}), res_id: fields.integer({}) },
  uniques: { one_each: { fields: ['model', 'res_id'] } },
});

const before: readonly ModelDefinition[] = [
  crew('shop.gang', { size: fields.integer({}), above_id: fields.many2one('shop.gang') }),
  crew('shop.crew', { note: fields.char({ required: true, default: '-' }) }),
  ...[work('shop.digging', 'shop.gang'), work('shop.baking', 'shop.crew'), screens],
];
const after: readonly ModelDefinition[] = [
  crew(
    'shop.crew',
    {
      ...{ note: fields.char({ required: true, default: '-' }), width: fields.integer({ was: 'size' }) },
      above_id: fields.many2one('shop.crew'),
    },
    { was: 'shop.gang', joinedBy: ['name', 'place'] },
  ),
  ...[work('shop.digging', 'shop.crew'), work('shop.baking', 'shop.crew'), screens],
];

async function fill(world: ModuleWorld) {
  world.write('shop', {}, { models: before });
  const one = world.env((await world.install(['shop'])).registry);
  const [lone, same, loose] = [
    await one.model('shop.gang').create({ name: 'Lone', size: 1 }),
    await one.model('shop.gang').create({ name: 'North', place: 'Oslo', size: 7 }),
    await one.model('shop.gang').create({ name: 'North', place: 'Bergen' }),
  ];
  await one.model('shop.gang').write([same], { above_id: lone });
  const [kept, other] = [
    await one.model('shop.crew').create({ name: 'North', place: 'Oslo', note: 'ours', active: false }),
    await one.model('shop.crew').create({ name: 'South' }),
  ];
  const digging = await one.model('shop.digging').create({
    ...{ crew_id: same, helper_ids: [['set', [lone, same, loose]]], about: `shop.gang,${lone}` },
  });
  const baking = await one.model('shop.baking').create({ crew_id: kept, helper_ids: [['set', [kept, other]]] });
  return { one, lone, same, loose, kept, other, digging, baking };
}

describe('LAN-22 an earlier model beside its successor', () => {
  it('LAN-22 joins the records of both: equal ones become one, others are added, and relations follow', async () => {
    const world = await moduleWorld();
    const { same, kept, other, digging, baking } = await fill(world);
    world.write('shop', {}, { models: after });
    const done = await world.upgrade(['shop']);
    expect(done.schema.done).toContain('shop_gang: joined with shop_crew');
    expect(done.schema.refused).toEqual([]);
    const two = world.env(done.registry);
    const all = await two.model('shop.crew').searchRead([], ['name', 'place', 'note', 'width', 'above_id', 'active'], {
      ...{ order: 'id', activeTest: false },
    });
    const [first, second, added, loose] = all;
    expect(all.map(({ id: _, ...values }) => values)).toEqual([
      { name: 'North', place: 'Oslo', note: 'ours', width: 7, above_id: added?.id, active: true },
      { name: 'South', place: null, note: '-', width: null, above_id: null, active: true },
      { name: 'Lone', place: null, note: '-', width: 1, above_id: null, active: true },
      { name: 'North', place: 'Bergen', note: '-', width: null, above_id: null, active: true },
    ]);
    expect([first?.id, second?.id]).toEqual([kept, other]);
    expect(same).not.toBe(kept);
    expect(await two.model('shop.digging').read([digging], ['crew_id', 'helper_ids', 'about'])).toMatchObject([
      { crew_id: kept, helper_ids: [kept, added?.id, loose?.id], about: `shop.crew,${added?.id}` },
    ]);
    expect(await two.model('shop.baking').read([baking], ['crew_id', 'helper_ids'])).toMatchObject([
      { crew_id: kept, helper_ids: [kept, other] },
    ]);
    expect((await world.upgrade(['shop'])).schema).toEqual({ done: [], refused: [] });
  });

  long(
    'LAN-22 gives their new ids to conditions, values, external ids and rows about records, and leaves those of others',
    async () => {
      const world = await moduleWorld();
      const { one, lone, same, kept } = await fill(world);
      const rule = (model: string, domain: unknown) => one.model('sys.rule').create({ name: model, model, domain });
      const rules = [
        await rule('shop.digging', ['|', ['crew_id', 'in', [same, lone]], ['crew_id.above_id.id', '=', lone]]),
        await rule('shop.baking', [['crew_id', '=', kept]]),
        await rule('shop.gang', [
          ['id', '=', same],
          ['size', '=', same],
        ]),
      ];
      const board = await one.model('sys.board').create({ name: 'Board', user_id: null });
      const query = new URLSearchParams({ domain: JSON.stringify([['crew_id', '=', same]]), filter: 'x' }).toString();
      const tile = await one
        .model('sys.board.tile')
        .create({ name: 'T', board_id: board, model: 'shop.digging', query });
      const values = {
        default_crew_id: same,
        deep: [{ model: 'shop.baking', crew_id: same }, { crew_id: { value: same } }],
      };
      const screen = one.model('shop.screen');
      const about = [
        await screen.create({ model: 'shop.digging', values }),
        await screen.create({ model: 'shop.gang', res_id: lone }),
        await screen.create({ model: 'shop.gang', res_id: same }),
        await screen.create({ model: 'shop.crew', res_id: kept }),
      ];

      world.write('shop', {}, { models: after });
      const done = await world.upgrade(['shop']);
      const two = world.env(done.registry);
      const [added = 0] = await two.model('shop.crew').search([['name', '=', 'Lone']]);
      expect((await two.model('sys.rule').read(rules, ['model', 'domain'])).map(({ id: _, ...row }) => row)).toEqual([
        { model: 'shop.digging', domain: ['|', ['crew_id', 'in', [kept, added]], ['crew_id.above_id.id', '=', added]] },
        { model: 'shop.baking', domain: [['crew_id', '=', kept]] },
        {
          model: 'shop.crew',
          domain: [
            ['id', '=', kept],
            ['width', '=', same],
          ],
        },
      ]);
      const [shown] = await two.model('sys.board.tile').read([tile], ['query']);
      expect(new URLSearchParams(String(shown?.query)).get('domain')).toBe(JSON.stringify([['crew_id', '=', kept]]));
      const rows = await two.model('shop.screen').searchRead([['id', 'in', about]], ['model', 'values', 'res_id']);
      expect(rows.map(({ id: _, ...row }) => row)).toEqual([
        {
          model: 'shop.digging',
          values: { ...values, default_crew_id: kept, deep: [values.deep[0], { crew_id: { value: kept } }] },
          res_id: null,
        },
        { model: 'shop.crew', values: null, res_id: added },
        { model: 'shop.crew', values: null, res_id: kept },
      ]);
    },
  );

  it('LAN-22 OPS-11 is named before the upgrade, and only a database that has both is changed', async () => {
    const world = await moduleWorld();
    await fill(world);
    world.write('shop', {}, { models: after });
    const { registry } = await world.change(async (context) => {
      const { assembleModules } = await import('../addons/assemble-modules.ts');
      return {
        ...(await assembleModules(context, ['base', 'shop'])),
        states: new Map(),
        reports: [],
        broken: [],
        schema: { done: [], refused: [] },
      };
    });
    expect(await dueJoins(world.database, schemaRenames(registry))).toEqual(['shop_gang: joined with shop_crew']);
    await world.database.execute(sql`drop table shop_gang cascade`);
    expect(await dueJoins(world.database, schemaRenames(registry))).toEqual([]);
    world.write('shop', {}, { models: [crew('shop.crew', {}, { joinedBy: ['colour'] })] });
    await expect(world.upgrade(['shop'])).rejects.toThrow('it is joined by "colour", which is no stored field.');
  });
});
