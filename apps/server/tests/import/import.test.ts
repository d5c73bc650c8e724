import { sql } from '@kontor/database';
import { isLong } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../browser.ts';
import { eventually, openBus } from '../bus-socket.ts';
import { startShop } from '../shop.ts';
import type { TestServer } from '../test-server.ts';
import { badCells, batchOf, confirm, counts, stage } from './upload-csv.ts';

let world: TestServer;
let admin: Browser;
const order = 'shop.order';
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  await admin.rpc('core.partner', 'create_many', [
    [{ name: 'Berg & Co' }, { name: 'Twin' }, { name: 'Twin' }, { name: 'Smith, Ada' }, { name: '2024' }],
  ]);
  await admin.rpc('shop.tag', 'create_many', [[{ name: 'red' }, { name: 'blue, dark' }, { name: 'green' }]]);
});
afterAll(() => world.close());
beforeEach(() => world.kernel.database.execute(sql`delete from shop_order`));

const orders = (fields: unknown[]) =>
  admin.rpc<Record<string, unknown>[]>(order, 'search_read', [[], fields], { order: 'id' });
const one = async (csv: string, fields: unknown[], options = {}) => {
  const answer = await confirm(admin, await stage(admin, csv, options));
  expect(answer.error).toBe(null);
  const { id: _id, ...values } = (await orders(fields))[0] as Record<string, unknown>;
  return values;
};

describe('values', () => {
  it('IMP-4 are taken as the type of their field', async () => {
    const csv = [
      'name,state,date_order,placed_at,note,rate,count,is_urgent,extra,margin,page',
      '007,Sold,2026-03-01,2026-03-01T10:00:00+02:00,"two\nlines, and ""quotes""",0.5,1.000,yes,"{""a"":[1]}",1.50,<p>x</p>',
    ].join('\r\n');
    await expect(
      one(csv.replace('Sold', 'Draft'), [
        'name',
        'state',
        'date_order',
        'placed_at',
        'note',
        'rate',
        'is_urgent',
        'extra',
        'margin',
      ]),
    ).resolves.toEqual({
      ...{ name: '007', state: 'draft', date_order: '2026-03-01', placed_at: '2026-03-01T08:00:00.000Z' },
      ...{ note: 'two\nlines, and "quotes"', rate: 0.5, is_urgent: true, extra: { a: [1] }, margin: 1.5 },
    });
  });

  it('IMP-4 may be written as the person writes them', async () => {
    const { browser } = await world.user('Gerda German', ['base.group_user', 'shop.group_clerk'], {
      ...{ lang: 'de_DE', tz: 'Europe/Berlin' },
    });
    const csv = 'name;date_order;placed_at;rate;count;is_urgent\nG1;31.12.2026;1.7.2026 09:30;1.234,5;1.234;ja\n';
    expect(counts(await confirm(browser, await stage(browser, csv)))).toBe('imported_1_updated_0_skipped_0');
    expect(await orders(['date_order', 'placed_at', 'rate', 'is_urgent'])).toMatchObject([
      { date_order: '2026-12-31', placed_at: '2026-07-01T07:30:00.000Z', rate: 1234.5, is_urgent: true },
    ]);
  });

  it('IMP-4 empty cells leave defaults to new records and empty those that are there', async () => {
    expect(await one('name,state,note,is_urgent\nE1,,,\n', ['state', 'note', 'is_urgent'])).toEqual({
      ...{ state: 'draft', note: null, is_urgent: false },
    });
    await confirm(admin, await stage(admin, 'name,note\nE1,x\n', { import_mode: 'upsert' }));
    expect((await orders(['note']))[0]?.note).toBe('x');
    await confirm(admin, await stage(admin, 'name,note\nE1,\n', { import_mode: 'upsert' }));
    expect((await orders(['note']))[0]?.note).toBe(null);
  });

  it('IMP-4 reads semicolons, tabs, a byte order mark and any end of line', async () => {
    expect(await one('\ufeffname;note\r\nS1;a,b\r\n', ['name', 'note'])).toEqual({ name: 'S1', note: 'a,b' });
    expect(await one('name\tnote\rS1x\ta;b\r', ['name'])).toEqual({ name: 'S1' });
    expect(await orders(['name', 'note'])).toMatchObject([{}, { name: 'S1x', note: 'a;b' }]);
  });
});

describe('relations', () => {
  it('IMP-5 are found by id, external id and name, lists by a comma between them', async () => {
    const [berg] = await admin.rpc<{ id: number }[]>('core.partner', 'search', [[['name', '=', 'Berg & Co']]]);
    const csv = [
      'name,partner_id,company_id,tag_ids',
      `R1,${berg?.id},,"red,green"`,
      'R2,Berg & Co,base.main_company,"red, ""blue, dark"""',
      'R3,"Smith, Ada",,',
    ].join('\n');
    const answer = await confirm(admin, await stage(admin, csv));
    expect(answer.error).toBe(null);
    const rows = await orders(['partner_id.display_name', { tag_ids: ['name'] }]);
    expect(rows.map((row) => row['partner_id.display_name'])).toEqual(['Berg & Co', 'Berg & Co', 'Smith, Ada']);
    const tags = rows.map((row) => (row.tag_ids as { name: string }[]).map(({ name }) => name).sort());
    expect(tags).toEqual([['green', 'red'], ['blue, dark', 'red'], []]);
  });

  it('IMP-5 that are not there or not the only ones are errors that say so', async () => {
    const csv = 'name,partner_id,tag_ids\nR1,Nobody,\nR2,Twin,\nR3,,"red,pink"\nR4,999999,\n';
    const answer = await confirm(admin, await stage(admin, csv));
    expect(badCells(answer)).toEqual([
      { row: 2, column: 'partner_id', message: 'There is no Contact "Nobody".' },
      { row: 3, column: 'partner_id', message: expect.stringContaining('2 records of Contact are called "Twin"') },
      { row: 4, column: 'tag_ids', message: 'There is no Tag "pink".' },
      { row: 5, column: 'partner_id', message: 'There is no Contact "999999".' },
    ]);
  });

  it('IMP-5 may point at rows before them in the same file', async () => {
    const answer = await confirm(
      admin,
      await stage(admin, 'name,parent_id\ntop,\nmiddle,top\nleaf,middle\n', { model: 'shop.tag' }),
    );
    expect(counts(answer)).toBe('imported_3_updated_0_skipped_0');
    const tags = await admin.rpc<Record<string, unknown>[]>('shop.tag', 'search_read', [
      [['name', '=', 'leaf']],
      ['parent_id.parent_id.name'],
    ]);
    expect(tags[0]?.['parent_id.parent_id.name']).toBe('top');
  });

  it('IMP-5 take as many statements for five hundred rows, which are written together, as for ten', async () => {
    const sent = async (rows: number, prefix: string) => {
      const lines = Array.from({ length: rows }, (_, n) => `${prefix}${n},Berg & Co,red`);
      const id = await stage(admin, `name,partner_id,tag_ids\n${lines.join('\n')}\n`);
      const before = world.kernel.database.statements;
      expect(counts(await confirm(admin, id))).toBe(`imported_${rows}_updated_0_skipped_0`);
      return world.kernel.database.statements - before;
    };
    const few = await sent(10, 'few');
    // A few more tell how far it is, on a slow machine.
    expect(await sent(500, 'many')).toBeLessThan(few + 10);
  });
});

describe('bad rows', () => {
  const csv =
    'name,state,count,partner_id,date_order\nX1,draft,1,,\n,draft,x,,2026-02-30\nX3,sold,,,\nX4,lost,,,\nX1,,,,\n';

  it('IMP-6 each bad cell is told by row, column and reason, and one of them writes nothing', async () => {
    const id = await stage(admin, csv);
    const answer = await confirm(admin, id, {
      column_mapping: JSON.stringify({ name: 'name', state: 'state', count: 'count', date_order: 'date_order' }),
    });
    expect(answer.status).toBe(422);
    expect(answer.error?.code).toBe('VALIDATION_ERROR');
    expect(badCells(answer)).toEqual([
      { row: 3, column: 'count', message: 'Must be a number, such as 12.50.' },
      { row: 3, column: 'date_order', message: '2026-02-30 is not a day of the calendar.' },
      { row: 4, column: 'partner_id', message: 'Say who buys it.' },
      { row: 5, column: 'state', message: expect.stringContaining('"lost" is not one of the choices') },
      { row: 6, column: 'name', message: 'Row 2 has the same value.' },
    ]);
    expect(answer.error?.details).toMatchObject({ invalid: 4, imported: 0, updated: 0 });
    expect(await orders([])).toEqual([]);
    const batch = await batchOf(admin, id);
    expect(batch).toMatchObject({ state: 'draft', imported: 0, errors: badCells(answer) });
    expect(batch.column_mapping).not.toHaveProperty('partner_id');
  });

  it('IMP-6 a refused batch can be confirmed again, and its bad rows fetched', async () => {
    const id = await stage(admin, csv);
    expect((await confirm(admin, id)).status).toBe(422);
    const rejects = await admin.get(`/web/bulk/rejects?id=${id}`);
    expect(rejects.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await rejects.text()).toContain('X4,lost,,,,"state: ');
    expect(counts(await confirm(admin, id, { skip_invalid: '1' }))).toBe('imported_1_updated_0_skipped_4');
  });

  it('IMP-6 a form goes back to the mapping form, which shows them', async () => {
    const id = await stage(admin, csv);
    const response = await admin.form('/web/bulk/confirm', {
      id: String(id),
      column_mapping: '{"name":"name","state":"state"}',
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/web?model=sys.bulk.import&view_type=form&id=${id}`,
    ]);
    expect(await batchOf(admin, id)).toMatchObject({
      state: 'draft',
      column_mapping: { name: 'name', state: 'state' },
    });
    expect((await batchOf(admin, id)).errors).not.toEqual([]);
  });

  it('IMP-7 with skip_invalid the good rows are written and the bad ones can be downloaded with their reasons', async () => {
    const id = await stage(admin, csv, { next: '/web?model=shop.order&view_type=kanban#top' });
    const response = await admin.form('/web/bulk/confirm', { id: String(id), skip_invalid: '1' });
    expect(response.headers.get('location')).toBe(
      '/web?model=shop.order&view_type=kanban&msg=imported_1_updated_0_skipped_4#top',
    );
    expect(await orders(['name'])).toMatchObject([{ name: 'X1' }]);
    expect(await batchOf(admin, id)).toMatchObject({ state: 'done', imported: 1, skipped: 4, skip_invalid: true });
    const lines = (await (await admin.get(`/web/bulk/rejects?id=${id}`)).text()).split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffname,state,count,partner_id,date_order,import_errors'.slice(lines[0]?.startsWith('\ufeff') ? 0 : 1),
    );
    expect(lines).toHaveLength(6);
    expect(lines[2]).toBe('X3,sold,,,,partner_id: Say who buys it.');
  });

  long('IMP-7 finds the few bad rows among many, whatever refuses them', async () => {
    const lines = Array.from({ length: 2_500 }, (_, n) => `many${n},${n % 700 === 699 ? 'sold' : 'draft'}`);
    const id = await stage(admin, `name,state\n${lines.join('\n')}\n`);
    const answer = await confirm(admin, id, { skip_invalid: '1' });
    expect(counts(answer)).toBe('imported_2497_updated_0_skipped_3');
    const changeSet = Number(answer.headers.get('x-change-set'));
    const [kept] = await world.kernel.database.query<{ count: number }>(
      sql`select count(distinct res_id)::int4 as count from sys_change where set_id = ${changeSet}::int4`,
    );
    expect(kept?.count).toBe(2_497);
    const { errors } = await batchOf(admin, id);
    expect((errors as { row: number }[]).map(({ row }) => row)).toEqual([701, 1401, 2101]);
  });

  it('IMP-6 a mapping that cannot work is refused before any row is read', async () => {
    const id = await stage(admin, 'name,note\nA,b\n');
    const refused = async (mapping: object, options = {}) => {
      const { status, error } = await confirm(admin, id, { column_mapping: JSON.stringify(mapping), ...options });
      return `${status} ${error?.code}: ${error?.message}`;
    };
    expect(await refused({ name: 'nothing' })).toMatch(/^400 INVALID_ARGS.*nothing/);
    expect(await refused({ nothing: 'name' })).toMatch(/^400 INVALID_ARGS.*no column "nothing"/);
    expect(await refused({ name: 'name', note: 'name' })).toMatch(/^422 VALIDATION_ERROR.*both mapped/);
    expect(await refused({})).toMatch(/^422 VALIDATION_ERROR.*at least one column/);
    expect(await refused({ name: 'reference' })).toMatch(/^403 ACCESS_DENIED/);
    expect(await refused({ name: 'line_ids' })).toMatch(/^400 INVALID_ARGS/);
    expect(await refused({ name: 'amount_total' })).toMatch(/^403 ACCESS_DENIED/);
    expect((await confirm(admin, id, { column_mapping: '[1]' })).error?.code).toBe('INVALID_ARGS');
    expect((await batchOf(admin, id)).state).toBe('draft');
  });
});

describe('rights', () => {
  it('IMP-9 access, rules, readonly and groups of fields hold as for any other call', async () => {
    const { browser: portal } = await world.user('Sally Seller', ['shop.group_restricted']);
    await expect(stage(portal, 'name\nA\n')).rejects.toThrow('ACCESS_DENIED');
    const { browser: clerk, id: clerkId } = await world.user('Carl Clerk', ['base.group_user', 'shop.group_clerk']);
    const mapping = { column_mapping: '{"name":"name","margin":"margin"}' };
    const margin = await confirm(clerk, await stage(clerk, 'name,margin\nM1,5\n'), mapping);
    expect(margin.error).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field', field: 'margin' } });
    const rule = { name: 'No', model: order, domain: [['note', '!=', 'forbidden']] };
    const ruleId = await admin.rpc<number>('sys.rule', 'create', [rule]);
    const answer = await confirm(clerk, await stage(clerk, 'name,note\nM2,fine\nM3,forbidden\nM4,\n'), {
      skip_invalid: '1',
    });
    await admin.rpc('sys.rule', 'unlink', [[ruleId]]);
    expect(counts(answer)).toBe('imported_2_updated_0_skipped_1');
    expect(await orders(['name', 'user_id'])).toMatchObject([
      { name: 'M2', user_id: clerkId },
      { name: 'M4', user_id: clerkId },
    ]);
  });
});

describe('a batch', () => {
  it('IMP-10 runs once, also when it is confirmed twice at the same moment', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `once${n}`).join('\n');
    const id = await stage(admin, `name\n${lines}\n`);
    const answers = await Promise.all([confirm(admin, id), confirm(admin, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await orders([])).toHaveLength(300);
    expect((await confirm(admin, id)).error).toMatchObject({ code: 'CONFLICT', details: { state: 'done' } });
    expect(await admin.outcome('sys.bulk.import', 'call', [id, 'action_cancel_import'])).toBe('409 CONFLICT');
  });

  it('IMP-10 is discarded with its file when it is cancelled', async () => {
    const id = await stage(admin, 'name\nC1\n', { next: '/web?model=shop.order&view_type=list' });
    const response = await admin.form('/web/bulk/cancel', { id: String(id) });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/web?model=shop.order&view_type=list']);
    expect((await batchOf(admin, id)).state).toBe('cancelled');
    expect((await confirm(admin, id)).status).toBe(409);
    const files = await world.kernel.database.query(
      sql`select id from sys_bulk_import_file where batch_id = ${id}::int4`,
    );
    expect(files).toEqual([]);
    expect((await batchOf(admin, id)).preview).toEqual([]);
  });

  it('IMP-10 that was cut off while it ran can be confirmed again', async () => {
    const id = await stage(admin, 'name\nAgain\n');
    await world.kernel.database.execute(sql`update sys_bulk_import set state = 'running' where id = ${id}::int4`);
    expect(counts(await confirm(admin, id))).toBe('imported_1_updated_0_skipped_0');
  });

  it('IMP-11 tells its person, and nobody else, how far it is', async () => {
    const other = (await world.user('Nora Nosy', ['base.group_user', 'shop.group_clerk'])).browser;
    const [mine, theirs] = [await openBus(admin), await openBus(other)];
    const id = await stage(admin, `name\n${Array.from({ length: 150 }, (_, n) => `bus${n}`).join('\n')}\n`);
    await confirm(admin, id);
    await eventually(() => expect(mine.of('import.progress')).toContainEqual({ id, done: 150, total: 150 }));
    const made = (await orders([])).map((record) => record.id);
    await eventually(() => {
      const told = theirs.of('record.created').filter((event) => event.model === order);
      expect(told.map((event) => event.id)).toEqual(expect.arrayContaining(made));
    });
    expect(theirs.of('import.progress')).toEqual([]);
    await Promise.all([mine.close(), theirs.close()]);
  });

  it('IMP-12 a dry run tells what would happen and changes nothing', async () => {
    await admin.rpc(order, 'create', [{ name: 'D1', note: 'old' }]);
    const id = await stage(admin, 'name,note\nD1,new\nD2,new\n', { import_mode: 'upsert' });
    const { result } = await confirm(admin, id, {}, { dry_run: true });
    expect(result).toMatchObject({
      dry_run: true,
      result: { redirect: expect.stringContaining('msg=imported_1_updated_1_skipped_0') },
      changes: [
        { model: order, operation: 'create', values: { name: { old: null, new: 'D2' } } },
        { model: order, operation: 'write', values: { note: { old: 'old', new: 'new' } } },
      ],
    });
    expect(await orders(['note'])).toMatchObject([{ note: 'old' }]);
    expect((await batchOf(admin, id)).state).toBe('draft');
    expect((await confirm(admin, id, {}, { dry_run: true })).ok).toBe(true);
  });

  it('IMP-25 runs again as a whole where its changes meet a conflict, and leaves nothing where they fail', async () => {
    const { database } = world.kernel;
    const csv = `name\n${Array.from({ length: 1_010 }, (_, n) => `again${n}`).join('\n')}\n`;
    // The sequence is not rolled back: the first piece fails, the three of the next try do not, and all after them do.
    await database.execute(sql`create sequence tries`);
    await database.execute(sql`
      create function fail_at_times() returns trigger language plpgsql as $$ begin
        if nextval('tries') = 1 then raise exception 'a conflict' using errcode = '40001'; end if;
        if currval('tries') > 4 then raise exception 'no room'; end if;
        return null;
      end $$`);
    await database.execute(sql`create trigger fails after insert on sys_change execute function fail_at_times()`);
    try {
      expect(counts(await confirm(admin, await stage(admin, csv)))).toBe('imported_1010_updated_0_skipped_0');
      const [once] = await database.arrays(sql`select count(*)::int4, count(distinct name)::int4 from shop_order`);
      expect(once).toEqual([1_010, 1_010]);
      await database.execute(sql`delete from shop_order`);
      const failing = await stage(admin, csv);
      expect((await confirm(admin, failing)).error?.code).toBe('INTERNAL_ERROR');
      expect([await orders([]), (await batchOf(admin, failing)).state]).toEqual([[], 'failed']);
    } finally {
      await database.execute(sql`drop function fail_at_times cascade`);
      await database.execute(sql`drop sequence tries`);
    }
  });

  it('IMP-12 can be undone as a whole', async () => {
    const answer = await confirm(admin, await stage(admin, 'name\nV1\nV2\n'));
    const changeSet = Number(answer.headers.get('x-change-set'));
    await admin.rpc('sys.change.set', 'call', [changeSet, 'action_revert']);
    expect(await orders([])).toEqual([]);
  });

  it.runIf(isLong)('IMP-12 can be undone as a whole, also one of more records than a call takes', async () => {
    const rows = Array.from({ length: 10_500 }, (_, at) => `W${at}\n`).join('');
    const answer = await confirm(admin, await stage(admin, `name\n${rows}`));
    const changeSet = Number(answer.headers.get('x-change-set'));
    await admin.rpc('sys.change.set', 'call', [changeSet, 'action_revert']);
    expect(await orders([])).toEqual([]);
  });
});

describe('the way back', () => {
  it('IMP-4 an export comes back in as it was: names, lists, formulas and all', async () => {
    const [berg] = await admin.rpc<{ id: number }[]>('core.partner', 'search', [[['name', '=', 'Berg & Co']]]);
    const tags = await admin.rpc<{ id: number }[]>('shop.tag', 'search', [[['name', 'in', ['red', 'blue, dark']]]]);
    const full = {
      ...{ state: 'sold', partner_id: berg?.id, date_order: '2026-01-02', placed_at: '2026-01-02T03:04:05Z' },
      ...{ note: '=1+1', rate: 0.125, count: -5, is_urgent: true, extra: { a: [1, 'x'] }, margin: '1234.5' },
      tag_ids: [['set', tags.map(({ id }) => id)]],
    };
    const texts = ["'=quoted", '-12', '+49 30', '@all', ' spaced ', 'a "b", c; d', 'two\nlines', "'tis"];
    await admin.rpc(order, 'create_many', [
      [{ name: 'full', ...full }, ...texts.map((note, n) => ({ name: `007${n}`, note })), { name: 'bare' }],
    ]);
    const fields = 'id,name,state,partner_id,date_order,placed_at,note,rate,count,is_urgent,extra,margin,tag_ids';
    const read = () => orders(fields.split(',').filter((name) => name !== 'id'));
    const before = await read();
    const csv = await (await admin.get(`/web/export/csv?model=${order}&fields=${fields}`)).text();
    const id = await stage(admin, csv, { import_mode: 'upsert' });
    expect(await confirm(admin, id, {}, { dry_run: true })).toMatchObject({
      result: { changes: [], result: { redirect: expect.stringContaining('imported_0_updated_10_skipped_0') } },
    });
    await admin.rpc(order, 'unlink', [before.map((record) => record.id)]);
    const named = fields.replace('partner_id', 'partner_id.display_name').replace('tag_ids', 'tag_ids.display_name');
    await admin.rpc(order, 'create_many', [[{ name: 'full', ...full }]]);
    const again = await (await admin.get(`/web/export/csv?model=${order}&fields=${named}`)).text();
    await world.kernel.database.execute(sql`delete from shop_order`);
    expect(counts(await confirm(admin, await stage(admin, again)))).toBe('imported_1_updated_0_skipped_0');
    expect((await read()).map(({ id: _id, ...values }) => values)).toEqual(
      before.filter(({ name }) => name === 'full').map(({ id: _id, ...values }) => values),
    );
  });
});
