import { sql } from '@kontor/database';
import { assembleRegistry, defineModel, type Env, fields, tableSpecs } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop } from './shop.ts';

const models = [
  defineModel('core.user', { fields: { name: fields.char({ required: true }) } }),
  defineModel('log.page', { fields: { name: fields.char(), line_ids: fields.one2many('log.line', 'page_id') } }),
  defineModel('log.line', {
    fields: {
      page_id: fields.many2one('log.page', { required: true, ondelete: 'cascade', key: false }),
      reader_id: fields.many2one('core.user', { key: false }),
      judge_id: fields.many2one('core.user', { ondelete: 'restrict', key: false }),
      page_author_id: fields.many2one('core.user', { related: 'page_id.create_uid', stored: true }),
      reader_name: fields.char({ computed: true, stored: true }),
    },
    computes: {
      reader_name: {
        depends: ['reader_id.name'],
        value: ({ reader_id: reader }) => (reader as { name: string } | null)?.name ?? null,
      },
    },
  }),
];

let world: TestWorld;
beforeAll(async () => {
  world = await openShop(models);
});
afterAll(() => world.drop());

async function person(env: Env, name: string): Promise<number> {
  return env.model('core.user').create({ name });
}

describe('REC-17 a many2one without a key', () => {
  it('has none in the database, nor has what is taken from it, but an index', () => {
    const line = tableSpecs(world.registry).find(({ name }) => name === 'log_line');
    expect(line?.foreignKeys.map(({ column }) => column)).toEqual([]);
    expect(line?.indexes.map(({ columns }) => columns[0])).toContain('"page_id"');
  });

  it('is emptied, goes along or refuses as any other when the other is deleted', async () => {
    await world.transact(async (env) => {
      const [gone, stays] = [await person(env, 'Gone'), await person(env, 'Stays')];
      const page = await env.model('log.page').create({ name: 'One' });
      await env.db.execute(sql`update log_page set create_uid = ${gone}, write_uid = ${stays}`);
      const line = await env.model('log.line').create({ page_id: page, reader_id: gone, judge_id: stays });
      await env.db.execute(sql`update log_line set create_uid = ${gone}`);
      await expect(env.model('core.user').unlink([stays])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await env.model('core.user').unlink([gone]);
      const [read] = await env
        .model('log.line')
        .read([line], ['reader_id', 'reader_name', 'create_uid', 'page_author_id']);
      expect(read).toMatchObject({ reader_id: null, reader_name: null, create_uid: null, page_author_id: null });
      expect(await env.db.arrays(sql`select create_uid, write_uid from log_page`)).toEqual([[null, stays]]);
      await env.model('log.page').unlink([page]);
      expect(await env.db.arrays(sql`select id from log_line`)).toEqual([]);
    });
  });

  it('with the number of what is gone is read, searched, sorted and grouped as one that leads nowhere', async () => {
    await world.transact(async (env) => {
      const page = await env.model('log.page').create({ name: 'Two' });
      await env.db.execute(sql`update log_page set create_uid = 4000`);
      const line = await env.model('log.line').create({ page_id: page });
      await env.db.execute(sql`update log_line set create_uid = 4000, reader_id = 4000 where id = ${line}`);
      const names = ['create_uid', 'create_uid.name', 'create_uid.display_name', 'reader_id.name'];
      const [row] = await env
        .model('log.line')
        .searchRead([['id', '=', line]], names, { order: 'create_uid.name, id' });
      expect(row).toMatchObject({ create_uid: 4000, 'create_uid.name': null, 'create_uid.display_name': null });
      expect(await env.model('log.line').search([['create_uid.name', 'ilike', 'a']])).toEqual([]);
      const groups = await env.model('log.line').readGroup({ domain: [], groupby: ['create_uid'], fields: [] });
      expect(groups).toHaveLength(1);
      const other = await env.model('log.page').create({ name: 'Three' });
      await env.model('log.line').write([line], { page_id: other });
      await env.model('log.line').copy(line);
      await env.model('log.line').write([line], { reader_id: null });
      await env.model('log.line').unlink([line]);
    });
  });

  it('is a many2one', () => {
    const wrong = defineModel('log.bad', { fields: { name: fields.char({ key: false } as object) } });
    expect(() => assembleRegistry([{ module: 'log', definitions: [wrong] }])).toThrow(
      'only a many2one can be without a key.',
    );
  });
});
