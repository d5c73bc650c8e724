import { priceBetween, priceWith } from '@addons/sale';
import { Decimal } from '@kontor/addon';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, makeInvoice, openDesk, postInvoice, refusal } from './desk.ts';

let desk: Desk;
const ids = { home: 0, business: 0, exempt: 0, gross: 0 };
beforeAll(async () => {
  desk = await openDesk();
  await desk.run(async (env) => {
    const countries = await env.model('core.country').searchRead([['code', 'in', ['DE', 'FR']]], ['code']);
    const [germany, france] = ['DE', 'FR'].map((code) => countries.find((each) => each.code === code)?.id as number);
    await env.model('core.company').write([desk.admin.companyId as number], { country_id: germany as number });
    const partners = env.model('core.partner');
    ids.home = await partners.create({ name: 'Home', country_id: germany as number });
    ids.business = await partners.create({ name: 'Business', vat: 'FR26481554209', country_id: france as number });
    ids.exempt = await partners.create({ name: 'Exempt', country_id: germany as number, tax_exempt: true });
    ids.gross = await env.model('product.product').create({
      ...{ name: 'Ticket', uom_id: await env.ref('product.uom_unit'), list_price: '107' },
      sale_tax_ids: [['set', [desk.ids.inside]]],
    });
  });
});
afterAll(() => desk.close());

const ticket = (partner: number) => ({
  partner_id: partner,
  line_ids: [['create', { product_id: ids.gross }] as const],
});
const sums = (id: number) => look(desk, 'invoice.invoice', id, 'amount_untaxed', 'amount_tax', 'amount_total');
const net = { amount_untaxed: '100', amount_tax: '0', amount_total: '100' };
const gross = { amount_untaxed: '100', amount_tax: '7', amount_total: '107' };

describe('prices that include tax', () => {
  it('INV-60 are net where the tax is not charged: reverse charge, export and exemption, on orders and invoices', async () => {
    expect(await sums(await makeInvoice(desk, ticket(ids.home)))).toMatchObject(gross);
    expect(await sums(await makeInvoice(desk, ticket(ids.business)))).toMatchObject(net);
    expect(await sums(await makeInvoice(desk, ticket(ids.exempt)))).toMatchObject(net);
    const order = await desk.run((env) => env.model('sale.order').create(ticket(ids.business)), desk.seller);
    expect(await look(desk, 'sale.order', order, 'amount_untaxed', 'amount_total')).toMatchObject({
      ...{ amount_untaxed: '100', amount_total: '100' },
    });
    await desk.run((env) => env.model('sale.order').call([order], 'update_prices'), desk.seller);
    expect(await look(desk, 'sale.order', order, 'amount_total')).toMatchObject({ amount_total: '100' });
  });

  it('INV-60 follow when a draft gets another customer, and back, with what was entered by hand', async () => {
    const invoice = await makeInvoice(desk, ticket(ids.home));
    const order = await desk.run((env) => env.model('sale.order').create(ticket(ids.home)), desk.seller);
    const move = (partner_id: number) =>
      desk.run(async (env) => {
        await env.model('invoice.invoice').write([invoice], { partner_id });
        await env.model('sale.order').write([order], { partner_id });
      });
    await move(ids.business);
    expect(await sums(invoice)).toMatchObject(net);
    expect(await look(desk, 'sale.order', order, 'amount_total', 'amount_tax')).toMatchObject({ amount_total: '100' });
    await move(ids.exempt);
    expect(await sums(invoice)).toMatchObject(net);
    const [line = 0] = (await look(desk, 'invoice.invoice', invoice, 'line_ids')).line_ids as number[];
    await desk.run((env) => env.model('invoice.line').write([line], { price_unit: '200' }), desk.clerk);
    await move(ids.home);
    expect(await sums(invoice)).toMatchObject({ amount_untaxed: '200', amount_tax: '14', amount_total: '214' });
    expect(await look(desk, 'sale.order', order, 'amount_total', 'amount_tax')).toMatchObject({
      ...{ amount_total: '107', amount_tax: '7' },
    });
  });

  it('INV-60 lose their tax once, and get it back to the cent of a ten-thousandth', () => {
    const tax = (percent: number) => [{ id: 1, percent: new Decimal(percent), price_included: true }];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 30 }), (cents, percent) => {
        const price = new Decimal(cents).div(100);
        const without = priceBetween(price, tax(percent), []);
        expect(priceWith(without, [], tax(percent)).minus(price).abs().lte('0.0001')).toBe(true);
        expect(priceBetween(price, tax(percent), tax(20)).eq(price)).toBe(true);
        expect(without.lte(price)).toBe(true);
      }),
    );
  });
});

describe('the tax treatment', () => {
  it('INV-61 that is chosen by hand takes the taxes off the lines, and an invoice with both is not posted', async () => {
    const invoice = await makeInvoice(desk, { partner_id: ids.home });
    const untaxed = { amount_untaxed: '508.9', amount_tax: '0' };
    expect(await sums(invoice)).toMatchObject({ amount_tax: '75.1' });
    await desk.run((env) => env.model('invoice.invoice').write([invoice], { tax_treatment: 'reverse' }), desk.clerk);
    expect(await sums(invoice)).toMatchObject(untaxed);
    const lines = (await look(desk, 'invoice.invoice', invoice, 'line_ids')).line_ids as number[];
    const tax_ids = [['set', [desk.ids.vat]]] as const;
    await desk.run((env) => env.model('invoice.line').write(lines.slice(0, 1), { tax_ids }), desk.clerk);
    const posted = desk.run((env) => env.model('invoice.invoice').call([invoice], 'post'), desk.clerk);
    expect((await refusal(posted)).message).toContain('says that no tax is charged');
    await desk.run((env) => env.model('invoice.invoice').write([invoice], { tax_treatment: 'normal' }), desk.clerk);
    expect(await sums(invoice)).toMatchObject({ amount_tax: '75.1' });
    expect(await sums(await postInvoice(desk, { partner_id: ids.home, tax_treatment: 'reverse' }))).toMatchObject(
      untaxed,
    );
  });

  it('INV-61 taxes and prices that the same call gives stay', async () => {
    const invoice = await makeInvoice(desk, ticket(ids.business));
    const [line = 0] = (await look(desk, 'invoice.invoice', invoice, 'line_ids')).line_ids as number[];
    const values = { price_unit: '50', tax_ids: [['set', [desk.ids.vat]]] as const };
    await desk.run(
      (env) =>
        env.model('invoice.invoice').write([invoice], { partner_id: ids.home, line_ids: [['update', line, values]] }),
      desk.clerk,
    );
    expect(await sums(invoice)).toMatchObject({ amount_untaxed: '50', amount_tax: '9.5' });
  });
});
