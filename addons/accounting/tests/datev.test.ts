import type { RouteRequest } from '@kontor/addon';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportRoutes } from '../export/routes.ts';
import { type Books, credit, openBooks, pay, post, refusal } from './books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const [{ handler } = { handler: () => undefined }] = exportRoutes;
const march = () =>
  books.run(async (env) => (await env.model('accounting.period').search([['name', '=', '2025-03']]))[0] ?? 0);
const download = async (ids: readonly number[], actor = books.accountant) =>
  books.run(async (env) => {
    const request = { env, params: { periods: ids.join('-') } } as unknown as RouteRequest;
    return (await handler(request)) as {
      body: Buffer;
      headers: Record<string, string>;
      exported: { ids: readonly number[] };
    };
  }, actor);

it('BKS-9 postings are exported in the layout of DATEV, to the cent, in its characters', async () => {
  const customer = await books.run((env) =>
    env.model('core.partner').create({ name: '="Müller & Söhne" – Łódź €', vat: 'PL 5260001246' }),
  );
  const about = { partner_id: customer, invoice_date: '2025-03-09' };
  const invoice = await post(books, [['1000.10', [books.ids.vat]]], about);
  const reverse = await post(books, [['200', []]], { ...about, tax_treatment: 'reverse' });
  const dollars = await post(books, [['110', []]], { ...about, currency_id: books.ids.dollar });
  await books.run((env) => credit(env, reverse));
  await pay(books, invoice, { date: '2025-03-31' });
  expect(dollars).toBeGreaterThan(0);

  const open = books.run(
    async (env) => env.model('accounting.period').call([await march()], 'export_datev'),
    books.accountant,
  );
  expect((await refusal(open)).message).toContain('Enter the numbers of the consultant');
  await books.run((env) =>
    env.model('core.company').write([books.ids.company], { accounting_consultant: 29098, accounting_client: 55003 }),
  );
  const answer = await books.run(
    async (env) => env.model('accounting.period').call([await march()], 'export_datev'),
    books.accountant,
  );
  expect(JSON.stringify(answer)).toContain(`/web/accounting/datev/${await march()}.csv`);

  const { body, headers, exported } = await download([await march()]);
  expect(headers['content-disposition']).toContain('EXTF_Buchungsstapel_2025-03_2025-03.csv');
  const [head = '', columns = '', ...rows] = body.toString('latin1').split('\r\n');
  expect(head).toMatch(
    /^"EXTF";700;21;"Buchungsstapel";13;\d{17};;"KO";"";"";29098;55003;20250101;4;20250301;20250331;"Kontor 2025-03 - 2025-03";"";1;0;0;"EUR";;"";;;"";;;"";""$/,
  );
  expect(head.split(';')).toHaveLength(31);
  expect(columns.split(';')).toHaveLength(125);
  expect(rows.pop()).toBe('');
  expect(rows.map((row) => row.split(';').length)).toEqual(rows.map(() => 125));
  const short = rows.map((row) => row.split(';').slice(0, 14));
  const [number] = await books.run((env) => env.model('invoice.invoice').read([invoice], ['name']));
  // Ł has no accent that could be left out, and \x96 is the dash, \x80 the euro of Windows-1252.
  const name = '"""Müller & Söhne"" \x96 ?ódz \x80"';
  expect(short[0]).toEqual([
    ...['1000,10', '"S"', '"EUR"', '', '', '', '1400', '8400', '"40"', '0903', `"${number?.name}"`, '', '', name],
  ]);
  expect(short[1]?.slice(0, 10)).toEqual(['190,02', '"S"', '"EUR"', '', '', '', '1400', '1776', '', '0903']);
  expect(short[3]?.slice(0, 10)).toEqual([
    '110,00',
    '"S"',
    '"USD"',
    '1,100000',
    '100,00',
    '"EUR"',
    '1400',
    '8200',
    '',
    '0903',
  ]);
  expect(rows[2]?.split(';')[columns.split(';').indexOf('EU-Land u. UStID (Bestimmung)')]).toBe('"PL5260001246"');
  const cents = rows.reduce((sum, row) => {
    const cells = row.split(';');
    return sum + Math.round(Number((cells[4] || cells[0])?.replace(',', '.')) * 100);
  }, 0);
  const [total] = await books.run((env) =>
    env.model('accounting.posting').readGroup({
      domain: [['id', 'in', exported.ids]],
      groupby: [],
      fields: [{ name: 'amount', field: 'amount', measure: 'sum' }],
    }),
  );
  expect(cents).toBe(Math.round(Number(total?.amount) * 100));
});

it('BKS-9 only accountants of the company export, one company and year at a time', async () => {
  const id = await march();
  expect((await refusal(download([id], books.clerk))).code).toBe('ACCESS_DENIED');
  const other = await books.run((env) =>
    env.model('core.company').create({ name: 'Elsewhere', currency_id: books.ids.dollar }),
  );
  const stranger = await books.person('Ella Elsewhere', ['accounting.group_manager'], { company_id: other });
  expect((await refusal(download([id], stranger))).code).toMatch(/ACCESS_DENIED|NOT_FOUND/);
  await post(books, [['5', []]], { invoice_date: '2024-03-09' });
  const two = books.run(async (env) => {
    const ids = await env.model('accounting.period').search([['name', 'in', ['2024-03', '2025-03']]]);
    return env.model('accounting.period').call(ids, 'export_datev');
  }, books.accountant);
  expect((await refusal(two)).message).toContain('one company and year');
});
