import { pdfPages } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, makeInvoice, openDesk, postInvoice, refusal } from './desk.ts';

let desk: Desk;
const customers = new Map<string, number>();
beforeAll(async () => {
  desk = await openDesk();
  await desk.run(async (env) => {
    const countries = await env.model('core.country').searchRead([['code', 'in', ['DE', 'FR', 'CH']]], ['code']);
    const idOf = new Map(countries.map(({ id, code }) => [code, id]));
    await env
      .model('core.company')
      .write([desk.admin.companyId as number], { country_id: idOf.get('DE') as number, lang: 'de_DE' });
    for (const [name, code, vat] of [
      ['home', 'DE', 'DE123456789'],
      ['business', 'FR', 'FR26481554209'],
      ['consumer', 'FR', null],
      ['abroad', 'CH', null],
    ] as const) {
      const values = { name, vat, country_id: idOf.get(code) as number };
      customers.set(name, await env.model('core.partner').create(values));
    }
  });
});
afterAll(() => desk.close());

const customer = (name: string) => ({ partner_id: customers.get(name) as number });
const taxed = (id: number) =>
  look(desk, 'invoice.invoice', id, 'tax_treatment', 'amount_untaxed', 'amount_tax', 'tax_note');

describe('tax positions', () => {
  it('INV-56 a company gets those of its country, and the country and tax id of a customer decide which taxes they pay', async () => {
    expect(await taxed(await makeInvoice(desk, customer('home')))).toMatchObject({
      ...{ tax_treatment: 'normal', amount_untaxed: '508.9', amount_tax: '75.1', tax_note: null },
    });
    expect(await taxed(await makeInvoice(desk, customer('consumer')))).toMatchObject({ amount_tax: '75.1' });
    expect(await taxed(await makeInvoice(desk, customer('business')))).toMatchObject({
      ...{ tax_treatment: 'reverse', amount_tax: '0' },
      tax_note: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse charge)',
    });
    expect(await taxed(await makeInvoice(desk, customer('abroad')))).toMatchObject({
      ...{ tax_treatment: 'export', amount_tax: '0' },
      tax_note: 'Steuerfreie Ausfuhrlieferung (§ 4 Nr. 1a, § 6 UStG)',
    });
  });

  it('INV-56 the words of the law are printed', async () => {
    const id = await postInvoice(desk, customer('business'));
    await desk.run((env) => env.model('invoice.invoice').call([id], 'print'), desk.clerk);
    const [row] = await desk.run((env) =>
      env.model('invoice.document').searchRead([['invoice_id', '=', id]], ['data']),
    );
    const words = pdfPages(Buffer.from(row?.data ?? '', 'base64'))
      .flat()
      .join(' ');
    expect(words).toContain('Steuerschuldnerschaft des Leistungsempfängers');
  });

  it('INV-56 a position replaces taxes or leaves them out, and a customer has their own', async () => {
    const [france = 0] = await desk.run((env) => env.model('core.country').search([['code', '=', 'FR']]));
    const own = await desk.run(async (env) => {
      const tva = await env.model('sale.tax').create({ name: 'TVA 20 %', percent: 20 });
      const line_ids = [
        ['create', { tax_id: desk.ids.vat, replacement_id: tva }] as const,
        ['create', { tax_id: desk.ids.reduced }] as const,
      ];
      return env.model('sale.tax.position').create({
        name: 'Consumers in France',
        area: 'countries',
        sequence: 15,
        country_ids: [['set', [france]]],
        line_ids,
      });
    });
    expect(await taxed(await makeInvoice(desk, customer('consumer')))).toMatchObject({
      ...{ tax_treatment: 'normal', amount_tax: '65.8' },
    });
    await desk.run((env) =>
      env.model('core.partner').write([customers.get('home') as number], { tax_position_id: own }),
    );
    expect(await taxed(await makeInvoice(desk, customer('home')))).toMatchObject({ amount_tax: '65.8' });
    const none = desk.run((env) => env.model('sale.tax.position').create({ name: 'Nowhere', area: 'countries' }));
    expect(await refusal(none)).toMatchObject({ details: { fields: { country_ids: ['Choose the countries.'] } } });
    const clerk = desk.run((env) => env.model('sale.tax.position').create({ name: 'Mine' }), desk.clerk);
    expect((await refusal(clerk)).code).toBe('ACCESS_DENIED');
  });

  it('INV-56 an order and its invoice have the same position', async () => {
    const order = await desk.run(async (env) => {
      const id = await env.model('sale.order').create({
        ...customer('business'),
        line_ids: [['create', { product_id: desk.ids.desk }]],
      });
      await env.model('sale.order').call([id], 'confirm');
      await env.model('sale.order').call([id], 'create_invoices', { method: 'ordered' });
      return id;
    });
    expect(await look(desk, 'sale.order', order, 'amount_tax')).toMatchObject({ amount_tax: '0' });
    const [line] = await desk.run((env) =>
      env.model('invoice.line').searchRead([['order_id', '=', order]], ['invoice_id.tax_treatment', 'tax_ids']),
    );
    expect(line).toMatchObject({ 'invoice_id.tax_treatment': 'reverse', tax_ids: [] });
  });

  it('INV-58 a company rounds tax on each line, or once for each tax; an invoice keeps what it began with', async () => {
    const line_ids = Array.from(
      { length: 3 },
      () => ['create', { name: 'Part', price_unit: '0.30', tax_ids: [['set', [desk.ids.reduced]]] }] as const,
    );
    const company = [desk.admin.companyId as number];
    const perLine = await makeInvoice(desk, { line_ids });
    await desk.run((env) => env.model('core.company').write(company, { invoice_tax_rounding: 'document' }));
    const whole = await makeInvoice(desk, { line_ids });
    const sums = ['amount_untaxed', 'amount_tax', 'amount_total'];
    expect(await look(desk, 'invoice.invoice', perLine, ...sums)).toMatchObject({
      ...{ amount_untaxed: '0.9', amount_tax: '0.06', amount_total: '0.96' },
    });
    expect(await look(desk, 'invoice.invoice', whole, ...sums)).toMatchObject({
      ...{ amount_untaxed: '0.9', amount_tax: '0.06', amount_total: '0.96' },
    });
    const [first] = await desk.run((env) => env.model('invoice.line').search([['invoice_id', '=', whole]]));
    await desk.run((env) => env.model('invoice.line').write([first as number], { quantity: 5 }), desk.clerk);
    // 7 % of 2.10, and not 0.11 and twice 0.02.
    expect(await look(desk, 'invoice.invoice', whole, 'amount_tax')).toMatchObject({ amount_tax: '0.15' });
    await desk.run((env) => env.model('core.company').write(company, { invoice_tax_rounding: 'line' }));
  });
});
