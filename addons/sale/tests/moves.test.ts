import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

type Action = 'send' | 'confirm' | 'cancel' | 'draft' | 'update_prices' | 'print';
const press = (id: number, action: Action, actor = shop.seller) =>
  shop.run((env) => env.model('sale.order').call([id], action), actor);
const write = (id: number, values: object, actor = shop.seller) =>
  shop.run((env) => env.model('sale.order').write([id], values), actor);
async function look(id: number) {
  const fields = ['name', 'state', 'stage_id.name', 'date_confirmed'] as const;
  const [row] = await shop.run((env) => env.model('sale.order').read([id], fields));
  return row;
}
/** A new order of the seller, brought to a state by its buttons. */
async function given(state: 'draft' | 'sent' | 'sale' | 'cancel', values: object = {}): Promise<number> {
  const id = await makeOrder(shop, values);
  if (state === 'sent') await press(id, 'send');
  if (state === 'sale') await press(id, 'confirm');
  if (state === 'cancel') await press(id, 'cancel');
  return id;
}

describe('buttons', () => {
  it('SAL-10 a quotation is sent, confirmed, cancelled and reset', async () => {
    const id = await given('draft');
    await press(id, 'send');
    expect(await look(id)).toMatchObject({ state: 'sent', 'stage_id.name': 'Sent', date_confirmed: null });
    await press(id, 'confirm');
    expect(await look(id)).toMatchObject({ state: 'sale', 'stage_id.name': 'Confirmed' });
    expect((await look(id))?.date_confirmed).toMatch(/^\d{4}-/);
    await press(id, 'cancel', shop.manager);
    expect(await look(id)).toMatchObject({ state: 'cancel', 'stage_id.name': 'Cancelled' });
    await press(id, 'draft');
    expect(await look(id)).toMatchObject({ state: 'draft', 'stage_id.name': 'Quotation', date_confirmed: null });
  });

  it('SAL-10 sending again changes nothing but tells again', async () => {
    const id = await given('sent');
    await press(id, 'send');
    expect(await look(id)).toMatchObject({ state: 'sent' });
  });

  it('SAL-16 lines that come with the confirmation are written before it, whatever says it', async () => {
    const stage_id = await shop.run((env) => env.ref('sale.stage_sale'));
    for (const move of [{ state: 'sale' }, { stage_id }]) {
      const id = await given('draft', { line_ids: [] });
      await write(id, { ...move, line_ids: [['create', { product_id: shop.ids.desk, quantity: 2 }]] });
      const [row] = await shop.run((env) => env.model('sale.order').read([id], ['state', 'amount_untaxed']));
      expect(row).toMatchObject({ state: 'sale' });
      expect(String(row?.amount_untaxed)).toBe('658');
      const late = write(id, { line_ids: [['create', { product_id: shop.ids.desk }]] });
      expect(await refusal(late)).toMatchObject({ code: 'USER_ERROR', message: /settled/ });
    }
    const empty = await given('draft', { line_ids: [] });
    expect(await refusal(write(empty, { state: 'sale', line_ids: [] }))).toMatchObject({ code: 'USER_ERROR' });
  });

  it('SAL-11 nothing is sent or confirmed without lines', async () => {
    const id = await given('draft', { line_ids: [] });
    for (const action of ['send', 'confirm'] as const) {
      expect(await refusal(press(id, action))).toMatchObject({
        code: 'USER_ERROR',
        message: 'Add a line first.',
      });
    }
    expect(await look(id)).toMatchObject({ state: 'draft' });
  });

  it('SAL-12 a confirmed order is cancelled by managers only', async () => {
    const id = await given('sale');
    expect(await refusal(press(id, 'cancel'))).toMatchObject({
      code: 'USER_ERROR',
      message: 'This order is confirmed. Ask a sales manager to cancel it.',
    });
    await press(id, 'cancel', shop.manager);
  });

  it.each([
    ['sale', 'draft'],
    ['cancel', 'send'],
    ['cancel', 'confirm'],
  ] as const)('SAL-13 from %s there is no %s, and the person is told what is possible', async (state, action) => {
    const id = await given(state);
    const refused = await refusal(press(id, action, shop.manager));
    expect(refused).toMatchObject({ code: 'USER_ERROR', message: expect.stringContaining('From here it can become') });
    expect(await look(id)).toMatchObject({ state });
  });
});

describe('writes', () => {
  it('SAL-13 a write obeys the same rules as the buttons', async () => {
    const empty = await given('draft', { line_ids: [] });
    expect(await refusal(write(empty, { state: 'sale' }))).toMatchObject({ code: 'USER_ERROR' });
    const sold = await given('sale');
    expect(await refusal(write(sold, { state: 'cancel' }))).toMatchObject({ code: 'USER_ERROR' });
    expect(await refusal(write(sold, { state: 'draft' }, shop.manager))).toMatchObject({ code: 'USER_ERROR' });
    const open = await given('draft');
    await write(open, { state: 'sale' });
    expect((await look(open))?.date_confirmed).toMatch(/^\d{4}-/);
  });

  it('SAL-14 a stage brings its state along, under the same rules', async () => {
    const stage = (name: string) => shop.run((env) => env.ref(`sale.stage_${name}`));
    const id = await given('draft');
    await write(id, { stage_id: await stage('negotiation') });
    expect(await look(id)).toMatchObject({ state: 'sent', 'stage_id.name': 'In negotiation' });
    await write(id, { stage_id: await stage('sale') });
    expect(await look(id)).toMatchObject({ state: 'sale' });
    expect(await refusal(write(id, { stage_id: await stage('draft') }))).toMatchObject({ code: 'USER_ERROR' });
    const empty = await given('draft', { line_ids: [] });
    expect(await refusal(write(empty, { stage_id: await stage('sale') }))).toMatchObject({ code: 'USER_ERROR' });
    expect(await refusal(write(empty, { stage_id: await stage('sale'), state: 'cancel' }))).toMatchObject({
      details: { fields: { stage_id: ['This stage belongs to another state.'] } },
    });
  });

  it('SAL-14 a new order begins as a quotation, and goes to the stage that it is given by a move', async () => {
    const stage_id = await shop.run((env) => env.ref('sale.stage_sale'));
    expect(await refusal(makeOrder(shop, { stage_id, line_ids: [] }))).toMatchObject({
      code: 'USER_ERROR',
      details: { conditions: ['has_lines'] },
    });
    const id = await makeOrder(shop, { stage_id });
    expect(await look(id)).toMatchObject({ state: 'sale', date_confirmed: expect.any(String) });
    expect(await refusal(makeOrder(shop, { state: 'sale' }))).toMatchObject({
      message: 'A new Sales order cannot begin as "Sales order". Create it as "Quotation" first.',
    });
  });

  it('SAL-15 a confirmed order is not deleted, a cancelled one may be', async () => {
    const id = await given('sale');
    const unlink = (actor = shop.seller) => shop.run((env) => env.model('sale.order').unlink([id]), actor);
    const name = (await look(id))?.name;
    expect(await refusal(unlink(shop.manager))).toMatchObject({
      code: 'USER_ERROR',
      message: `${name} is "Sales order" and cannot be deleted. Make it "Cancelled" or "Quotation" first.`,
    });
    await press(id, 'cancel', shop.manager);
    await unlink();
    expect(await shop.run((env) => env.model('sale.order.line').count([['order_id', '=', id]]))).toBe(0);
  });

  it('SAL-16 customer, prices and lines of a settled order stay', async () => {
    const id = await given('sale');
    const [line] = await shop.run((env) => env.model('sale.order.line').search([['order_id', '=', id]]));
    const lines = shop.run((env) => env.model('sale.order.line').write([line as number], { quantity: 9 }), shop.seller);
    expect(await refusal(lines)).toMatchObject({ code: 'USER_ERROR' });
    const removed = shop.run((env) => env.model('sale.order.line').unlink([line as number]), shop.seller);
    expect(await refusal(removed)).toMatchObject({ code: 'USER_ERROR' });
    const added = write(id, { line_ids: [['create', { product_id: shop.ids.lamp }]] });
    expect((await refusal(added)).message).toContain('Lines cannot be changed. To change it: "Amend order".');
    const partner_id = await shop.run((env) => env.model('core.partner').create({ name: 'Another' }));
    expect(await refusal(write(id, { partner_id }))).toMatchObject({ code: 'USER_ERROR' });
    await write(id, { partner_id: shop.ids.customer, client_reference: 'PO 4711' });
    await press(id, 'update_prices');
    await shop.run((env) => env.model('product.product').write([shop.ids.desk], { list_price: 400 }));
    expect(await refusal(press(id, 'update_prices'))).toMatchObject({ code: 'USER_ERROR' });
    await shop.run((env) => env.model('product.product').write([shop.ids.desk], { list_price: 329 }));
  });

  it('SAL-17 prices are worked out again by the list of the order', async () => {
    const id = await given('draft', { line_ids: [['create', { product_id: shop.ids.lamp, quantity: 12 }]] });
    await write(id, { pricelist_id: shop.ids.wholesale });
    await press(id, 'update_prices');
    const [row] = await shop.run((env) => env.model('sale.order').read([id], ['amount_untaxed']));
    expect(String(row?.amount_untaxed)).toBe('971.46');
  });

  it('SAL-18 a copy is a new quotation with the same lines', async () => {
    const id = await given('sale');
    const copy = await shop.run((env) => env.model('sale.order').copy(id), shop.seller);
    const [original, made] = [await look(id), await look(copy)];
    expect(made).toMatchObject({ state: 'draft', 'stage_id.name': 'Quotation', date_confirmed: null });
    expect(made?.name).not.toBe(original?.name);
    const [row] = await shop.run((env) => env.model('sale.order').read([copy], ['line_count', 'amount_total']));
    expect([row?.line_count, String(row?.amount_total)]).toEqual([1, '391.51']);
  });

  it('SAL-19 printing opens the quotation', async () => {
    const id = await given('draft');
    expect(await press(id, 'print')).toEqual({ redirect: `/web/sale/quotation/${id}.pdf` });
    const both = shop.run((env) => env.model('sale.order').call([id, id + 1], 'print'), shop.manager);
    expect(await refusal(both)).toMatchObject({ message: expect.stringMatching(/./) });
  });
});
