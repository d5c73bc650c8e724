import { sql } from '@kontor/database';
import { defineModel, fields, type ModelSpec } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { describe, expect, it } from 'vitest';
import { type ModuleWorld, moduleWorld } from './module-world.ts';

const tag = defineModel('shop.tag', { fields: { name: fields.char({ required: true }) } });
const versionOne: ModelSpec = {
  fields: {
    title: fields.char({ required: true, unique: true }),
    size: fields.integer({ index: true }),
    tag_ids: fields.many2many('shop.tag'),
    parent_id: fields.many2one('shop.thing'),
    shout: fields.char({ computed: true }),
  },
  computes: { shout: { depends: ['title'], value: ({ title }) => `${title}!` } },
  indexes: ['title, -size'],
};
const versionTwo: ModelSpec = {
  was: 'shop.thing',
  fields: {
    name: fields.char({ required: true, unique: true, was: 'title' }),
    width: fields.integer({ index: true, was: ['breadth', 'size'] }),
    label_ids: fields.many2many('shop.tag', { was: 'tag_ids' }),
    above_id: fields.many2one('shop.ware', { was: 'parent_id' }),
    call: fields.char({ computed: true, was: 'shout' }),
  },
  computes: { call: { depends: ['name'], value: ({ name }) => `${name}!` } },
  indexes: ['name, -width'],
};
const order = (model: string, path: string) =>
  defineModel('shop.order', {
    fields: { name: fields.char({}), thing_id: fields.many2one(model, {}), path: fields.char({ default: path }) },
  });

async function names(world: ModuleWorld, of: string): Promise<readonly string[]> {
  const rows = await world.database.query<{ name: string }>(sql`
    select indexname as name from pg_indexes where tablename like ${of}
    union all select conname from pg_constraint where conrelid::regclass::text like ${of} and contype = 'f' order by 1`);
  return rows.map(({ name }) => name);
}

describe('LAN-8 renames by declaration', () => {
  long('LAN-8 keep records, links, indexes and keys of fields and models under their new names', async () => {
    const world = await moduleWorld();
    world.write('shop', {}, { models: [tag, defineModel('shop.thing', versionOne), order('shop.thing', '')] });
    const one = world.env((await world.install(['shop'])).registry);
    const red = await one.model('shop.tag').create({ name: 'Red' });
    const root = await one.model('shop.thing').create({ title: 'Root', size: 3, tag_ids: [['link', red]] });
    const leaf = await one.model('shop.thing').create({ title: 'Leaf', size: 4, parent_id: root });
    await one.model('shop.order').create({ name: 'A', thing_id: leaf });

    world.write('shop', {}, { models: [tag, defineModel('shop.ware', versionTwo), order('shop.ware', '')] });
    const done = await world.upgrade(['shop']);
    expect(done.schema.done).toEqual(
      expect.arrayContaining(['shop_thing: renamed to shop_ware', 'shop_ware.title: renamed to name']),
    );
    expect(done.schema.refused).toEqual([]);
    const two = world.env(done.registry);
    expect(
      await two.model('shop.ware').read([root, leaf], ['name', 'width', 'label_ids', 'above_id', 'call']),
    ).toMatchObject([
      { name: 'Root', width: 3, label_ids: [red], above_id: null, call: 'Root!' },
      { name: 'Leaf', width: 4, label_ids: [], above_id: root, call: 'Leaf!' },
    ]);
    expect(await two.model('shop.order').searchRead([], ['thing_id'])).toMatchObject([{ thing_id: leaf }]);

    const renamed = await names(world, 'shop_ware%');
    const fresh = await moduleWorld();
    fresh.write('shop', {}, { models: [tag, defineModel('shop.ware', versionTwo), order('shop.ware', '')] });
    await fresh.install(['shop']);
    const isOwn = (name: string) => !name.endsWith('_pkey');
    expect(renamed.filter(isOwn)).toEqual((await names(fresh, 'shop_ware%')).filter(isOwn));
    expect((await world.upgrade(['shop'])).schema).toEqual({ done: [], refused: [] });
  });

  it('LAN-8 reach rights, rules, searches, tiles, screens and external ids, through relations too', async () => {
    const world = await moduleWorld();
    const thing = '<data><record id="first" model="shop.thing"><field name="title">First</field></record></data>';
    world.write(
      'shop',
      { 'data/a.xml': thing },
      { models: [tag, defineModel('shop.thing', versionOne), order('shop.thing', '')] },
    );
    const one = world.env((await world.install(['shop'])).registry);
    const first = await one.ref('shop.first');
    await one.model('sys.access').create({ name: 'All', model: 'shop.thing', perm_read: true });
    const rule = await one.model('sys.rule').create({
      name: 'Big',
      model: 'shop.order',
      domain: ['|', ['thing_id.size', '>', 3], ['thing_id.parent_id.title', '=', 'size']],
    });
    const board = await one.model('sys.board').create({ name: 'Board', user_id: null });
    const domain = JSON.stringify([['title', 'ilike', 'x']]);
    const query = new URLSearchParams({ domain, group_by: 'parent_id,size', sort: '-size', filter: 'size' }).toString();
    const tile = await one
      .model('sys.board.tile')
      .create({ name: 'Tile', board_id: board, model: 'shop.thing', query });
    const arch = `<list id="own" model="shop.thing"><field name="title" invisible='[["size", "=", 1]]'/></list>`;
    const view = await one.model('sys.view').create({ name: 'Own', model: 'shop.thing', type: 'list', arch });
    const lost = await one.model('sys.rule').create({ name: 'Lost', model: 'shop.thing', domain: [] });
    const gone = JSON.stringify([['colour', '=', 1]]);
    await world.database.execute(sql`update sys_rule set domain = ${gone}::jsonb where id = ${lost}`);

    world.write(
      'shop',
      { 'data/a.xml': thing.replace('shop.thing', 'shop.ware').replace('title', 'name') },
      { models: [tag, defineModel('shop.ware', versionTwo), order('shop.ware', '')] },
    );
    const done = await world.upgrade(['shop']);
    const two = world.env(done.registry);
    expect(await two.ref('shop.first')).toBe(first);
    expect(await two.model('sys.access').searchRead([['name', '=', 'All']], ['model'])).toMatchObject([
      { model: 'shop.ware' },
    ]);
    expect(await two.model('sys.rule').read([rule], ['domain'])).toMatchObject([
      { domain: ['|', ['thing_id.width', '>', 3], ['thing_id.above_id.name', '=', 'size']] },
    ]);
    const [search] = await two.model('sys.board.tile').read([tile], ['model', 'query']);
    expect(search?.model).toBe('shop.ware');
    expect(Object.fromEntries(new URLSearchParams(String(search?.query)))).toEqual({
      domain: JSON.stringify([['name', 'ilike', 'x']]),
      group_by: 'above_id,width',
      sort: '-width',
      filter: 'size',
    });
    const [own] = await two.model('sys.view').read([view], ['model', 'arch']);
    expect(own).toMatchObject({ model: 'shop.ware', arch: expect.stringContaining('<field name="name" invisible=') });
    expect(String(own?.arch)).toContain('[[&quot;width&quot;,&quot;=&quot;,1]]');
    expect(done.broken).toEqual([
      `Record rule #${lost} (sys.rule.domain) names "colour", which shop.ware does not have.`,
    ]);
  });

  it('LAN-8 are refused where the old name is in use, said twice or no name', async () => {
    const world = await moduleWorld();
    const refuses = async (spec: ModelSpec, message: string) => {
      world.write('shop', {}, { models: [tag, defineModel('shop.thing', spec)] });
      await expect(world.install(['shop'])).rejects.toThrow(message);
    };
    const name = fields.char({});
    await refuses({ was: 'shop.tag', fields: { name } }, 'was "shop.tag", which is the name of a model.');
    await refuses(
      { fields: { name, other: fields.char({ was: 'name' }) } },
      'was "name", which is the name of a field.',
    );
    await refuses(
      { fields: { a: fields.char({ was: 'c' }), b: fields.char({ was: 'c' }) } },
      'was "c", and so says "a".',
    );
    await refuses({ fields: { a: fields.char({ was: 'No' }) } }, 'was "No": no field can have had this name.');
    await refuses({ fields: { a: fields.json({ names: 'domain' }) } }, "give one names: 'model'.");
  });
});
