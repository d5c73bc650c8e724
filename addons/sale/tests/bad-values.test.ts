import { isLong, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

const nowhere = 999_999;
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(['sale', 'crm', 'project']);
});
afterAll(() => shop.close());

type Records = ReturnType<Parameters<Parameters<TestKernel['work']>[0]>[0]['model']>;
/** As RPC does it: from outside, by any name. */
const from = <T>(model: string, work: (records: Records) => Promise<T>, actor = shop.admin) =>
  shop.work((env) => work(env.outside(true).model(model)), actor);
const at = (...names: string[]) => ({
  code: 'VALIDATION_ERROR',
  details: { fields: Object.fromEntries(names.map((name) => [name, [expect.any(String)]])) },
});

describe('REC-13 bad values of shipped models are told at their fields', () => {
  it('dates, amounts, ids and states of a wrong type', async () => {
    const { customer } = shop.ids;
    const order = (values: object) =>
      from('sale.order', (orders) => orders.create({ partner_id: customer, ...values }));
    expect(await refusal(order({ date_order: 'x' }))).toMatchObject(at('date_order'));
    expect(await refusal(order({ line_ids: [['create', { name: 'A', quantity: 'x' }]] }))).toMatchObject(
      at('line_ids'),
    );
    const id = await makeOrder(shop);
    const line = { order_id: id, name: 'A', quantity: 'x' };
    expect(await refusal(from('sale.order.line', (lines) => lines.create(line)))).toMatchObject(at('quantity'));
    expect(await refusal(from('sale.order', (orders) => orders.write([id], { state: 5 })))).toMatchObject(at('state'));
    const activity = { name: 'Call', type_id: 1, model: 'sale.order', res_id: 1.5 };
    expect(await refusal(from('mail.activity', (all) => all.create(activity)))).toMatchObject(at('res_id'));
  });

  it('relations to nowhere, where hooks and computes would read them', async () => {
    const { customer } = shop.ids;
    const made = (model: string, values: object) => refusal(from(model, (all) => all.create(values as never)));
    expect(await made('sale.order', { partner_id: nowhere })).toMatchObject(at('partner_id'));
    expect(await made('sale.order', { partner_id: customer, user_id: nowhere })).toMatchObject(at('user_id'));
    const lines = [['create', { product_id: nowhere }]];
    expect(await made('sale.order', { partner_id: customer, line_ids: lines })).toMatchObject(at('line_ids'));
    expect(await made('sale.order.line', { order_id: nowhere, product_id: nowhere })).toMatchObject(
      at('order_id', 'product_id'),
    );
    expect(await made('crm.lead', { name: 'A', partner_id: nowhere, team_id: nowhere })).toMatchObject(
      at('partner_id', 'team_id'),
    );
    expect(await made('project.task', { name: 'A', project_id: nowhere })).toMatchObject(at('project_id'));
    expect(await made('project.time', { task_id: nowhere })).toMatchObject(at('task_id'));
  });

  long('every field of every model, whatever is sent', async () => {
    const bad = [{ a: 1 }, [5], 1.5, 'x', true, nowhere];
    const wrong = new Set<string>();
    let at = 0;
    for (const model of shop.kernel.registry.models.values()) {
      for (const field of model.fields.values()) {
        // The short run gives each field one of them, in turn.
        for (const value of isLong ? bad : [bad[at++ % bad.length]]) {
          const work = from(model.name, (all) => all.create({ [field.name]: value }));
          const { code } = await work.then(
            () => ({ code: 'made' }),
            (error: { code?: string; message: string }) => ({ code: error.code ?? error.message }),
          );
          if (!['made', 'ACCESS_DENIED', 'VALIDATION_ERROR', 'USER_ERROR', 'INVALID_ARGS'].includes(code)) {
            wrong.add(`${model.name}.${field.name} ${JSON.stringify(value)}: ${code}`);
          }
        }
      }
    }
    expect([...wrong]).toEqual([]);
  });

  it('REC-15 what orders refer to stays, and says who refers to it', async () => {
    const id = await makeOrder(shop);
    const [order] = await shop.run((env) => env.model('sale.order').read([id], ['name']));
    const remove = (model: string, own: number, actor = shop.admin) =>
      refusal(from(model, (all) => all.unlink([own]), actor));
    const refused = await remove('core.partner', shop.ids.customer);
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { referring: [{ model: 'sale.order', field: 'partner_id' }] },
    });
    expect(refused.message).toContain(order?.name);
  });

  it('REC-15 a category of products that were sold may go', async () => {
    const category = await shop.run(async (env) => {
      const made = await env.model('product.category').create({ name: 'Old' });
      await env.model('product.product').write([shop.ids.lamp], { category_id: made });
      return made;
    });
    const id = await makeOrder(shop, { line_ids: [['create', { product_id: shop.ids.lamp }]] });
    const lines = () =>
      shop.run((env) => env.model('sale.order.line').searchRead([['order_id', '=', id]], ['category_id', 'name']));
    expect(await lines()).toMatchObject([{ category_id: category }]);
    await from('product.category', (all) => all.unlink([category]));
    expect(await lines()).toMatchObject([{ category_id: null, name: 'Lamp' }]);
  });

  it('tells nothing of an order that is out of sight', async () => {
    const id = await makeOrder(shop, {}, shop.other);
    await shop.run((env) => env.model('sale.order').call([id], 'confirm'), shop.other);
    const [line] = await shop.run((env) => env.model('sale.order.line').search([['order_id', '=', id]]));
    const [order] = await shop.run((env) => env.model('sale.order').read([id], ['name']));
    const write = await refusal(
      from('sale.order.line', (lines) => lines.write([line as number], { quantity: 5 }), shop.seller),
    );
    expect(write).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'rule' } });
    const create = await refusal(
      from('sale.order.line', (lines) => lines.create({ order_id: id, name: 'A' }), shop.seller),
    );
    expect(create).toMatchObject(at('order_id'));
    for (const { message } of [write, create]) expect(message).not.toContain(order?.name);
  });
});
