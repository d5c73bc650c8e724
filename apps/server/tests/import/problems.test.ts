import { sql } from '@kontor/database';
import { systemActor } from '@kontor/kernel';
import type { Domain } from '@kontor/protocol';
import { makeWorkbook, workbookRow } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, RpcReply } from '../browser.ts';
import { startShop } from '../shop.ts';
import type { TestServer } from '../test-server.ts';
import { batchOf, confirm, counts, postCsv, stage } from './upload-csv.ts';

let world: TestServer;
let admin: Browser;
const order = 'shop.order';
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  await admin.rpc('core.partner', 'create_many', [[{ name: 'Berg & Co' }, { name: 'Twin' }, { name: 'Twin' }]]);
  await admin.rpc('shop.tag', 'create_many', [[{ name: 'red' }]]);
});
afterAll(() => world.close());
beforeEach(() => world.kernel.database.execute(sql`delete from shop_order`));

const orders = (fields: unknown[], domain: unknown[] = []) =>
  admin.rpc<Record<string, unknown>[]>(order, 'search_read', [domain, fields], { order: 'id' });
const problemsOf = ({ error }: RpcReply) => error?.details.problems as readonly Record<string, unknown>[];
const fixes = (given: object) => ({ fixes: JSON.stringify(given) });
const bytes = (file: Buffer) => new Uint8Array(file) as Uint8Array<ArrayBuffer>;

describe('a workbook', () => {
  it('IMP-14 is imported as its cells are typed, whatever the language of the person', async () => {
    const { browser } = await world.user('Gesa German', ['base.group_user', 'shop.group_clerk'], { lang: 'de_DE' });
    const styles =
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>';
    const row =
      '<row r="2"><c r="A2"><v>7</v></c><c r="B2"><v>1.234</v></c><c r="C2" s="1"><v>46342</v></c><c r="D2" s="2"><v>46342.5</v></c><c r="E2" t="b"><v>1</v></c></row>';
    const xml = workbookRow(1, ['name', 'rate', 'date_order', 'placed_at', 'is_urgent']) + row;
    const book = makeWorkbook({ sheets: { Orders: xml }, parts: { 'xl/styles.xml': styles } });
    const id = await stage(browser, bytes(book));
    expect(counts(await confirm(browser, id))).toBe('imported_1_updated_0_skipped_0');
    expect(await orders(['name', 'rate', 'date_order', 'placed_at', 'is_urgent'])).toMatchObject([
      {
        ...{ name: '7', rate: 1.234, date_order: '2026-11-16', is_urgent: true },
        placed_at: '2026-11-16T12:00:00.000Z',
      },
    ]);
  });

  it('IMP-14 lets its person choose another sheet, and forgets the workbook once it is imported', async () => {
    const book = makeWorkbook({
      sheets: {
        First: workbookRow(1, ['name']) + workbookRow(2, ['A']),
        Second: workbookRow(3, ['Note', 'name']) + workbookRow(4, ['n', 'B']),
      },
    });
    const id = await stage(admin, bytes(book));
    expect(await batchOf(admin, id)).toMatchObject({ sheets: ['First', 'Second'], sheet: 'First', headers: ['name'] });
    await admin.rpc('sys.bulk.import', 'call', [id, 'action_choose_sheet', { sheet: 'Second' }]);
    expect(await batchOf(admin, id)).toMatchObject({
      ...{ sheet: 'Second', headers: ['Note', 'name'], total: 1 },
      column_mapping: { Note: 'note', name: 'name' },
    });
    const { browser: other } = await world.user('Olga Other', ['base.group_user', 'shop.group_clerk']);
    expect(await other.outcome('sys.bulk.import', 'call', [id, 'action_choose_sheet', { sheet: 'First' }])).toMatch(
      /^40[34]/,
    );
    expect(counts(await confirm(admin, id))).toBe('imported_1_updated_0_skipped_0');
    expect(await orders(['name'])).toMatchObject([{ name: 'B' }]);
    const [file] = await world.kernel.database.query<{ workbook: unknown; content: unknown }>(
      sql`select workbook, content from sys_bulk_import_file where batch_id = ${id}::int4`,
    );
    expect(file).toEqual({ workbook: null, content: null });
    expect(await admin.outcome('sys.bulk.import', 'call', [id, 'action_choose_sheet', { sheet: 'First' }])).toMatch(
      /^4/,
    );
  });

  it('IMP-15 that cannot be read is refused at the upload with what to do', async () => {
    const refused = await postCsv(
      admin,
      bytes(Buffer.from('PK\u0003\u0004nothing')),
      {},
      {
        headers: { accept: 'application/json' },
      },
    );
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('This workbook cannot be read');
  });
});

describe('columns', () => {
  it('IMP-16 are known by names, labels of every active language and other words, and no field twice', async () => {
    const csv = 'Kunde;e mail;Firma;TEL.;Courriel;Pays;PLZ\nx;y;z;1;2;3;4\n';
    const id = await stage(admin, csv, { model: 'core.partner' });
    const { column_mapping: mapping } = await batchOf(admin, id);
    expect(mapping).toEqual({ 'e mail': 'email', Firma: 'parent_id', 'TEL.': 'phone', Pays: 'country_id', PLZ: 'zip' });
  });
});

describe('the same mistake', () => {
  const many = Array.from({ length: 1_200 }, (_, n) => `P${n},${n % 3 === 0 ? 'Nobody' : 'Berg & Co'}`);
  const csv = `name,partner_id\n${many.join('\n')}\n`;

  it('IMP-17 is told once, with how many rows have it and the first of them', async () => {
    const id = await stage(admin, csv);
    const answer = await confirm(admin, id);
    expect(answer.error?.details).toMatchObject({ invalid: 400, more: false });
    expect(problemsOf(answer)).toEqual([
      {
        ...{ column: 'partner_id', value: 'Nobody', message: 'There is no Contact "Nobody".', count: 400 },
        ...{ rows: [2, 5, 8, 11, 14], kind: 'missing' },
      },
    ]);
    expect((await batchOf(admin, id)).problems).toEqual(problemsOf(answer));
  });

  it('IMP-18 all cells with a value become another one, also a missing one, and the choice is kept with the batch', async () => {
    const id = await stage(
      admin,
      'name,partner_id,state,date_order\nA,Nobody,Offen,1\nB,Nobody,Sold,\nC,,Draft,2026-01-02\n',
    );
    const [berg] = await admin.rpc<{ id: number }[]>('core.partner', 'search', [[['name', '=', 'Berg & Co']]]);
    const chosen = { partner_id: { Nobody: { use: String(berg?.id), label: 'Berg & Co' }, '': { use: 'Berg & Co' } } };
    const first = await confirm(admin, id, fixes(chosen), { dry_run: true });
    expect(problemsOf(first).map(({ column, value, count }) => [column, value, count])).toEqual([
      ['state', 'Offen', 1],
      ['date_order', '1', 1],
    ]);
    expect((await confirm(admin, id, fixes(chosen))).status).toBe(422);
    expect((await batchOf(admin, id)).fixes).toEqual(chosen);
    const all = { ...chosen, state: { Offen: { use: 'draft' } }, date_order: { 1: { empty: true } } };
    await admin.rpc('sys.bulk.import', 'write', [[id], { fixes: all }]);
    expect(counts(await confirm(admin, id, {}, { dry_run: true }))).toBe('');
    expect(counts(await confirm(admin, id))).toBe('imported_3_updated_0_skipped_0');
    expect(await orders(['state', 'date_order', 'partner_id.name'])).toMatchObject([
      { state: 'draft', date_order: null, 'partner_id.name': 'Berg & Co' },
      { state: 'sold', 'partner_id.name': 'Berg & Co' },
      { date_order: '2026-01-02', 'partner_id.name': 'Berg & Co' },
    ]);
  });

  it('IMP-19 a missing record is made of its name, by those who may, once for all rows', async () => {
    const id = await stage(admin, 'name,partner_id,tag_ids\nA,New & Co,"red,pink"\nB,New & Co,pink\n');
    const chosen = fixes({ partner_id: { 'New & Co': { create: true } }, tag_ids: { pink: { create: true } } });
    expect((await confirm(admin, id, chosen, { dry_run: true })).error).toBe(null);
    const made = async () =>
      (await admin.rpc<unknown[]>('core.partner', 'search', [[['name', '=', 'New & Co']]])).length;
    expect(await made()).toBe(0);
    expect(counts(await confirm(admin, id, chosen))).toBe('imported_2_updated_0_skipped_0');
    expect(await made()).toBe(1);
    expect(await orders([{ tag_ids: ['name'] }])).toMatchObject([
      { tag_ids: [{ name: 'red' }, { name: 'pink' }] },
      { tag_ids: [{ name: 'pink' }] },
    ]);
    const { browser: clerk } = await world.user('Cleo Clerk', ['base.group_user', 'shop.group_clerk']);
    const staged = await stage(clerk, 'name,company_id\nC,Nowhere Ltd\n');
    const targets = (await batchOf(clerk, staged)).targets as { name: string; canCreate?: boolean }[];
    expect(targets.find(({ name }) => name === 'company_id')?.canCreate).toBe(false);
    const answer = await confirm(clerk, staged, fixes({ company_id: { 'Nowhere Ltd': { create: true } } }));
    expect(problemsOf(answer)).toMatchObject([{ column: 'company_id', message: 'You cannot create a Company here.' }]);
  });

  it('IMP-20 rows with a value are skipped by choice without stopping the others, and can be downloaded', async () => {
    const id = await stage(admin, csv);
    const answer = await confirm(admin, id, fixes({ partner_id: { Nobody: { skip: true } } }));
    expect(counts(answer)).toBe('imported_800_updated_0_skipped_400');
    const rejects = await (await admin.get(`/web/bulk/rejects?id=${id}`)).text();
    expect(rejects.split('\r\n')).toHaveLength(402);
    expect(rejects).toContain('P0,Nobody,partner_id: You chose to skip rows with this value.');
  });

  it('IMP-18 choices that are none are refused', async () => {
    const id = await stage(admin, 'name\nA\n');
    for (const given of ['[]', '{"name":3}', '{"name":{"A":{"use":3}}}', 'x']) {
      expect((await confirm(admin, id, { fixes: given })).error?.code).toBe('INVALID_ARGS');
    }
    expect(await admin.outcome('sys.bulk.import', 'write', [[id], { fixes: { name: [] } }])).toMatch(/^400/);
  });
});

describe('the records', () => {
  const idsOf = async (domain: unknown[]) => {
    const found = await world.kernel.read(
      systemActor,
      (env) => env.model(order).search(domain as Domain, { order: 'id' }),
      {
        isSudo: true,
      },
    );
    return [...found];
  };
  const shown = async (id: number) => {
    const { records_path: path } = await batchOf(admin, id);
    const params = new URL(String(path), 'http://x').searchParams;
    return { path: String(path), ids: await idsOf(JSON.parse(params.get('domain') ?? '[]') as unknown[]) };
  };

  it('IMP-21 are shown by an address: those that were made or changed, archived ones too, and no others', async () => {
    await admin.rpc(order, 'create', [{ name: 'Before' }]);
    const few = await stage(admin, 'name,active\nA,yes\nB,no\nBefore,yes\n', { import_mode: 'upsert' });
    await confirm(admin, few);
    await admin.rpc(order, 'create', [{ name: 'After' }]);
    const named = await orders(
      ['name'],
      [
        ['name', 'in', ['A', 'B', 'Before']],
        ['active', 'in', [true, false]],
      ],
    );
    expect((await shown(few)).ids).toEqual(named.map((record) => record.id));
    expect((await shown(few)).path).toMatch(/^\/web\?model=shop\.order&view_type=list&filter=&group_by=&domain=/);

    const lines = Array.from({ length: 1_000 }, (_, n) => `many${n}`).join('\n');
    const many = await stage(admin, `name\n${lines}\n`);
    await confirm(admin, many);
    const { path, ids } = await shown(many);
    expect(ids).toHaveLength(1_000);
    expect(path.length).toBeLessThan(400);

    const odd = Array.from({ length: 400 }, (_, n) => `many${n * 2},x`).join('\n');
    const scattered = await stage(admin, `name,note\n${odd}\n`, { import_mode: 'upsert' });
    expect(counts(await confirm(admin, scattered))).toBe('imported_0_updated_400_skipped_0');
    expect((await shown(scattered)).ids).toEqual(await idsOf([['note', '=', 'x']]));
  });
});
