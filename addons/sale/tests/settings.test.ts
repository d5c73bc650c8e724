import type { Env } from '@kontor/orm';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const page = (actor: Shop['manager']) =>
  buildWorkspace(
    shop.kernel,
    { actor, csrf: 'token', lastWrite: null },
    readWorkspaceQuery({ action: 'sale.settings' }),
  );
const read = async (id: number) => {
  const fields = ['name', 'validity_date', 'note', 'date_order'] as const;
  const [row] = await shop.run((env) => env.model('sale.order').read([id], fields));
  return row;
};

describe('the settings of sales', () => {
  it('SAL-26 open with what the company has, and what a manager saves holds from then on', async () => {
    expect(await page(shop.manager)).toMatchObject({
      viewType: 'form',
      breadcrumbs: [{ label: 'Sales settings' }],
      defaults: {},
      arch: { form: { values: { validity_days: 30, note: null, tax_id: null } } },
    });
    const values = { validity_days: 14, note: 'Net 14 days.', tax_id: shop.ids.vat, prefix_code: 'Q-' };
    await shop.run((env) => env.model('sale.settings').create(values), shop.manager);
    const { arch } = await page(shop.manager);
    expect(arch.form?.values).toMatchObject({ validity_days: 14, note: 'Net 14 days.' });
    const order = await read(await makeOrder(shop, { date_order: '2026-03-01T09:00:00Z' }));
    expect(order).toMatchObject({ validity_date: '2026-03-15', note: 'Net 14 days.' });
    expect(order?.name).toMatch(/^Q-\d{5}$/);
    const own = await read(await makeOrder(shop, { note: 'As agreed.', validity_date: null }));
    expect(own).toMatchObject({ note: 'As agreed.', validity_date: null });
  });

  it('SAL-26 change only what is said, in the company that they are for', async () => {
    const companies = () =>
      shop.run((env) =>
        env
          .sudo()
          .model('core.company')
          .searchRead([], ['sale_validity_days', 'sale_note', 'sale_tax_id'], { order: 'id' }),
      );
    const settings = <T>(work: (model: ReturnType<Env['model']>) => Promise<T>) =>
      shop.work((env) => work(env.model('sale.settings')), shop.manager);
    await shop.run(async (env) => {
      const [currency_id] = await env.model('core.currency').search([], { limit: 1 });
      const other = { name: 'Südlicht', sale_note: 'Cash.', currency_id: currency_id as number };
      await env.sudo().model('core.company').create(other);
    });
    const id = await settings((model) => model.create({ validity_days: 21, tax_id: null }));
    await settings((model) => model.create({ note: 'Net 30 days.' }));
    expect(await companies()).toMatchObject([
      { sale_validity_days: 21, sale_note: 'Net 30 days.', sale_tax_id: null },
      { sale_validity_days: 30, sale_note: 'Cash.' },
    ]);
    await settings((model) => model.write([id], { validity_days: 10 }));
    expect((await companies())[0]).toMatchObject({ sale_validity_days: 10, sale_note: 'Net 30 days.' });
    const foreign = await shop.run(async (env) => {
      const [company_id] = await env
        .sudo()
        .model('core.company')
        .search([['name', '=', 'Südlicht']]);
      return env
        .sudo()
        .model('sale.tax')
        .create({ name: 'Elsewhere', percent: 1, company_id: company_id as number });
    });
    expect(await refusal(settings((model) => model.create({ tax_id: foreign })))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { tax_id: [expect.any(String)] } },
    });
  });

  it('SAL-26 a form follows them before it is saved', async () => {
    await shop.run((env) => env.model('sale.settings').create({ validity_days: 0 }), shop.manager);
    const { value } = await shop.work((env) => env.model('sale.order').onchange({}, []), shop.seller);
    expect(value).toMatchObject({ validity_date: null });
  });

  it('SAL-26 are for managers', async () => {
    const create = shop.run((env) => env.model('sale.settings').create({ validity_days: 1 }), shop.seller);
    expect(await refusal(create)).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await refusal(page(shop.seller))).toMatchObject({ code: 'ACCESS_DENIED' });
    const tooLong = shop.run((env) => env.model('sale.settings').create({ validity_days: 1000 }), shop.manager);
    expect(await refusal(tooLong)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
