import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../browser.ts';
import { startShop } from '../shop.ts';
import type { TestServer } from '../test-server.ts';
import { batchOf, confirm, postCsv, stage } from './upload-csv.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
});
afterAll(() => world.close());

const json = { accept: 'application/json' };
const refusal = async (content: string | Uint8Array<ArrayBuffer>, fields = {}) => {
  const response = await postCsv(admin, content, fields, { headers: json });
  const { code, message } = await Browser.errorOf(response);
  return `${response.status} ${code}: ${message}`;
};

describe('the upload', () => {
  it('IMP-1 stages a file and leads to its mapping form', async () => {
    const response = await postCsv(admin, 'name,state\nA1,draft\nA2,Sold\n', {
      import_mode: 'upsert',
      next: '/web?model=shop.order&view_type=list&q=A',
    });
    expect(response.status).toBe(303);
    const place = response.headers.get('location') ?? '';
    const [, id] = /^\/web\?model=sys\.bulk\.import&view_type=form&id=(\d+)$/.exec(place) ?? [];
    const batch = await batchOf(admin, Number(id));
    expect(batch).toMatchObject({
      ...{ name: 'orders.csv', model: 'shop.order', import_mode: 'upsert', state: 'draft', total: 2 },
      ...{ headers: ['name', 'state'], column_mapping: { name: 'name', state: 'state' }, skip_invalid: false },
      ...{
        preview: [
          ['A1', 'draft'],
          ['A2', 'Sold'],
        ],
        next: '/web?model=shop.order&view_type=list&q=A',
      },
    });
    expect((await admin.get(place, json)).status).toBe(200);
    expect((await admin.get(`/web/wc/workspace?model=sys.bulk.import&view_type=form&id=${id}`)).status).toBe(200);
  });

  it('IMP-1 the old address does the same, programs get the id, and imports nothing', async () => {
    const before = await admin.rpc<unknown[]>('shop.order', 'search', [[]]);
    const response = await postCsv(admin, 'name\nB1\n', {}, { path: '/web/import/csv', headers: json });
    expect(await response.json()).toEqual({
      ok: true,
      result: { id: expect.any(Number), redirect: expect.stringContaining('sys.bulk.import') },
      error: null,
    });
    expect(await admin.rpc('shop.order', 'search', [[]])).toEqual(before);
  });

  it('IMP-1 needs a session, the token, a model and a file', async () => {
    const stranger = await postCsv(world.browser(), 'name\nA\n', {}, { headers: json });
    expect(stranger.status).toBe(401);
    expect((await postCsv(admin, 'name\nA\n', { csrf_token: 'wrong' }, { headers: json })).status).toBe(403);
    expect(await refusal('name\nA\n', { model: '' })).toMatch(/^400 INVALID_ARGS/);
    expect(await refusal('name\nA\n', { model: 'shop.nothing' })).toMatch(/^404 MODEL_NOT_FOUND/);
    expect(await refusal('name\nA\n', { fields: 'name,nothing' })).toMatch(/^400 INVALID_ARGS.*nothing/);
    expect(await refusal('name\nA\n', { import_mode: 'replace' })).toMatch(/^400 INVALID_ARGS/);
    const form = await admin.form('/web/bulk/upload', { model: 'shop.order' }, json);
    expect(form.status).toBe(415);
    const clerk = (await world.user('Only Reads')).browser;
    expect((await postCsv(clerk, 'name\nA\n', {}, { headers: json })).status).toBe(403);
  });

  long('IMP-2 takes eight megabytes and no more', async () => {
    const line = `${'x'.repeat(99)}\n`;
    expect(await stage(admin, `name\n${line.repeat(80_000)}`)).toBeTypeOf('number');
    expect(await refusal(`name\n${line.repeat(84_000)}`)).toMatch(/^413 PAYLOAD_TOO_LARGE/);
  });

  it('IMP-2 says what is wrong with a file that is neither CSV nor a workbook', async () => {
    const bytes = (...parts: (string | number[])[]) =>
      Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part))));
    expect(await refusal('')).toBe('422 VALIDATION_ERROR: The file is empty.');
    expect(await refusal('\n\n')).toMatch(/The file is empty/);
    expect(await refusal('name,state\n')).toMatch(/has column names and no rows/);
    expect(await refusal(bytes([0x50, 0x4b, 0x03, 0x04], 'xl/workbook.xml'))).toMatch(
      /workbook cannot be read.*CSV UTF-8/,
    );
    expect(await refusal(bytes('name\nA', [0], 'B\n'))).toMatch(/not a text file/);
    expect(await refusal('name\n"never closed\nA\n')).toMatch(/Row 2: a quote is opened and never closed/);
  });

  it('IMP-1 a next outside /web is not kept; without one the list of the action follows', async () => {
    const away = await batchOf(admin, await stage(admin, 'name\nA\n', { next: 'https://evil.example/web' }));
    expect(away.next).toBe(null);
    const [known] = await admin.rpc<{ id: number }[]>('sys.action.window', 'search_read', [[], []]);
    const action = String(known?.id);
    const acted = await batchOf(admin, await stage(admin, 'name\nA\n', { next: '//evil.example', action }));
    expect(acted.next).toBe(`/web?action=${action}&view_type=list`);
    for (const unknown of ['999999', 'shop.nowhere', '../x']) {
      const refused = await postCsv(admin, 'name\nA\n', { action: unknown }, { headers: json });
      expect([unknown, refused.status]).toEqual([unknown, 400]);
    }
  });

  it('IMP-3 proposes a mapping from names, labels and near misses', async () => {
    const csv = 'Name;Customer;STATUS;dateorder;is urgent;tag_ids/id;nonsense;Name\nA;;;;;;;\n';
    const batch = await batchOf(admin, await stage(admin, csv));
    expect(batch.headers).toEqual([
      'Name',
      'Customer',
      'STATUS',
      'dateorder',
      'is urgent',
      'tag_ids/id',
      'nonsense',
      'Name (2)',
    ]);
    expect(batch.column_mapping).toMatchObject({
      ...{
        Name: 'name',
        Customer: 'partner_id',
        dateorder: 'date_order',
        'is urgent': 'is_urgent',
        'tag_ids/id': 'tag_ids',
      },
    });
    expect(batch.column_mapping).not.toHaveProperty('nonsense');
    const chosen = await batchOf(admin, await stage(admin, csv, { fields: 'name' }));
    expect(chosen.column_mapping).toEqual({ Name: 'name' });
  });

  it('IMP-3 offers what the person may write, and tells what a new record needs', async () => {
    const targets = async (browser: Browser) =>
      (await batchOf(browser, await stage(browser, 'name\nA\n'))).targets as { name: string; required: boolean }[];
    const clerk = (await world.user('Clara Clerk', ['base.group_user', 'shop.group_clerk'])).browser;
    const offered = (await targets(clerk)).map(({ name }) => name);
    expect(offered).toEqual(expect.arrayContaining(['id', 'name', 'partner_id', 'tag_ids']));
    for (const hidden of ['margin', 'reference', 'amount_total', 'line_ids', 'file', 'create_date']) {
      expect(offered).not.toContain(hidden);
    }
    const forAdmin = await targets(admin);
    expect(forAdmin.map(({ name }) => name)).toContain('margin');
    expect(forAdmin.filter(({ required }) => required).map(({ name }) => name)).toEqual(['name', 'line_ids/name']);
  });

  it('IMP-9 a batch and its file are seen by nobody else', async () => {
    const id = await stage(admin, 'name\nSecret\n');
    const other = (await world.user('Otto Other', ['base.group_user', 'shop.group_clerk'])).browser;
    expect(await other.outcome('sys.bulk.import', 'read', [[id], ['preview']])).toBe('403 ACCESS_DENIED');
    expect(await other.outcome('sys.bulk.import', 'call', [id, 'action_confirm_import'])).toBe('403 ACCESS_DENIED');
    expect((await other.get(`/web/bulk/rejects?id=${id}`, json)).status).toBe(403);
    expect((await other.form('/web/bulk/cancel', { id: String(id) }, json)).status).toBe(403);
    expect(await admin.outcome('sys.bulk.import.file', 'search', [[]])).toBe('403 ACCESS_DENIED');
  });

  it('IMP-7 skip_invalid takes "1" by RPC as by form', async () => {
    const id = await stage(admin, 'name,partner_id\nGood,\nBad,Nobody at all\n');
    await admin.rpc('sys.bulk.import', 'write', [[id], { skip_invalid: '1' }]);
    expect((await batchOf(admin, id)).skip_invalid).toBe(true);
    await admin.rpc('sys.bulk.import', 'write', [[id], { skip_invalid: '0' }]);
    expect((await batchOf(admin, id)).skip_invalid).toBe(false);
    expect(await admin.outcome('sys.bulk.import', 'write', [[id], { skip_invalid: 'maybe' }])).toBe(
      '422 VALIDATION_ERROR',
    );
  });

  it('RTE-12 a flag that is neither yes nor no is refused, and nothing is imported', async () => {
    const id = await stage(admin, 'name\nFlag\n');
    for (const flag of ['dry_run', 'skip_invalid']) {
      const response = await admin.form('/web/bulk/confirm', { id: `${id}`, [flag]: 'yes' }, json);
      expect(`${response.status} ${(await Browser.errorOf(response)).message}`).toBe(`400 ${flag} must be 1 or 0.`);
    }
    const { status, error } = await confirm(admin, id, { skip_invalid: 'yes' });
    expect([status, error?.code, error?.details.fields]).toMatchObject([
      ...[422, 'VALIDATION_ERROR', { skip_invalid: ['Must be 1 to skip bad rows, or 0.'] }],
    ]);
    expect(await admin.rpc('shop.order', 'search', [[['name', '=', 'Flag']]])).toEqual([]);
    expect((await batchOf(admin, id)).state).toBe('draft');
  });
});
