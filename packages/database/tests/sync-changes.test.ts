import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SchemaReport, syncSchema, type TableSpec, trustedSql } from '../index.ts';
import { column, columnOf, onDeleteOf, table } from './schema-fixture.ts';

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
const quiet = { done: [], refused: [], lockRetries: 0 };

describe('types', () => {
  it.each([
    ['varchar(8)', 'varchar(20)', 'character varying(20)'],
    ['varchar(8)', 'text', 'text'],
    ['char(4)', 'text', 'text'],
    ['smallint', 'integer', 'integer'],
    ['integer', 'bigint', 'bigint'],
    ['integer', 'numeric(16,2)', 'numeric(16,2)'],
    ['integer', 'text', 'text'],
    ['numeric(10,2)', 'numeric(12,4)', 'numeric(12,4)'],
    ['numeric(10,2)', 'numeric', 'numeric'],
    ['real', 'double precision', 'double precision'],
    ['timestamptz(0)', 'timestamptz(3)', 'timestamp(3) with time zone'],
  ])('GEN-7 %s is widened to %s and keeps its values', async (from, to, live) => {
    await sync(table('t', [column('c', from)]));
    await run(from.startsWith('timestamptz') ? 'insert into t (c) values (now())' : "insert into t (c) values ('7')");
    const report = await sync(table('t', [column('c', to)]));
    expect(report.refused).toEqual([]);
    expect(report.done).toEqual([expect.stringContaining('t.c: widened from')]);
    expect((await columnOf(world.database, 't', 'c'))?.type).toBe(live);
    expect(await rows('select c is not null as kept from t')).toEqual([{ kept: true }]);
    expect(await sync(table('t', [column('c', to)]))).toEqual(quiet);
  });

  it.each([
    ['varchar(20)', 'varchar(8)', 'narrowing'],
    ['text', 'varchar(8)', 'narrowing'],
    ['bigint', 'integer', 'narrowing'],
    ['numeric(12,4)', 'numeric(12,2)', 'losing data'],
    ['numeric(10,2)', 'numeric(10,4)', 'losing data'],
    ['double precision', 'numeric', 'losing data'],
    ['bigint', 'numeric(16,2)', 'losing data'],
    ['text', 'integer', 'narrowing'],
    ['date', 'timestamptz(3)', 'losing data'],
  ])('GEN-7 %s does not become %s; it is reported', async (from, to, why) => {
    await sync(table('t', [column('c', from)]));
    const before = await columnOf(world.database, 't', 'c');
    const report = await sync(table('t', [column('c', to)]));
    expect(report).toMatchObject({
      done: [],
      refused: [{ table: 't', column: 'c', reason: expect.stringContaining(why) }],
    });
    expect(await columnOf(world.database, 't', 'c')).toEqual(before);
  });
});

describe('columns', () => {
  it('GEN-7 a new required column fills the rows and leaves older writers alone', async () => {
    await sync(table('t', [column('a', 'text')]));
    await run("insert into t (a) values ('old')");
    const wanted = table('t', [
      column('a', 'text'),
      column('b', 'text', { notNull: true, default: "'new'" }),
      column('c', 'integer', { notNull: true, backfill: '0' }),
    ]);
    expect((await sync(wanted)).refused).toEqual([]);
    await run("insert into t (a) values ('from a process that knows neither')");
    expect(await rows('select b, c from t')).toEqual([
      { b: 'new', c: 0 },
      { b: 'new', c: 0 },
    ]);
    expect((await columnOf(world.database, 't', 'c'))?.required).toBe(true);
    expect(await sync(wanted)).toEqual(quiet);
  });

  it('GEN-7 a required column that rows have no value for stays optional until they do', async () => {
    await sync(table('t', [column('a', 'text')]));
    await run('insert into t default values');
    const wanted = table('t', [column('a', 'text'), column('b_id', 'integer', { notNull: true })]);
    const refusal = { table: 't', column: 'b_id', reason: expect.stringContaining('stays optional') };
    expect(await sync(wanted)).toMatchObject({ done: ['t.b_id: column added (integer)'], refused: [refusal] });
    expect(await sync(wanted)).toMatchObject({ done: [], refused: [refusal] });
    await run('update t set b_id = 1');
    expect(await sync(wanted)).toMatchObject({ done: ['t.b_id: now required'], refused: [] });
    expect(await sync(wanted)).toEqual(quiet);
  });

  it('GEN-7 empty rows of a column that becomes required get its default', async () => {
    await sync(table('t', [column('a', 'text')]));
    await run("insert into t (a) values (null), ('x')");
    const wanted = table('t', [column('a', 'text', { notNull: true, default: "'draft'" })]);
    expect((await sync(wanted)).refused).toEqual([]);
    expect(await rows('select a from t order by id')).toEqual([{ a: 'draft' }, { a: 'x' }]);
    expect(await sync(wanted)).toEqual(quiet);
  });

  it('GEN-7 follows a changed default and a field that is no longer required', async () => {
    await sync(table('t', [column('a', 'text', { notNull: true, default: "'draft'" })]));
    const wanted = table('t', [column('a', 'text', { default: "'new'" })]);
    expect((await sync(wanted)).done).toEqual(["t.a: default is now 'new'", 't.a: no longer required']);
    expect(await columnOf(world.database, 't', 'a')).toMatchObject({ required: false, value: "'new'::text" });
    expect(await sync(wanted)).toEqual(quiet);
  });

  it('GEN-7 a column that the models dropped keeps its data and no longer stands in the way', async () => {
    const parent = table('p', []);
    const key = { name: 't_p_id_fk', column: 'p_id', table: 'p', onDelete: 'restrict' } as const;
    await sync(
      parent,
      table('t', [column('a', 'text'), column('p_id', 'integer', { notNull: true })], { foreignKeys: [key] }),
    );
    await run('insert into p default values; insert into t (a, p_id) values (null, 1)');
    expect((await sync(parent, table('t', [column('a', 'text')]))).refused).toEqual([]);
    await run("insert into t (a) values ('without')");
    expect(await rows('select p_id from t order by id')).toEqual([{ p_id: 1 }, { p_id: null }]);
    await run('delete from p');
    expect(await rows('select count(*)::int as n from t where p_id is null')).toEqual([{ n: 2 }]);
    expect(await sync(parent, table('t', [column('a', 'text')]))).toEqual(quiet);
  });
});

describe('keys and indexes', () => {
  const parent = table('p', [column('name', 'text')]);
  const child = (onDelete: 'restrict' | 'cascade' | 'set null') =>
    table('t', [column('p_id', 'integer')], {
      foreignKeys: [{ name: 't_p_id_fk', column: 'p_id', table: 'p', onDelete }],
    });

  it('GEN-7 a changed ondelete makes the key anew', async () => {
    await sync(parent, child('restrict'));
    for (const [onDelete, letter] of [
      ['cascade', 'c'],
      ['set null', 'n'],
      ['restrict', 'r'],
    ] as const) {
      expect((await sync(parent, child(onDelete))).done).toEqual([
        `t.p_id: foreign key to p made anew (on delete ${onDelete})`,
      ]);
      expect(await onDeleteOf(world.database, 't_p_id_fk')).toBe(letter);
      expect(await sync(parent, child(onDelete))).toEqual(quiet);
    }
  });

  it('GEN-7 a key over rows that point nowhere is reported and the rest goes on', async () => {
    await sync(parent, table('t', [column('p_id', 'integer')]));
    await run('insert into t (p_id) values (99)');
    const report = await sync(table('p', [column('name', 'text'), column('more', 'text')]), child('cascade'));
    expect(report.refused).toEqual([
      { table: 't', column: 'p_id', reason: expect.stringContaining('p does not have') },
    ]);
    expect(report.done).toEqual(['p.more: column added (text)']);
    expect(await rows('select p_id from t')).toEqual([{ p_id: 99 }]);
  });

  it('GEN-7 a unique index over values that are not unique is reported', async () => {
    const unique = { name: 'p_name_unique', columns: ['"name"'], unique: true };
    await sync(parent);
    await run("insert into p (name) values ('a'), ('a'), (null), (null)");
    const wanted = { ...parent, indexes: [unique] };
    expect((await sync(wanted)).refused).toEqual([
      { table: 'p', column: 'name', reason: 'has values that are not unique' },
    ]);
    await run("update p set name = 'b' where id = 1");
    expect((await sync(wanted)).done).toEqual(['p.name: unique index p_name_unique added']);
    expect((await sync(parent)).done).toEqual(['p: unique index p_name_unique no longer applies']);
    await run("insert into p (name) values ('a')");
  });

  it('GEN-7 an index or check that means something else now is made anew', async () => {
    const spec = (columns: string[], where: string | undefined, expression: string) =>
      table('p', [column('name', 'text'), column('n', 'integer')], {
        indexes: [{ name: 'p_idx', columns, unique: false, ...(where && { where }) }],
        checks: [{ name: 'p_check', expression }],
      });
    await sync(spec(['"name"'], undefined, 'n > 0'));
    for (const next of [
      spec(['"name"', '"n" desc'], undefined, 'n > 0'),
      spec(['lower("name")'], undefined, 'n > 0'),
      spec(['lower("name")'], 'n > 1', 'n > 0'),
      spec(['lower("name")'], 'n > 2', 'n >= 0'),
    ]) {
      expect((await sync(next)).done.length).toBeGreaterThan(0);
      expect(await sync(next)).toEqual(quiet);
    }
    await run("insert into p (name, n) values ('zero', 0)");
    await expect(run('insert into p (n) values (-1)')).rejects.toThrow(/p_check/);
  });
});
