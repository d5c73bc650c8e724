import type { Env } from '@kontor/addon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, openDesk, postInvoice, refusal } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const line_ids = [['create', { name: 'Work', price_unit: '100', tax_ids: [] }]] as const;
const owed = (values: object = {}) => postInvoice(desk, { line_ids, ...values });
const invoices = (env: Env) => env.model('invoice.invoice');
const pay = (id: number, values: object = {}, actor = desk.clerk) =>
  desk.run(
    (env) => invoices(env).call([id], 'register_payment', { date: '2026-11-05', method: 'transfer', ...values }),
    actor,
  );
const due = async (id: number) => {
  const { amount_residual, payment_state } = await look(
    desk,
    'invoice.invoice',
    id,
    'amount_residual',
    'payment_state',
  );
  return [amount_residual, payment_state];
};
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const lastPayment = async () => {
  const [id = 0] = await desk.run((env) => env.model('invoice.payment').search([], { order: '-id', limit: 1 }));
  return id;
};

describe('a payment', () => {
  it('INV-22 pays an invoice in part and in full', async () => {
    const id = await owed();
    await pay(id, { amount: '30' });
    expect(await due(id)).toEqual(['70', 'partly']);
    await pay(id);
    expect(await due(id)).toEqual(['0', 'paid']);
    expect((await refusal(pay(id))).message).toContain('Only what is due');
  });

  it('INV-23 of more than is due leaves the customer a credit, which settles other invoices', async () => {
    const [first, second] = [await owed(), await owed()];
    await pay(first, { amount: '150' });
    const payment = await lastPayment();
    expect(await due(first)).toEqual(['0', 'paid']);
    expect(await look(desk, 'invoice.payment', payment, 'amount_left')).toMatchObject({ amount_left: '50' });
    await desk.run((env) => invoices(env).call([second], 'apply_credit'), desk.clerk);
    expect(await due(second)).toEqual(['50', 'partly']);
    const none = desk.run((env) => invoices(env).call([second], 'apply_credit'), desk.clerk);
    expect((await refusal(none)).message).toContain('no credit left over');
  });

  it('INV-24 entered by itself settles the oldest invoices', async () => {
    const customer = await desk.run((env) => env.model('core.partner').create({ name: 'Alone' }));
    const late = await owed({ partner_id: customer, invoice_date: '2025-02-01' });
    const early = await owed({ partner_id: customer, invoice_date: '2025-01-01' });
    const payment = await desk.run(
      (env) => env.model('invoice.payment').create({ partner_id: customer, amount: '130' }),
      desk.clerk,
    );
    await desk.run((env) => env.model('invoice.payment').call([payment], 'allocate'), desk.clerk);
    expect([await due(early), await due(late)]).toEqual([
      ['0', 'paid'],
      ['70', 'overdue'],
    ]);
  });

  it('INV-25 can be undone: what it settled is due again; it can neither be changed nor deleted before', async () => {
    const id = await owed();
    await pay(id);
    const payment = await lastPayment();
    const payments = (env: Env) => env.model('invoice.payment');
    for (const way of [
      (env: Env) => payments(env).write([payment], { amount: '1' }),
      (env: Env) => payments(env).unlink([payment]),
    ])
      expect((await refusal(desk.run<unknown>(way, desk.manager))).code).toBe('USER_ERROR');
    await desk.run((env) => payments(env).call([payment], 'undo'), desk.clerk);
    expect(await due(id)).toEqual(['100', 'open']);
    expect(await look(desk, 'invoice.payment', payment, 'amount_left')).toMatchObject({ amount_left: '0' });
    expect((await refusal(desk.run((env) => payments(env).unlink([payment]), desk.clerk))).code).toBe('ACCESS_DENIED');
  });

  it('INV-26 never settles more than is due or left over, also by two at once', async () => {
    const id = await owed();
    const received = (amount: string) =>
      desk.run((env) => env.model('invoice.payment').create({ partner_id: desk.ids.customer, amount }), desk.clerk);
    const payments = [await received('80'), await received('80')];
    const both = await Promise.all(
      payments.map((payment_id) =>
        desk
          .run(
            (env) => env.model('invoice.allocation').create({ invoice_id: id, payment_id, amount: '80' }),
            desk.clerk,
          )
          .then(
            () => 'paid',
            (error: Error) => error.message,
          ),
      ),
    );
    expect(both.filter((each) => each === 'paid')).toHaveLength(1);
    expect(both.find((each) => each !== 'paid')).toContain('more than is due');
    const open = await owed();
    const payment = await received('10');
    const settle = (values: object) =>
      desk.run(
        (env) =>
          env.model('invoice.allocation').create({ invoice_id: open, payment_id: payment, amount: '5', ...values }),
        desk.clerk,
      );
    expect((await refusal(settle({ amount: '11' }))).message).toContain('more than is left over');
    expect((await refusal(settle({ amount: '-1' }))).message).toContain('greater than 0');
    expect((await refusal(settle({ payment_id: null }))).message).toContain('a payment or a credit note');
    expect((await refusal(pay(open, { amount: '-5' }))).message).toContain('greater than 0');
  });

  it('INV-27 in another currency settles at the rate of the day', async () => {
    const [usd, payment] = await desk.run(async (env) => {
      const own = await env.model('core.company').read([desk.admin.companyId as number], ['currency_id']);
      const [other] = await env.model('core.currency').search([
        ['id', '!=', own[0]?.currency_id as number],
        ['active', '=', true],
        ['decimal_places', '=', 2],
      ]);
      await env.model('core.currency').write([own[0]?.currency_id as number], { rate: '1' });
      await env.model('core.currency').write([other as number], { rate: '1.25', active: true });
      const made = await env
        .model('invoice.payment')
        .create({ partner_id: desk.ids.customer, amount: '125', currency_id: other as number });
      return [other as number, made];
    });
    const id = await owed();
    await desk.run(
      (env) => env.model('invoice.allocation').create({ invoice_id: id, payment_id: payment, amount: '100' }),
      desk.clerk,
    );
    expect(await due(id)).toEqual(['0', 'paid']);
    expect(await look(desk, 'invoice.payment', payment, 'amount_left', 'currency_id')).toMatchObject({
      amount_left: '0',
      currency_id: usd,
    });
  });
});

describe('what is due', () => {
  it('INV-28 has an age by its due date, in columns of thirty days', async () => {
    const customer = await desk.run((env) => env.model('core.partner').create({ name: 'Late' }));
    const ages = [];
    for (const days of [5, -10, -45, -75, -200]) {
      const id = await owed({
        partner_id: customer,
        invoice_date: '2026-01-01',
        due_date: day(days) > '2026-01-01' ? day(days) : '2026-01-01',
      });
      ages.push((await look(desk, 'invoice.invoice', id, 'age')).age);
    }
    expect(ages).toEqual(['current', 'd30', 'd60', 'd90', 'older']);
    const rows = await desk.run(
      (env) =>
        invoices(env).readGroup({
          domain: [
            ['payment_state', 'in', ['open', 'partly', 'overdue']],
            ['partner_id', '=', customer],
          ],
          groupby: ['age'],
          fields: [{ name: 'sum', field: 'receivable', measure: 'sum' }],
        }),
      desk.clerk,
    );
    expect(rows.map((row) => String(row.sum))).toEqual(['100', '100', '100', '100', '100']);
  });

  it('INV-29 a credit note settles its invoice; what is over is refunded or applied', async () => {
    const id = await owed();
    await pay(id, { amount: '60' });
    const said = await desk.run((env) => invoices(env).call([id], 'credit', { reason: 'Back' }), desk.clerk);
    const note = Number(new URL((said as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
    await desk.run((env) => invoices(env).call([note], 'post'), desk.clerk);
    expect([await due(id), await due(note)]).toEqual([
      ['0', 'paid'],
      ['60', 'partly'],
    ]);
    await pay(note, { amount: '20' });
    expect(await look(desk, 'invoice.payment', await lastPayment(), 'type')).toMatchObject({ type: 'out' });
    const next = await owed();
    await desk.run(async (env) => {
      const left = await env.model('invoice.payment').search([['amount_left', '>', 0]]);
      await env.model('invoice.payment').call(left, 'undo');
      await invoices(env).call([next], 'apply_credit');
    }, desk.clerk);
    expect([await due(note), await due(next)]).toEqual([
      ['0', 'paid'],
      ['60', 'partly'],
    ]);
  });

  it('INV-30 payments are for people who invoice', async () => {
    const id = await owed();
    expect((await refusal(pay(id, {}, desk.seller))).code).toBe('ACCESS_DENIED');
    const read = desk.run((env) => env.model('invoice.payment').search([]), desk.seller);
    expect((await refusal(read)).code).toBe('ACCESS_DENIED');
  });
});
