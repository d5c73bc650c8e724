import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SchemaReport, syncSchema, type TableSpec, trustedSql } from '../index.ts';
import { column, table } from './schema-fixture.ts';

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
});
afterAll(() => world.drop());
beforeEach(async () => {
  await world.database.execute(trustedSql('drop schema public cascade; create schema public'));
});

const sync = (...specs: readonly TableSpec[]): Promise<SchemaReport> =>
  world.database.transaction((tx) => syncSchema(tx, specs));
const run = (text: string) => world.database.execute(trustedSql(text));
const rows = (text: string) => world.database.query(trustedSql(text));
const partner = table('partner', [
  column('name', 'varchar(64)', { notNull: true, backfill: "''" }),
  column('active', 'boolean', { notNull: true, default: 'true' }),
  column('credit', 'numeric(16,2)', { default: '-1.50' }),
  column('tags', 'jsonb', { default: `'{"b": [1, 2], "a": "it''s"}'` }),
  column('since', 'timestamptz(3)', { default: "'2026-01-02T03:04:05.678Z'" }),
  column('path', 'text', { default: "E'c:\\\\d'" }),
  column('order', 'integer', { notNull: true, default: '10' }),
  column('create_date', 'timestamptz(3)', { default: 'now()' }),
]);
const sale = table(
  'sale',
  [
    column('partner_id', 'integer', { notNull: true }),
    column('ref', 'text'),
    column('day', 'date', { notNull: true, backfill: 'CURRENT_DATE' }),
  ],
  {
    foreignKeys: [{ name: 'sale_partner_id_fk', column: 'partner_id', table: 'partner', onDelete: 'restrict' }],
    indexes: [
      { name: 'sale_ref_unique', columns: ['"ref"'], unique: true },
      { name: 'sale_partner_id_day_desc_idx', columns: ['"partner_id"', '"day" desc'], unique: false },
      { name: 'sale_lower_idx', columns: ['lower("ref")'], unique: false, where: '"ref" is not null' },
    ],
    checks: [{ name: 'sale_ref_check', expression: `"ref" <> 'x'` }],
  },
);
const link = table(
  'partner_tag',
  [column('partner_id', 'integer', { notNull: true }), column('tag_id', 'integer', { notNull: true })],
  {
    hasId: false,
    primaryKey: ['partner_id', 'tag_id'],
    foreignKeys: [{ name: 'partner_tag_partner_id_fk', column: 'partner_id', table: 'partner', onDelete: 'cascade' }],
    indexes: [{ name: 'partner_tag_tag_id_partner_id_idx', columns: ['"tag_id"', '"partner_id"'], unique: false }],
  },
);

describe('a fresh database', () => {
  it('GEN-7 makes tables, columns, defaults, indexes, checks and keys, whatever the order of the tables', async () => {
    const report = await sync(sale, link, partner);
    expect(report.refused).toEqual([]);
    expect(report.done.filter((line) => line.endsWith('table added'))).toHaveLength(3);
    await run(`insert into partner (name) values ('Ada')`);
    expect(await rows('select id, active, credit, path, "order" from partner')).toEqual([
      { id: 1, active: true, credit: '-1.50', path: 'c:\\d', order: 10 },
    ]);
    await expect(run(`insert into sale (partner_id, day) values (9, now())`)).rejects.toThrow(/sale_partner_id_fk/);
    await expect(run(`insert into sale (partner_id, day, ref) values (1, now(), 'x')`)).rejects.toThrow(
      /sale_ref_check/,
    );
    await run(`insert into sale (partner_id, day, ref) values (1, now(), 'a'), (1, now(), null), (1, now(), null)`);
    await expect(run(`insert into sale (partner_id, day, ref) values (1, now(), 'a')`)).rejects.toThrow(
      /sale_ref_unique/,
    );
    await expect(run('delete from partner')).rejects.toThrow(/sale_partner_id_fk/);
  });

  it('GEN-7 changes nothing when nothing changed, in a fixed number of statements', async () => {
    await sync(sale, link, partner);
    const many = Array.from({ length: 40 }, (_, index) => table(`t${index}`, [column('name', 'text')]));
    await sync(...many);
    const before = await catalogue();
    const few = await statementsOf(sale, link, partner);
    expect(few.report).toEqual({ done: [], refused: [], lockRetries: 0 });
    const lots = await statementsOf(...many);
    expect(lots.report.done).toEqual([]);
    expect(lots.count).toBe(few.count);
    expect(await catalogue()).toEqual(before);
  });

  it('GEN-7 a table that stands in for nothing is reported, not replaced', async () => {
    await run('create view partner as select 1 as id');
    const report = await sync(partner);
    expect(report.done).toEqual([]);
    expect(report.refused).toEqual([{ table: 'partner', reason: expect.stringContaining('not a table') }]);
  });
});

async function statementsOf(...specs: readonly TableSpec[]) {
  return world.database.transaction(async (tx) => {
    const before = tx.statements;
    const report = await syncSchema(tx, specs);
    return { report, count: tx.statements - before };
  });
}

/** Row versions of the catalogue: any DDL changes them, whatever the report says. */
function catalogue() {
  return rows(`select c.oid::text, c.xmin::text, a.attname, a.xmin::text as column_version, d.xmin::text as default_version
    from pg_class c left join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid
    where c.relnamespace = 'public'::regnamespace order by 1, 3, 5`);
}
