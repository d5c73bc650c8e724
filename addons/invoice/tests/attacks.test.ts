import { anyModel } from '@kontor/addon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, makeInvoice, openDesk, postInvoice, refusal } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const line_ids = [['create', { name: 'Work', price_unit: '100', tax_ids: [] }]] as const;
const payment = (amount: string, values: object = {}) =>
  desk.run(
    (env) => env.model('invoice.payment').create({ partner_id: desk.ids.customer, amount, ...values }),
    desk.clerk,
  );

describe('a settlement', () => {
  it('INV-40 takes as much of a payment as it settles of the invoice, in one currency', async () => {
    const [invoice, small, large] = [await postInvoice(desk, { line_ids }), await payment('1'), await payment('100')];
    const settle = (values: object) =>
      desk.run(
        (env) => env.model('invoice.allocation').create({ invoice_id: invoice, amount: '100', ...values } as never),
        desk.clerk,
      );
    const cheap = await refusal(settle({ payment_id: small, payment_amount: '0.01' }));
    expect(cheap.message).toContain('both amounts are the same');
    const settled = (await settle({ payment_id: large })) as unknown as number;
    const less = desk.run(
      (env) => env.model('invoice.allocation').write([settled], { payment_amount: '0.01' }),
      desk.clerk,
    );
    expect((await refusal(less)).message).toContain('both amounts are the same');
    expect(await look(desk, 'invoice.payment', large, 'amount_left')).toMatchObject({ amount_left: '0' });
  });
});

describe('what was posted', () => {
  it('INV-41 keeps its amounts: a tax or a currency that would change them stays as it is, and drafts follow', async () => {
    const names = ['amount_untaxed', 'amount_tax', 'amount_total', 'amount_residual', 'tax_sums', 'tax_treatment'];
    const [id, draft] = [await postInvoice(desk), await makeInvoice(desk, { line_ids })];
    const { currency_id: currency, ...before } = await look(desk, 'invoice.invoice', id, 'currency_id', ...names);
    const changing = (model: string, of: number, values: Readonly<Record<string, unknown>>) =>
      refusal(desk.run((env) => anyModel(env, model).write([of], values))).then(({ message }) => message);
    const kept = 'Posted invoices would change.';
    expect(await changing('sale.tax', desk.ids.vat, { percent: 50 })).toContain(kept);
    expect(await changing('sale.tax', desk.ids.reduced, { price_included: true })).toContain(kept);
    expect(await changing('core.currency', currency as number, { decimal_places: 0 })).toContain(kept);
    await desk.run(async (env) => {
      const products = env.model('product.product');
      await products.write([desk.ids.desk], { list_price: '1', sale_tax_ids: [['set', []]] });
      await env.model('core.partner').write([desk.ids.customer], { tax_exempt: true, payment_days: 90 });
      await env.model('sale.tax').write([desk.ids.inside], { percent: 20 });
      await env.model('invoice.invoice').write([draft], { line_ids: [['create', { name: 'More', price_unit: '1' }]] });
    });
    expect(await look(desk, 'invoice.invoice', id, ...names)).toEqual(before);
  });

  it('INV-55 what it names is not deleted: customer, currency, product, unit, tax and order are there as long as it is', async () => {
    const id = await postInvoice(desk);
    const [line] = await desk.run((env) => env.model('invoice.line').search([['invoice_id', '=', id]]));
    const deleted: string[] = [];
    for (const [model, of] of [
      ['invoice.invoice', id],
      ['invoice.line', line as number],
    ] as const) {
      const links = await desk.run(async (env) => {
        const fields = [...env.registry.model(model).fields.values()];
        // Whoever leaves the company may be deleted: the document does not name them.
        return fields.filter((field) => field.isStored && field.spec.relation && field.spec.relation !== 'core.user');
      });
      for (const { name, spec } of links) {
        const row = (await look(desk, model, of, name)) as Readonly<Record<string, unknown>>;
        for (const named of [row[name]].flat().filter((value) => typeof value === 'number')) {
          const remove = (env: Parameters<typeof anyModel>[0]) =>
            anyModel(env.sudo(), spec.relation as string).unlink([named]);
          const outcome = await desk.run(remove).then(
            () => `${model}.${name}`,
            () => null,
          );
          if (outcome !== null) deleted.push(outcome);
        }
      }
    }
    expect(deleted).toEqual([]);
  });
});
