import { sql } from '@kontor/database';
import { pdfPages, pdfSizes } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let server: TestServer;
let clerk: Browser;
let german: Browser;
let id: number;

beforeAll(async () => {
  server = await startShop();
  clerk = (await server.user('Clara Clerk', ['shop.group_clerk'])).browser;
  const values = { lang: 'de_DE', tz: 'Europe/Berlin' };
  german = (await server.user('Klaus Klerk', ['shop.group_clerk'], values)).browser;
  await server.work(async (env) => {
    const names = ['Ольга Ελένη Łukasz', '北京东方贸易', '株式会社さくら', '삼성전자', 'Nok นก', 'شركة النور'];
    const partners = await env.model('core.partner').createMany(names.map((name) => ({ name })));
    const tags = await env.model('shop.tag').createMany([{ name: 'Red' }, { name: 'Blue' }]);
    [id = 0] = await env.model('shop.order').createMany(
      partners.map((partner_id, at) => ({
        name: `P${at}`,
        partner_id,
        date_order: '2026-11-04',
        placed_at: '2026-11-04T22:30:00Z',
        tag_ids: [['set', tags]],
        is_urgent: at === 0,
        margin: '123456789012.34',
        line_ids: [['create', { name: 'Screw', qty: 3, price: '1234.50' }]],
      })),
    );
    await env.model('shop.order').create({ name: 'LONG', note: 'many words on many lines '.repeat(1_500) });
  });
  await server.kernel.database.execute(sql`insert into shop_order (name, state, user_id, active, is_urgent)
    select 'M' || n, 'draft', 1, true, false from generate_series(1, 1200) n`);
});
afterAll(() => server.close());

const get = (query: string, browser = clerk) => browser.get(`/web/export/pdf?model=shop.order&${query}`);
const print = async (query: string, browser = clerk) => {
  const response = await get(query, browser);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF');
  return { response, pages: pdfPages(bytes), sizes: pdfSizes(bytes) };
};
const named = (pattern: string) => `domain=${encodeURIComponent(JSON.stringify([['name', '=like', pattern]]))}`;

describe('What a PDF export is', () => {
  it('EXP-11 a file with a title and labels, every row, the head and the number on each page', async () => {
    const { response, pages } = await print(`fields=name,state,partner_id&${named('M%')}`);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Order \d{4}-\d\d-\d\d\.pdf"/);
    expect(pages.length).toBeGreaterThan(10);
    for (const [at, page] of pages.entries()) {
      expect(page).toContain('Name\nState\nCustomer\n');
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
    }
    expect(pages[0]?.startsWith('Order\n')).toBe(true);
    const rows = pages.join('').match(/^M\d+$/gm);
    expect(new Set(rows).size).toBe(1200);
    expect(rows).toHaveLength(1200);
  });

  it('EXP-11 writes Latin, Cyrillic, Greek, Chinese, Japanese and Korean', async () => {
    const { pages } = await print(`fields=name,partner_id&${named('P%')}`);
    for (const name of ['Ольга Ελένη Łukasz', '北京东方贸易', '株式会社さくら', '삼성전자'])
      expect(pages[0]).toContain(name);
  });

  it('EXP-11 shows that something is there where it has no letters for it', async () => {
    const { pages } = await print(`fields=name,partner_id&${named('P4')}`);
    expect(pages[0]).toContain('Nok □□');
  });

  it('LNG-3 writes Arabic from right to left, and the whole table for who reads it so', async () => {
    const { browser } = await server.user('Amal Amin', ['shop.group_clerk'], { lang: 'ar_AE', tz: 'Asia/Dubai' });
    const { pages } = await print(`fields=name,partner_id&${named('P5')}`, browser);
    expect(pages[0]).toContain([...'شركة النور'].reverse().join(''));
    expect(pages[0]).toContain([...'صفحة'].reverse().join(''));
    expect(pages[0]).not.toContain('□');
  });

  long('EXP-11 lies on its side when it is wide, on the paper that is asked for', async () => {
    const narrow = `fields=name,state&${named('P%')}`;
    const wide = `fields=name,state,partner_id,user_id,date_order,placed_at,tag_ids,is_urgent,amount_total,company_id&${named('P%')}`;
    expect((await print(narrow)).sizes).toEqual([[595.28, 841.89]]);
    expect((await print(wide)).sizes).toEqual([[841.89, 595.28]]);
    expect((await print(`${narrow}&page_size=letter`)).sizes).toEqual([[612, 792]]);
    expect((await print(`${wide}&page_size=legal`)).sizes).toEqual([[1008, 612]]);
  });

  it('EXP-11 breaks long texts over lines and pages, and loses nothing of them', async () => {
    const { pages } = await print(`fields=name,note&${named('LONG')}`);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.join('').match(/\bmany\b/g)).toHaveLength(3_000);
  });

  it('EXP-11 an empty one is a page with its head', async () => {
    const { pages } = await print(`fields=name,state&${named('nothing')}`);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('Name\nState\n');
  });

  it('EXP-12 names, labels, numbers, days and times are those that the person knows', async () => {
    const fields = 'name,state,partner_id.name,date_order,placed_at,tag_ids,is_urgent,amount_total';
    const { pages } = await print(`fields=${fields}&id=${id}`);
    expect(pages[0]).toContain(
      'P0\nDraft\nОльга Ελένη Łukasz\nNov 4, 2026\nNov 4, 2026, 10:30 PM\nRed, Blue\nYes\n3,703.50\n',
    );
    const own = await print(`fields=${fields}&id=${id}`, german);
    expect(own.pages[0]).toContain('4. Nov. 2026\n4. Nov. 2026, 23:30\nRed, Blue\nJa\n3.703,50\n');
    expect(own.pages[0]).toContain('Seite 1 von 1');
  });

  it('EXP-12 decimals have all their digits, with and without lists beside them', async () => {
    const admin = await server.signedIn();
    expect((await print(`fields=margin&id=${id}`, admin)).pages[0]).toContain('123,456,789,012.34');
    expect((await print(`fields=margin,tag_ids&id=${id}`, admin)).pages[0]).toContain('123,456,789,012.34');
  });

  it.each([
    ['fields=', '400 INVALID_ARGS'],
    ['fields=nothing', '400 INVALID_ARGS'],
    ['fields=file', '400 INVALID_ARGS'],
    ['fields=name&page_size=a5', '400 INVALID_ARGS'],
    ['fields=margin', '403 ACCESS_DENIED'],
    ['fields=name&id=999999', '404 NOT_FOUND'],
  ])('EXP-8 PDF: %s: %s', async (query, expected) => {
    const response = await get(query);
    expect(`${response.status} ${(await Browser.errorOf(response)).code}`).toBe(expected);
  });
});
