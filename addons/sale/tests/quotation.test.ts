import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RouteRequest } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { pdfPages } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printOrder } from '../quotation/quotation-routes.ts';

import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

async function print(id: number, actor = shop.seller) {
  const { result } = await shop.kernel.transact(actor, async (env) =>
    printOrder({
      env: typedEnv(env),
      method: 'GET',
      path: `/web/sale/quotation/${id}.pdf`,
      params: { id: String(id) },
      query: {},
      body: null,
      headers: {},
      lang: 'en_US',
    } satisfies RouteRequest),
  );
  return { ...result, pages: pdfPages(result.body as Buffer) };
}

describe('a printed quotation', () => {
  it('SCN-24 has sections and notes between its lines, which cost nothing', async () => {
    const id = await makeOrder(shop, {
      line_ids: [
        ['create', { line_type: 'section', name: 'Workplaces' }],
        ['create', { product_id: shop.ids.desk, quantity: 1 }],
        ['create', { line_type: 'note', name: 'In two parts' }],
      ],
    });
    const { pages } = await print(id);
    for (const words of ['Workplaces', 'In two parts']) expect(pages[0]).toContain(words);
    const priced = { line_type: 'section', name: 'x', price_unit: 5 };
    expect(await refusal(makeOrder(shop, { line_ids: [['create', priced]] }))).toMatchObject({
      details: { fields: expect.anything() },
    });
  });

  long('SAL-32 has a subtotal below each section, and the rate of each line where rates differ', async () => {
    const { desk, lamp, vat, vatInside } = shop.ids;
    const line = (product_id: number, tax: number) => ['create', { product_id, tax_ids: [['set', [tax]]] }] as const;
    const of = (lines: readonly unknown[]) => makeOrder(shop, { line_ids: lines });
    const id = await of([
      ['create', { line_type: 'section', name: 'Workplaces' }],
      line(desk, vat),
      line(desk, vat),
      ['create', { line_type: 'section', name: 'Light' }],
      line(lamp, vatInside),
    ]);
    const { pages } = await print(id);
    const words = pages[0]?.replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/Workplaces.*Subtotal.*\$658\.00.*Light.*Subtotal.*\$84\.07/);
    expect(words).toMatch(/Tax.*19 %.*7 %/);
    const { pages: plain } = await print(await of([line(desk, vat), line(desk, vat)]));
    expect(plain[0]).not.toMatch(/Subtotal/);
  });

  it('TXT-9 has a title that an administrator words, for quotations and for orders', async () => {
    const titles = { 'sale.quotation_title': 'Our offer {number}', 'sale.order_title': 'Your order {number}' };
    const edits = await shop.run(async (env) => {
      const texts = await env.model('sys.text').searchRead([['key', 'in', Object.keys(titles)]], ['key']);
      const rows = texts.map(({ id, key }) => ({
        ...{ text_id: id, lang: 'en_US', body: titles[key as keyof typeof titles] },
      }));
      return env.model('sys.text.edit').createMany(rows);
    }, shop.admin);
    const id = await makeOrder(shop);
    const title = async () => (await print(id)).pages[0]?.replaceAll(/\s+/g, ' ');
    expect(await title()).toMatch(/Our offer S\d{5}/);
    await shop.run((env) => env.model('sale.order').call([id], 'confirm'));
    expect(await title()).toMatch(/Your order S\d{5}/);
    await shop.run((env) => env.model('sys.text.edit').unlink(edits), shop.admin);
  });

  it('SAL-32 names countries in the language of the customer', async () => {
    const partner_id = await shop.run(async (env) =>
      env.model('core.partner').create({
        ...{ name: 'Kunde', lang: 'de_DE', country_id: await env.ref('base.country_NO') },
      }),
    );
    const { pages } = await print(await makeOrder(shop, { partner_id }));
    expect(pages[0]).toContain('Norwegen');
  });

  it('SAL-19 SCN-46 is a PDF with company, customer, lines, taxes and total', async () => {
    const { customer, desk, lamp, vatInside } = shop.ids;
    const id = await makeOrder(shop, {
      client_reference: 'PO 4711',
      note: 'Delivery within four weeks.',
      line_ids: [
        ['create', { product_id: desk, quantity: 3, discount: 5 }],
        ['create', { product_id: lamp, quantity: 2, tax_ids: [['set', [vatInside]]] }],
      ],
    });
    await shop.run((env) =>
      env.model('core.partner').write([customer], { street: 'Bryggen 7', zip: '5003', city: 'Bergen' }),
    );
    const company = {
      ...{ street: 'Hafenstraße 3', zip: '20457', city: 'Hamburg', vat: 'DE123456789', tax_number: '22/815/08154' },
      ...{ registration: 'Hamburg HRB 4711', bank_name: 'Hafenbank', iban: 'DE89370400440532013000', bic: 'HABADEHH' },
    };
    await shop.run((env) => env.model('core.company').write([shop.admin.companyId as number], company));
    const { headers, body, pages } = await print(id);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^inline; filename="S\d{5}\.pdf"$/),
    });
    expect((body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
    expect(pages).toHaveLength(1);
    for (const words of [
      'Nordlicht Trading',
      'Hafenstraße 3  ·  20457 Hamburg',
      'Hafenbank  ·  IBAN DE89 3704 0044 0532 0130 00  ·  BIC HABADEHH',
      'Tax id DE123456789  ·  Tax number 22/815/08154  ·  Register entry Hamburg HRB 4711',
      'Fjordkontoret AS',
      'Bryggen 7',
      '5003 Bergen',
      'Quotation S',
      'PO 4711',
      'Selma Seller',
      'Desk',
      'Of birch.',
      '5 %',
      '$937.65',
      'VAT 19 %',
      '$178.15',
      'VAT 7 %, inside',
      '$11.77',
      '$1,295.70',
      'Delivery within four weeks.',
      'Page 1 of 1',
    ])
      expect(pages[0]).toContain(words);
  });

  long(
    'SAL-19 speaks the language of the customer, and writes Latin, Cyrillic, Greek, Chinese, Japanese and Korean',
    async () => {
      const partner_id = await shop.run((env) =>
        env.model('core.partner').create({ name: 'Ольга Ελένη Łukasz Þórsson', lang: 'de_DE' }),
      );
      const id = await makeOrder(shop, {
        partner_id,
        line_ids: [
          ['create', { product_id: shop.ids.desk, quantity: 4, name: 'Стол · Γραφείο · Žluťoučký · €' }],
          ['create', { product_id: shop.ids.desk, quantity: 1, name: '书桌 つくえ' }],
          ['create', { product_id: shop.ids.desk, quantity: 1, name: '책상' }],
        ],
      });
      const { pages } = await print(id);
      for (const words of [
        'Ольга Ελένη Łukasz Þórsson',
        'Стол · Γραφείο · Žluťoučký · €',
        '书桌 つくえ',
        '책상',
        'Angebot',
        'Gültig bis',
        '1.316,00\u00a0$',
        'Seite 1 von 1',
      ])
        expect(pages[0]).toContain(words);
    },
  );

  it.each([
    ['en_US', 'Quotation', 'Valid until|Your reference|Your contact|Payment|within 14 days', 'Tax id'],
    ['de_DE', 'Angebot', 'Gültig bis|Ihr Zeichen|Ihre Ansprechperson|Zahlung|innerhalb von 14 Tagen', 'USt-IdNr.'],
    ['fr_FR', 'Devis', 'Valable jusqu’au|Votre référence|Votre contact|Paiement|à 14 jours', 'N° TVA'],
  ])('SAL-19 says every fact in %s', async (lang, title, facts, vat) => {
    const columns: Readonly<Record<string, string>> = {
      en_US: 'Description|Quantity|Unit price|Disc.|Amount|Untaxed|Total|Page 1 of 1',
      de_DE: 'Beschreibung|Menge|Einzelpreis|Rabatt|Betrag|Netto|Gesamt|Seite 1 von 1',
      fr_FR: 'Désignation|Quantité|Prix unitaire|Remise|Montant|Total HT|Total|Page 1 sur 1',
    };
    const partner_id = await shop.run(async (env) => {
      const [company] = await env.sudo().model('core.company').search([]);
      await env
        .sudo()
        .model('core.company')
        .write([company as number], { vat: 'DE 811 907 980' });
      return env.model('core.partner').create({ name: 'Reader', lang, payment_days: 14 });
    });
    const id = await makeOrder(shop, {
      partner_id,
      client_reference: 'PO 4711',
      line_ids: [['create', { product_id: shop.ids.desk, quantity: 3, discount: 5 }]],
    });
    const [page = ''] = (await print(id)).pages;
    const said = page.replaceAll(/\s+/g, ' ');
    for (const words of [title, ...facts.split('|'), ...(columns[lang] ?? '').split('|'), `${vat} DE 811 907 980`]) {
      expect(said).toContain(words);
    }
  });

  long('LNG-3 an Arab customer gets it in Arabic, from right to left', async () => {
    const values = { name: 'شركة النور', lang: 'ar_AE' };
    const partner_id = await shop.run((env) => env.model('core.partner').create(values));
    const id = await makeOrder(shop, {
      partner_id,
      line_ids: [['create', { product_id: shop.ids.desk, quantity: 3 }]],
    });
    const [page = ''] = (await print(id)).pages;
    for (const words of ['شركة النور', 'عرض سعر', 'الوصف', 'الكمية', 'سعر الوحدة', 'المبلغ'])
      expect(page).toContain([...words].reverse().join(''));
    expect(page).not.toContain('□');
  });

  long('SAL-19 writes other scripts with fonts from the folder that the administrator names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fonts-'));
    const assets = fileURLToPath(
      new URL('../../../node_modules/playwright-core/lib/vite/recorder/assets', import.meta.url),
    );
    const icons = (await readdir(assets)).find((name) => name.endsWith('.ttf')) ?? '';
    await cp(join(assets, icons), join(folder, 'icons.ttf'));
    await writeFile(join(folder, 'broken.ttf'), 'no font');
    const value = `${folder}, /nowhere`;
    await shop.run((env) => env.sudo().model('sys.config.parameter').create({ name: 'sale.report_fonts', value }));
    const id = await makeOrder(shop, {
      line_ids: [['create', { product_id: shop.ids.desk, name: '\uea60\uea61' }]],
    });
    const { pages, body } = await print(id);
    expect(pages[0]).toContain('\uea60\uea61');
    expect((body as Buffer).toString('latin1')).toContain('codicon');
    const plain = await print(await makeOrder(shop));
    expect((plain.body as Buffer).toString('latin1')).not.toContain('codicon');
    await rm(folder, { recursive: true });
  });

  long('SAL-19 a long one goes over pages, each with head and number', async () => {
    const line_ids = Array.from({ length: 120 }, (_, index) => [
      'create',
      { product_id: shop.ids.desk, name: `Desk number ${index + 1}\nOf birch.` },
    ]);
    const { pages } = await print(await makeOrder(shop, { line_ids }));
    expect(pages.length).toBeGreaterThan(3);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    }
    expect(pages[1]).toContain('Unit price');
    const all = pages.join('');
    for (const number of [1, 60, 120]) expect(all).toContain(`Desk number ${number}\n`);
    expect(pages.at(-1)).toContain('Total');
  });

  it('SAL-19 an order is called one, and a cancelled quotation says so', async () => {
    const id = await makeOrder(shop);
    await shop.run((env) => env.model('sale.order').call([id], 'confirm'), shop.seller);
    expect((await print(id)).pages[0]).toContain('Order confirmation S');
    await shop.run((env) => env.model('sale.order').call([id], 'cancel'), shop.manager);
    expect((await print(id)).pages[0]).toMatch(/Quotation S\d{5} \(Cancelled\)/);
  });

  it('SAL-19 nobody prints what they may not read', async () => {
    const id = await makeOrder(shop);
    expect(await refusal(print(id, shop.other))).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await refusal(print(999_999))).toMatchObject({ code: 'NOT_FOUND' });
  });
});
