import type { Env } from '@kontor/addon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, openDesk, refusal } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const orders = (env: Env) => env.model('sale.order');
async function confirmed(isConfirmed = true): Promise<number> {
  return desk.run(async (env) => {
    const line_ids = [
      ['create', { product_id: desk.ids.desk, quantity: 10 }] as const,
      ['create', { product_id: desk.ids.lamp, quantity: 4 }] as const,
    ];
    const id = await orders(env).create({ partner_id: desk.ids.customer, client_reference: 'PO 31', line_ids });
    if (isConfirmed) await orders(env).call([id], 'confirm');
    return id;
  }, desk.seller);
}
const linesOf = async (id: number) => (await look(desk, 'sale.order', id, 'line_ids')).line_ids as number[];
const status = async (id: number) => (await look(desk, 'sale.order', id, 'invoice_status')).invoice_status;
const bill = async (ids: readonly number[], answers: object = { method: 'ordered' }, actor = desk.clerk) => {
  const said = await desk.run((env) => orders(env).call(ids, 'create_invoices', answers as never), actor);
  return Number(new URL((said as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
};
const post = (id: number) => desk.run((env) => env.model('invoice.invoice').call([id], 'post'), desk.clerk);
const total = async (id: number) => (await look(desk, 'invoice.invoice', id, 'amount_total')).amount_total;
const deliver = async (order: number, ...quantities: number[]) => {
  const lines = await linesOf(order);
  await desk.run(async (env) => {
    for (const [at, quantity] of quantities.entries()) {
      await env.model('sale.order.line').write([lines[at] as number], { qty_delivered: quantity });
    }
  }, desk.seller);
};

describe('an order', () => {
  it('SAL-33 is invoiced to its invoice address', async () => {
    const id = await confirmed(false);
    const address = await desk.run((env) => env.model('core.partner').create({ name: 'Head office', city: 'Oslo' }));
    await desk.run(async (env) => {
      await orders(env).write([id], { invoice_address_id: address });
      await orders(env).call([id], 'confirm');
    }, desk.seller);
    const { address_id, address: printed } = await look(
      desk,
      'invoice.invoice',
      await bill([id]),
      'address_id',
      'address',
    );
    expect([address_id, printed]).toEqual([address, 'Head office\nOslo']);
  });

  it('INV-15 is invoiced whole, with prices, taxes, reference and terms as ordered', async () => {
    const order = await confirmed();
    expect(await status(order)).toBe('open');
    const invoice = await bill([order]);
    const ordered = await look(desk, 'sale.order', order, 'amount_total', 'invoice_count');
    expect(await look(desk, 'invoice.invoice', invoice, 'amount_total', 'client_reference', 'state')).toMatchObject({
      amount_total: ordered.amount_total,
      client_reference: 'PO 31',
      state: 'draft',
    });
    expect([await status(order), ordered.invoice_count]).toEqual(['done', 1]);
    expect((await refusal(bill([order]))).message).toContain('nothing to invoice');
  });

  it('SAL-37 is amended within what was invoiced, without being cancelled', async () => {
    const order = await confirmed();
    await bill([order], { method: 'percent', share: '10' });
    await deliver(order, 6, 0);
    await post(await bill([order], { method: 'delivered' }));
    await deliver(order, 0, 0);
    const [desks, lamps] = (await linesOf(order)) as [number, number];
    const write = (values: object) =>
      desk
        .run((env) => orders(env).write([order], values as never), desk.admin)
        .then(
          () => null,
          (error: { details?: { fields?: object } }) => error.details?.fields ?? error,
        );
    await desk.run((env) => orders(env).call([order], 'amend', { amend_reason: 'Fewer desks' }), desk.admin);
    expect(await look(desk, 'sale.order', order, 'state', 'amend_reason')).toMatchObject({
      ...{ state: 'draft', amend_reason: 'Fewer desks' },
    });
    expect(JSON.stringify(await write({ line_ids: [['update', desks, { quantity: 5 }]] }))).toContain(
      'invoiced already',
    );
    expect(await write({ line_ids: [['delete', desks]] })).not.toBeNull();
    const other = await desk.run((env) => env.model('core.partner').create({ name: 'Somebody else' }));
    expect(JSON.stringify(await write({ partner_id: other }))).toContain('Part of this order was invoiced');
    const lines = [['update', desks, { quantity: 8 }] as const, ['update', lamps, { quantity: 5 }] as const];
    expect(await write({ line_ids: lines })).toBeNull();
    await desk.run((env) => orders(env).call([order], 'confirm'), desk.seller);
    expect(await look(desk, 'sale.order', order, 'state', 'amend_reason', 'invoice_status')).toMatchObject({
      ...{ state: 'sale', amend_reason: null, invoice_status: 'partly' },
    });
    const { qty_to_invoice: left } = await look(desk, 'sale.order.line', desks, 'qty_to_invoice');
    expect(left).toBe('2');
    const states = await desk.run((env) =>
      env
        .sudo()
        .model('sys.change')
        .searchRead(
          [
            ['model', '=', 'sale.order'],
            ['res_id', '=', order],
          ],
          ['values'],
        ),
    );
    expect(JSON.stringify(states)).not.toContain('"cancel"');
  });

  it('INV-16 or by what was delivered, which is entered on the locked lines', async () => {
    const order = await confirmed();
    await deliver(order, 6, 0);
    const first = await bill([order], { method: 'delivered' });
    expect([await total(first), await status(order)]).toEqual(['2349.06', 'partly']);
    await deliver(order, 11, 4);
    const [desks = 0] = await linesOf(order);
    const quantities = () => look(desk, 'sale.order.line', desks, 'qty_invoiced', 'qty_to_invoice');
    expect(await quantities()).toMatchObject({ qty_invoiced: '6', qty_to_invoice: '5' });
    await bill([order], { method: 'delivered' });
    expect(await quantities()).toMatchObject({ qty_invoiced: '11', qty_to_invoice: '0' });
    expect(await status(order)).toBe('done');
    expect((await refusal(bill([order]))).message).toContain('nothing to invoice');
  });

  it('INV-16 people who invoice enter what was delivered, and nothing else of an order', async () => {
    const order = await confirmed();
    const nothing = (await refusal(bill([order], { method: 'delivered' }))).message;
    expect(nothing).toContain('Enter what was delivered on the lines');
    const [desks = 0] = await linesOf(order);
    const enter = (actor: Desk['clerk'], line: number) =>
      desk.run(
        (env) =>
          env.model('sale.order.line').call([line], 'deliver', { qty_delivered: '3', delivered_on: '2026-04-02' }),
        actor,
      );
    await enter(desk.clerk, desks);
    const first = await bill([order], { method: 'delivered' }, desk.clerk);
    expect(await look(desk, 'invoice.invoice', first, 'delivery_date')).toMatchObject({ delivery_date: '2026-04-02' });
    await desk.run((env) => orders(env).call([order], 'deliver_all'), desk.clerk);
    expect(await look(desk, 'sale.order.line', desks, 'qty_delivered')).toMatchObject({ qty_delivered: '10' });
    const write = (values: object) =>
      refusal(desk.run((env) => env.model('sale.order.line').write([desks], values), desk.clerk));
    expect((await write({ qty_delivered: 1 })).code).toBe('ACCESS_DENIED');
    const stranger = await desk.person('Sven Stranger', ['contacts.group_user']);
    expect((await refusal(enter(stranger, desks))).code).toBe('ACCESS_DENIED');
    const foreign = await desk.person('Petra Other', ['sale.group_user']);
    expect((await refusal(enter(foreign, desks))).code).toBe('ACCESS_DENIED');
  });

  it('INV-16 what is delivered beyond the order is left to invoice, and takes part in all that is left', async () => {
    const order = await confirmed();
    await bill([order]);
    await deliver(order, 12);
    expect(await status(order)).toBe('partly');
    await bill([order]);
    const [desks = 0] = await linesOf(order);
    expect(await look(desk, 'sale.order.line', desks, 'qty_invoiced')).toMatchObject({ qty_invoiced: '12' });
    await desk.run((env) => orders(env).call([order], 'deliver_all'), desk.seller);
    expect(await look(desk, 'sale.order.line', desks, 'qty_delivered')).toMatchObject({ qty_delivered: '12' });
    expect(await status(order)).toBe('done');
  });

  it('INV-17 an invoice of more than was ordered deducts down payments, and the last one that is left is credited', async () => {
    const order = await confirmed();
    await post(await bill([order], { method: 'percent', share: '20' }));
    await deliver(order, 11, 4);
    await bill([order], { method: 'delivered' });
    expect(await look(desk, 'sale.order', order, 'down_payment_left', 'invoice_status')).toMatchObject({
      ...{ down_payment_left: '0', invoice_status: 'done' },
    });
    const late = await confirmed();
    await post(await bill([late]));
    await post(await bill([late], { method: 'percent', share: '10' }));
    expect(await status(late)).toBe('partly');
    expect((await refusal(bill([late]))).message).toContain('exceed what is left to invoice. Credit one of them.');
  });

  it('INV-59 an invoice has the days on which its lines were delivered, and none while something was not', async () => {
    const order = await confirmed();
    const dates = async (id: number) => look(desk, 'invoice.invoice', id, 'delivery_date', 'delivery_end');
    const [desks = 0, lamps = 0] = await linesOf(order);
    const delivered = (line: number, quantity: number, day: string) =>
      desk.run(
        (env) =>
          env.model('sale.order.line').call([line], 'deliver', { qty_delivered: `${quantity}`, delivered_on: day }),
        desk.seller,
      );
    await delivered(desks, 10, '2026-03-02');
    expect(await dates(await bill([order], { method: 'delivered' }))).toMatchObject({
      ...{ delivery_date: '2026-03-02', delivery_end: null },
    });
    expect(await dates(await bill([order]))).toMatchObject({ delivery_date: null, delivery_end: null });
    const both = await confirmed();
    for (const [at, line] of (await linesOf(both)).entries())
      await delivered(line, at === 0 ? 10 : 4, `2026-04-0${5 - at}`);
    expect(await dates(await bill([both]))).toMatchObject({ delivery_date: '2026-04-04', delivery_end: '2026-04-05' });
    // A quantity that is entered without a day was delivered today.
    await desk.run((env) => env.model('sale.order.line').write([lamps], { qty_delivered: 1 }), desk.seller);
    const { delivered_on: day } = await look(desk, 'sale.order.line', lamps, 'delivered_on');
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('INV-17 with a down payment, which the final invoice deducts to the cent', async () => {
    const order = await confirmed();
    const down = await bill([order], { method: 'percent', share: '33.3' });
    expect(await status(order)).toBe('partly');
    expect((await refusal(bill([order]))).message).toContain('Post or cancel the draft');
    await post(down);
    const second = await bill([order], { method: 'amount', share: '100' });
    await post(second);
    expect((await look(desk, 'invoice.invoice', second, 'amount_untaxed')).amount_untaxed).toBe('100');
    const final = await bill([order]);
    const sums = await Promise.all([down, second, final].map(total));
    const cents = sums.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
    expect(cents).toBe(Math.round(Number((await look(desk, 'sale.order', order, 'amount_total')).amount_total) * 100));
    expect(await look(desk, 'sale.order', order, 'down_payment_left', 'invoice_status')).toMatchObject({
      down_payment_left: '0',
      invoice_status: 'done',
    });
  });

  it('INV-18 a cancelled draft and a credit note make it open again', async () => {
    const order = await confirmed();
    const invoice = await bill([order]);
    await desk.run((env) => env.model('invoice.invoice').call([invoice], 'cancel'), desk.clerk);
    expect(await status(order)).toBe('open');
    expect((await refusal(desk.run((env) => env.model('invoice.invoice').unlink([invoice]), desk.seller))).code).toBe(
      'ACCESS_DENIED',
    );
    const again = await bill([order]);
    await post(again);
    // A draft that would invoice it once more cannot come back.
    const back = desk.run((env) => env.model('invoice.invoice').call([invoice], 'draft'), desk.clerk);
    expect((await refusal(back)).message).toContain('invoiced already');
    const said = await desk.run(
      (env) => env.model('invoice.invoice').call([again], 'credit', { reason: 'x' }),
      desk.clerk,
    );
    const note = Number(new URL((said as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
    await post(note);
    expect(await status(order)).toBe('open');
  });

  it('INV-19 is never invoiced twice, also by two at once', async () => {
    const order = await confirmed();
    const both = await Promise.all(
      [1, 2].map(() =>
        bill([order]).then(
          () => 'made',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(both.filter((each) => each === 'made')).toHaveLength(1);
    expect(both.find((each) => each !== 'made')).toMatch(/invoiced already|nothing to invoice/);
    const half = await confirmed();
    const down = { method: 'percent', share: '60' };
    const two = await Promise.all(
      [1, 2].map(() =>
        bill([half], down).then(
          () => 'made',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(two.filter((each) => each === 'made')).toHaveLength(1);
    expect(two.find((each) => each !== 'made')).toContain('would exceed the order');
    const draft = await bill([await confirmed()]);
    const [line = 0] = (await look(desk, 'invoice.invoice', draft, 'line_ids')).line_ids as number[];
    const more = desk.run((env) => env.model('invoice.line').write([line], { quantity: 11 }), desk.clerk);
    expect((await refusal(more)).message).toContain('invoiced already');
  });

  it('INV-20 several orders are invoiced at once, without those that are done', async () => {
    const ids = [await confirmed(), await confirmed(), await confirmed()];
    await bill([ids[0] as number]);
    await bill(ids);
    expect(await Promise.all(ids.map(status))).toEqual(['done', 'done', 'done']);
    const list = await desk.run((env) => orders(env).count([['invoice_status', 'in', ['open', 'partly']]]), desk.clerk);
    expect(list).toBeGreaterThan(0);
  });

  it('INV-21 which takes the right to invoice; a draft order and an invoiced one say what is missing', async () => {
    const order = await confirmed();
    expect((await refusal(bill([order], { method: 'ordered' }, desk.seller))).code).toBe('ACCESS_DENIED');
    expect((await refusal(bill([await confirmed(false)]))).message).toContain('Confirm');
    for (const share of ['0', '101']) {
      expect((await refusal(bill([order], { method: 'percent', share }))).code).toBe('VALIDATION_ERROR');
    }
    const [line = 0] = await linesOf(order);
    const write = desk.run((env) => env.model('sale.order.line').write([line], { qty_delivered: 1 }), desk.clerk);
    expect((await refusal(write)).code).toBe('ACCESS_DENIED');
    await bill([order]);
    const cancel = desk.run((env) => orders(env).call([order], 'cancel'));
    expect((await refusal(cancel)).message).toContain('The order was invoiced');
  });
});
