import { syncSchema } from '@kontor/database';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleRegistry, defineModel, describeConstraints, fields, inheritModel, now, tableSpecs } from '../index.ts';
import { databaseName } from '../model/database-name.ts';

const longName = 'a_field_whose_name_alone_is_already_quite_long_for_an_index';
const base = {
  module: 'base',
  definitions: [
    defineModel('core.user', {
      label: 'User',
      fields: { login: fields.char({ required: true, unique: true, size: 64 }) },
    }),
    defineModel('core.tag', { label: 'Tag', fields: { name: fields.char({}) } }),
  ],
};
const sale = {
  module: 'sale',
  definitions: [
    defineModel('sale.order', {
      label: 'Order',
      fields: {
        name: fields.char({ required: true }),
        state: fields.selection({ draft: 'Draft', done: "Done'" }, { required: true, default: 'draft' }),
        kind: fields.selection({ small: 'Small', big: 'Big' }, { required: true }),
        user_id: fields.many2one('core.user', { required: true }),
        helper_id: fields.many2one('core.user', {}),
        parent_id: fields.many2one('sale.order', { ondelete: 'cascade' }),
        total: fields.decimal({ precision: [16, 2], default: '1.50' }),
        due: fields.datetime({ required: true, default: now }),
        open: fields.boolean({}),
        shown: fields.boolean({ default: true }),
        extra: fields.json({ default: { a: "it's" } }),
        line_state: fields.char({ index: true }),
        note: fields.text({ default: () => 'worked out' }),
        [longName]: fields.char({ unique: true }),
        tag_ids: fields.many2many('core.tag', {}),
        line_ids: fields.one2many('sale.order.line', 'order_id', {}),
      },
      uniques: { name_and_user: { fields: ['name', 'user_id'], message: 'This person has such an order.' } },
      indexes: ['state, -due'],
    }),
    defineModel('sale.order.line', {
      label: 'Line',
      fields: {
        order_id: fields.many2one('sale.order', { required: true, ondelete: 'cascade' }),
        state: fields.char({ index: true }),
      },
    }),
    inheritModel('core.tag', { fields: { order_ids: fields.many2many('sale.order', {}) } }),
  ],
};
const registry = assembleRegistry([base, sale]);
const specs = tableSpecs(registry);
const specOf = (name: string) => specs.find((table) => table.name === name);
const columnOf = (name: string, of = 'sale_order') => specOf(of)?.columns.find((column) => column.name === name);
const keyOf = (column: string) => specOf('sale_order')?.foreignKeys.find((key) => key.column === column);

describe('columns', () => {
  it('GEN-7 take type, not null and constant default from the field', () => {
    expect(columnOf('state')).toEqual({ name: 'state', type: 'text', notNull: true, default: "'draft'" });
    expect(columnOf('total')).toEqual({ name: 'total', type: 'numeric(16,2)', notNull: false, default: "'1.5'" });
    expect(columnOf('login', 'core_user')).toEqual({ name: 'login', type: 'varchar(64)', notNull: true });
    expect(columnOf('open')).toEqual({ name: 'open', type: 'boolean', notNull: true, default: 'false' });
    expect(columnOf('shown')).toMatchObject({ notNull: true, default: 'true' });
    expect(columnOf('extra')).toMatchObject({ type: 'jsonb', default: `'{"a":"it''s"}'` });
    expect(columnOf('create_date')).toEqual({
      name: 'create_date',
      type: 'timestamptz(3)',
      notNull: false,
      default: 'now()',
    });
    expect(columnOf('note')).toEqual({ name: 'note', type: 'text', notNull: false });
    for (const absent of ['id', 'line_ids', 'tag_ids', 'display_name']) expect(columnOf(absent)).toBeUndefined();
  });

  it('GEN-7 say what rows that exist get, where a value can be given without inventing one', () => {
    expect(columnOf('name')).toMatchObject({ notNull: true, backfill: "''" });
    expect(columnOf('kind')).toMatchObject({ notNull: true, backfill: "'small'" });
    expect(columnOf('due')).toMatchObject({ notNull: true, backfill: 'now()' });
    expect(columnOf('user_id')).toEqual({ name: 'user_id', type: 'integer', notNull: true });
  });
});

describe('keys and indexes', () => {
  it('GEN-7 many2ones get a key with the right ondelete, but those that say not', () => {
    expect(keyOf('user_id')).toEqual({
      name: 'sale_order_user_id_fk',
      column: 'user_id',
      table: 'core_user',
      onDelete: 'restrict',
    });
    expect(keyOf('helper_id')?.onDelete).toBe('set null');
    expect(keyOf('parent_id')).toMatchObject({ table: 'sale_order', onDelete: 'cascade' });
    expect(keyOf('create_uid')).toBeUndefined();
  });

  it('GEN-7 a system column is a plain integer where there are no users', () => {
    const [alone] = tableSpecs(
      assembleRegistry([{ module: 'm', definitions: [defineModel('m.one', { label: 'One', fields: {} })] }]),
    );
    expect(alone?.foreignKeys).toEqual([]);
    expect(alone?.columns.find((column) => column.name === 'create_uid')?.type).toBe('integer');
  });

  it('GEN-7 indexes cover many2ones, uniques and what was asked for', () => {
    const indexes = specOf('sale_order')?.indexes.map((index) => [index.columns.join(), index.unique]);
    expect(indexes).toEqual(
      expect.arrayContaining([
        ['"user_id"', false],
        ['"parent_id"', false],
        [`"${longName}"`, true],
        ['"name","user_id"', true],
        ['"state","due" desc', false],
      ]),
    );
    expect(specOf('core_user')?.indexes).toEqual([
      { name: 'core_user_login_unique', columns: ['"login"'], unique: true },
    ]);
  });

  it('GEN-7 what a unique of several fields begins with has no index of its own, unless that is of some rows only', () => {
    const pinned = defineModel('sale.pin', {
      label: 'Pin',
      fields: {
        user_id: fields.many2one('core.user', {}),
        order_id: fields.many2one('sale.order', {}),
        tag_id: fields.many2one('core.tag', {}),
        name: fields.char({}),
      },
      uniques: {
        one_each: { fields: ['user_id', 'order_id'] },
        named: { fields: ['tag_id', 'name'], where: [['name', '!=', null]] },
      },
    });
    const all = tableSpecs(assembleRegistry([base, { ...sale, definitions: [...sale.definitions, pinned] }]));
    const columns = all.find(({ name }) => name === 'sale_pin')?.indexes.map((index) => index.columns.join());
    expect(columns).toEqual(['"order_id"', '"tag_id"', '"user_id","order_id"', '"tag_id","name"']);
  });

  it('GEN-7 no two indexes share a name, and none is too long', () => {
    const names = specs.flatMap((table) => table.indexes.map((index) => index.name));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([]);
    expect(names.filter((name) => /line_state/.test(name))).toHaveLength(2);
  });

  it('GEN-7 long names are cut the same way each time and keep their ending', () => {
    const name = databaseName('sale_order', 'ä'.repeat(60), 'unique');
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(name).toMatch(/^sale_order_ä+_[0-9a-f]{8}_unique$/);
    expect(databaseName('sale_order', 'ä'.repeat(60), 'unique')).toBe(name);
    expect(databaseName('sale_order', `${'ä'.repeat(59)}b`, 'unique')).not.toBe(name);
    expect(databaseName('a', 'b', 'fk')).toBe('a_b_fk');
    expect(databaseName(`${'x'.repeat(80)}_rel`)).toBe(`${'x'.repeat(54)}_0adb5ada`);
  });
});

describe('many2many', () => {
  it('GEN-7 has a table of two cascading keys, a primary key and the way back', () => {
    const through = registry.model('sale.order').fields.get('tag_ids')?.through;
    const table = specOf(through?.table as string);
    const sides = [through?.own, through?.other].sort();
    expect(table).toMatchObject({ hasId: false, primaryKey: sides });
    expect(table?.foreignKeys.map((key) => [key.column, key.table, key.onDelete])).toEqual(
      expect.arrayContaining([
        [through?.own, 'sale_order', 'cascade'],
        [through?.other, 'core_tag', 'cascade'],
      ]),
    );
    expect(table?.indexes[0]?.columns).toEqual([...sides].reverse().map((name) => `"${name}"`));
  });
});

describe('a choice of modules', () => {
  it('GEN-7 gives the tables that the modules define or extend', () => {
    const names = tableSpecs(registry, ['sale']).map((table) => table.name);
    expect(names).toEqual(expect.arrayContaining(['sale_order', 'sale_order_line', 'core_tag']));
    expect(names).not.toContain('core_user');
    expect(tableSpecs(registry, [])).toEqual([]);
  });
});

describe('on the database', () => {
  let world: TestDatabase;
  beforeAll(async () => {
    world = await createTestDatabase();
  });
  afterAll(() => world.drop());

  it('GEN-7 the tables of models are made as they are and then left alone', async () => {
    const sync = () => world.database.transaction((tx) => syncSchema(tx, specs));
    expect((await sync()).refused).toEqual([]);
    expect(await sync()).toEqual({ done: [], refused: [], lockRetries: 0 });
  });
});

describe('constraints', () => {
  const describeIt = describeConstraints(registry);
  const user = {
    model: 'sale.order',
    field: 'user_id',
    label: registry.model('sale.order').fields.get('user_id')?.label,
  };

  it('GEN-7 lead back to their field', () => {
    expect(describeIt('sale_order_user_id_fk', 'sale_order', null)).toEqual(user);
    expect(describeIt(null, 'sale_order', 'user_id')).toEqual(user);
    expect(describeIt('core_user_login_unique', 'core_user', null)).toMatchObject({
      model: 'core.user',
      field: 'login',
    });
    const long = registry.model('sale.order').uniques.find((unique) => unique.name === longName);
    expect(describeIt(long?.index, 'sale_order', null)?.field).toBe(longName);
  });

  it('GEN-7 carry the message of the author', () => {
    const unique = registry.model('sale.order').uniques.find((candidate) => candidate.name === 'name_and_user');
    expect(describeIt(unique?.index, 'sale_order', null)).toMatchObject({
      field: 'name',
      message: 'This person has such an order.',
    });
  });

  it('GEN-7 that nobody knows lead nowhere', () => {
    expect(describeIt('other_fk', 'sale_order', null)).toBeNull();
    expect(describeIt('sale_order_user_id_fk', 'another_table', null)).toBeNull();
    expect(describeIt(null, null, null)).toBeNull();
  });
});
