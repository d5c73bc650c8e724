import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  dueMigrations,
  type MigrationFile,
  migrationChecksum,
  runMigrations,
  sql,
  syncSchema,
  trustedSql,
  unsafeStatements,
} from '../index.ts';
import { splitStatements } from '../migrations/split-statements.ts';

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
});
afterAll(() => world.drop());
beforeEach(() => world.database.execute(trustedSql('drop schema public cascade; create schema public')));

const file = (name: string, text: string): MigrationFile => ({ name, text, checksum: migrationChecksum(text) });
const migrate = (files: readonly MigrationFile[], rest: { phase?: 'pre' | 'post'; fresh?: boolean } = {}) =>
  world.database.transaction((tx) => runMigrations(tx, { module: 'sale', files, phase: 'post', fresh: true, ...rest }));
const log = async () =>
  (await world.database.query<{ name: string }>(sql`select name from sys_migration order by id`)).map(
    (row) => row.name,
  );

describe('running', () => {
  const make = file('0001-make.sql', "create table note (body text); -- first\n\ninsert into note values ('a;b');");
  const fill = file('0002-fill.sql', "insert into note select body || '!' from note");

  it('GEN-7 runs each file once, in order of its number, and records it with its checksum', async () => {
    expect(await migrate([fill, make])).toEqual(['0001-make.sql', '0002-fill.sql']);
    expect(await migrate([make, fill], { fresh: false })).toEqual([]);
    expect(await world.database.query(sql`select body from note order by 1`)).toEqual([
      { body: 'a;b' },
      { body: 'a;b!' },
    ]);
    expect(
      await world.database.query(sql`select module, name, checksum, applied_at is not null as at from sys_migration`),
    ).toEqual([
      { module: 'sale', name: make.name, checksum: make.checksum, at: true },
      { module: 'sale', name: fill.name, checksum: fill.checksum, at: true },
    ]);
  });

  it('GEN-7 runs pre files on upgrade only; a fresh install records them', async () => {
    const pre = file('0003-rename.pre.sql', 'create table made_by_pre ()');
    expect(await migrate([make, pre], { phase: 'pre', fresh: true })).toEqual([pre.name]);
    const exists = sql`select to_regclass('made_by_pre') is not null as made`;
    expect(await world.database.query(exists)).toEqual([{ made: false }]);
    expect(await log()).toEqual([pre.name]);
    const later = file('0004-other.pre.sql', 'create table made_by_pre ()');
    expect(await migrate([make, pre, later], { phase: 'pre', fresh: false })).toEqual([later.name]);
    expect(await world.database.query(exists)).toEqual([{ made: true }]);
  });

  it('GEN-7 refuses a file that was changed after it ran, by name, and runs nothing else', async () => {
    await migrate([make]);
    const changed = file(make.name, `${make.text} -- later`);
    await expect(migrate([changed, fill])).rejects.toThrow(/^sale: migrations\/0001-make\.sql: .*changed since/);
    expect(await log()).toEqual([make.name]);
  });

  it('GEN-7 takes other line ends for the same file', async () => {
    await migrate([make]);
    expect(await migrate([file(make.name, make.text.replaceAll('\n', '\r\n'))])).toEqual([]);
  });

  it('GEN-7 keeps the modules apart and gives way to the model of the table', async () => {
    await migrate([make]);
    await world.database.transaction((tx) =>
      runMigrations(tx, { module: 'crm', files: [file(make.name, 'select 1')], phase: 'post', fresh: true }),
    );
    expect(await log()).toEqual([make.name, make.name]);
    const report = await world.database.transaction((tx) =>
      syncSchema(tx, [
        {
          name: 'sys_migration',
          hasId: true,
          columns: [
            { name: 'module', type: 'varchar(64)', notNull: true, backfill: "''" },
            { name: 'name', type: 'varchar(200)', notNull: true, backfill: "''" },
            { name: 'checksum', type: 'varchar(64)', notNull: true, backfill: "''" },
            { name: 'applied_at', type: 'timestamptz(3)', notNull: true, backfill: 'now()' },
            { name: 'create_uid', type: 'integer', notNull: false },
          ],
          foreignKeys: [],
          indexes: [],
          checks: [],
        },
      ]),
    );
    expect(report.refused).toEqual([]);
  });
});

describe('mistakes', () => {
  it.each([
    '1-short.sql',
    '0001_under.sql',
    '0001-Upper.sql',
    '0001-.sql',
    '0001-a.post.sql',
    'notes.txt',
    '0001-a.sql.bak',
  ])('GEN-7 refuses the name %s', async (name) => {
    await expect(migrate([file(name, 'select 1')])).rejects.toThrow(`sale: migrations/${name}: `);
  });

  it('GEN-7 refuses two files of one number', async () => {
    const files = [file('0001-a.sql', 'select 1'), file('0001-b.sql', 'select 1'), file('0001-a.pre.sql', 'select 1')];
    await expect(migrate(files)).rejects.toThrow(/0001-b\.sql: 0001-a\.sql has the number 0001 too/);
  });

  it('GEN-7 names addon, file and line of a database error, and leaves nothing behind', async () => {
    const bad = file(
      '0002-bad.sql',
      "\ufeffselect '𝄞;',\n  1;\n\n/* a /* nested; */ comment */\nselect 1,\n  '𝄞', nowhere\nfrom pg_class;",
    );
    const error = await migrate([file('0001-ok.sql', 'create table ok ()'), bad]).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'USER_ERROR',
      message: expect.stringMatching(/^sale: migrations\/0002-bad\.sql:6: column "nowhere" does not exist/),
      details: { addon: 'sale', file: 'migrations/0002-bad.sql', line: 6 },
    });
    expect(await world.database.query(sql`select to_regclass('ok') as ok`)).toEqual([{ ok: null }]);
  });

  it.each([
    'BEGIN',
    'start  transaction',
    'Commit',
    'end',
    'ROLLBACK',
    'rollback to savepoint a',
    'savepoint a',
    'abort',
    "prepare transaction 'x'",
    'set search_path = x',
  ])('GEN-7 refuses %s in a migration', async (statement) => {
    const text = `select 1;\n-- commit;\n /* x */ ${statement};`;
    await expect(migrate([file('0001-a.sql', text)])).rejects.toThrow(/^sale: migrations\/0001-a\.sql:3: /);
  });

  it('GEN-7 leaves the same words alone where they are something else', async () => {
    const text = `
      create function total(n integer) returns integer language sql begin atomic
        select case when n > 0 then 1 else 2 end; select n + 1; end;
      do $body$ begin perform 1; end; $body$;
      create function f() returns text language plpgsql as 'begin return ''commit;''; end';
      set local work_mem = '8MB';
      select 'begin; commit', E'it\\'s; rollback', "commit" from (select 1 as "commit") t`;
    expect(await migrate([file('0001-a.sql', text)])).toEqual(['0001-a.sql']);
    expect(await world.database.query(sql`select total(2) as n, f() as f`)).toEqual([{ n: 3, f: 'commit;' }]);
  });
});

describe('splitting', () => {
  it('GEN-7 gives statements with their places', () => {
    expect(splitStatements(' a; ;\n$x$ ; $y$ ; $x$;b$c$d; -- end;\n').map(({ text, start }) => [start, text])).toEqual([
      [1, 'a'],
      [6, '$x$ ; $y$ ; $x$'],
      [22, 'b$c$d'],
    ]);
    expect(splitStatements('-- nothing\n/* here */')).toEqual([]);
    expect(splitStatements("select 'open; ").map(({ text }) => text)).toEqual(["select 'open; "]);
  });
});

describe('what the version before does not outlive', () => {
  const whys = (text: string) => unsafeStatements({ text }).map(({ line, why }) => `${line} ${why}`);

  it('OPS-11 is told with its line', () => {
    const text = `-- drop table note
alter table note add column a text, add b int not null default 0, drop constraint x, alter column c drop not null;
ALTER TABLE ONLY "note" RENAME COLUMN body TO "text";
alter table note
  drop column if exists old, alter a set data type numeric(10, 2), alter b set not null;
alter table note add column if not exists d int not null;
update note set body = 'alter table note drop column a; drop table note';
create index i on note (a); drop index j; alter table note rename constraint x to y;
drop table if exists note; alter table note rename to notes; alter table note add constraint z check (a > 0)`;
    expect(whys(text)).toEqual([
      '3 renames',
      '4 drops a column',
      '4 changes the type of a column',
      '4 requires a value',
      '6 requires a value without a default',
      '9 drops',
      '9 renames',
      '9 adds a condition',
    ]);
  });

  it('OPS-11 of files that have not run yet', async () => {
    const [made, next] = [
      file('0001-make.sql', 'create table note (body text)'),
      file('0002-next.sql', 'drop table note'),
    ];
    const due = async () => (await dueMigrations(world.database, 'sale', [made, next])).map(({ name }) => name);
    expect(await due()).toEqual([made.name, next.name]);
    await migrate([made]);
    expect(await due()).toEqual([next.name]);
  });
});
