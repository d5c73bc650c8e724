import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parkColumns, parkTable, syncSchema, type TableSpec, trustedSql } from '../index.ts';
import { column, columnOf, onDeleteOf, table } from './schema-fixture.ts';

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
});
afterAll(() => world.drop());
beforeEach(async () => {
  await world.database.execute(trustedSql('drop schema public cascade; create schema public'));
});

const partner = table('partner', [column('name', 'text')]);
const order = table(
  'sale_order',
  [
    column('name', 'text'),
    column('code', 'text', { notNull: true, default: "'x'" }),
    column('partner_id', 'integer', { notNull: true }),
  ],
  {
    foreignKeys: [{ name: 'sale_order_partner_id_fk', column: 'partner_id', table: 'partner', onDelete: 'restrict' }],
    indexes: [{ name: 'sale_order_code_unique', columns: ['"code"'], unique: true }],
  },
);
const sync = (...specs: readonly TableSpec[]) => world.database.transaction((tx) => syncSchema(tx, specs));
const run = (text: string) => world.database.execute(trustedSql(text));

describe('columns', () => {
  it('MOD-4 parked columns keep their data and let the table live on; a sync brings their rules back', async () => {
    await sync(partner, order);
    await run(
      "insert into partner default values; insert into sale_order (name, code, partner_id) values ('a', 'c', 1)",
    );
    await world.database.transaction((tx) => parkColumns(tx, 'sale_order', ['code', 'partner_id']));
    expect(await columnOf(world.database, 'sale_order', 'code')).toMatchObject({ required: false });
    await run("insert into sale_order (name) values ('b'), ('c')");
    await run('delete from partner');
    expect(await world.database.query(trustedSql('select name, code, partner_id from sale_order order by id'))).toEqual(
      [
        { name: 'a', code: 'c', partner_id: null },
        { name: 'b', code: 'x', partner_id: null },
        { name: 'c', code: 'x', partner_id: null },
      ],
    );
    await run("update sale_order set code = 'd' where name = 'c'; insert into partner (id) values (7)");
    await run('update sale_order set partner_id = 7');
    expect((await sync(partner, order)).refused).toEqual([]);
    expect(await columnOf(world.database, 'sale_order', 'partner_id')).toMatchObject({ required: true });
    expect(await onDeleteOf(world.database, 'sale_order_partner_id_fk')).toBe('r');
    await expect(run("insert into sale_order (code, partner_id) values ('c', 7)")).rejects.toThrow(
      /sale_order_code_unique/,
    );
    expect((await sync(partner, order)).done).toEqual([]);
  });

  it('MOD-4 what stands against the rules after the return is reported, never dropped', async () => {
    await sync(partner, order);
    await world.database.transaction((tx) => parkColumns(tx, 'sale_order', ['code', 'partner_id']));
    await run("insert into sale_order (name) values ('b'), ('c')");
    const report = await sync(partner, order);
    expect(report.refused.map((refusal) => refusal.column).sort()).toEqual(['code', 'partner_id']);
  });
});

describe('tables', () => {
  it('MOD-4 a parked table keeps its rows and holds nothing else back', async () => {
    const line = table('sale_line', [column('order_id', 'integer', { notNull: true })], {
      foreignKeys: [{ name: 'sale_line_order_id_fk', column: 'order_id', table: 'sale_order', onDelete: 'cascade' }],
    });
    await sync(partner, order, line);
    await run(
      "insert into partner default values; insert into sale_order (name, partner_id) values ('a', 1); insert into sale_line (order_id) values (1)",
    );
    await world.database.transaction(async (tx) => {
      await parkTable(tx, 'sale_order');
      await parkTable(tx, 'sale_line');
      expect((await parkTable(tx, 'sale_line')).done).toEqual([]);
      expect((await parkTable(tx, 'never_made')).done).toEqual([]);
    });
    await run('delete from partner');
    expect(await world.database.query(trustedSql('select name, partner_id from sale_order'))).toEqual([
      { name: 'a', partner_id: null },
    ]);
    expect(await world.database.query(trustedSql('select order_id from sale_line'))).toEqual([{ order_id: 1 }]);
    await run('insert into partner (id) values (5); update sale_order set partner_id = 5');
    expect((await sync(partner, order, line)).refused).toEqual([]);
    expect(await columnOf(world.database, 'sale_order', 'partner_id')).toMatchObject({ required: true });
    expect((await sync(partner, order, line)).done).toEqual([]);
  });
});
