import type { Env as AuthorEnv } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['product'] });
});
afterAll(() => world.close());

type Work<T> = (env: AuthorEnv) => Promise<T>;
const work = <T>(run: Work<T>, actor = world.admin) => world.work((env) => run(typedEnv(env)), actor);
const piece = (env: AuthorEnv) => env.ref('product.uom_unit');

describe('products', () => {
  it('PRD-5 a product without a currency is priced in that of the company', async () => {
    const [product] = await work(async (env) => {
      const id = await env.model('product.product').create({ name: 'Kettle', uom_id: await piece(env) });
      return env.model('product.product').read([id], ['currency_id.name', 'display_name']);
    });
    expect(product).toMatchObject({ 'currency_id.name': 'USD', display_name: 'Kettle' });
  });

  it('PRD-6 references and barcodes are unique, and shown with the name', async () => {
    const uom_id = await work(piece);
    const create = (values: object) =>
      work((env) => env.model('product.product').create({ name: 'Cup', uom_id, ...values }));
    const id = await create({ reference: 'cup-1', barcode: '4006381333931' });
    const [cup] = await work((env) => env.model('product.product').read([id], ['display_name']));
    expect(cup?.display_name).toBe('[cup-1] Cup');
    await expect(create({ reference: 'cup-1' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(create({ barcode: '4006381333931' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(create({ barcode: '4006381333930' })).rejects.toMatchObject({
      details: { fields: { barcode: ['The check digit is wrong. Check the barcode.'] } },
    });
  });

  it('PRD-7 categories are a tree with full names, and count their products', async () => {
    const [office, chairs] = await work(async (env) => {
      const categories = env.model('product.category');
      const office = await categories.create({ name: 'Office' });
      const chairs = await categories.create({ name: 'Chairs', parent_id: office });
      await env.model('product.product').create({ name: 'Stool', uom_id: await piece(env), category_id: chairs });
      return [office, chairs] as const;
    });
    await work((env) => env.model('product.category').write([office], { name: 'Workplace' }));
    const rows = await work((env) =>
      env.model('product.category').read([office, chairs], ['full_name', 'path', 'product_count', 'display_name']),
    );
    expect(rows).toMatchObject([
      { full_name: 'Workplace', path: `/${office}/`, product_count: 0 },
      { full_name: 'Workplace / Chairs', path: `/${office}/${chairs}/`, product_count: 1 },
    ]);
    await expect(
      work((env) => env.model('product.category').write([office], { parent_id: chairs })),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('PRD-8 price rules name what they are about', async () => {
    const pricelist_id = await work((env) => env.model('product.pricelist').create({ name: 'Rules' }));
    const create = (values: object) =>
      work((env) => env.model('product.pricelist.item').create({ pricelist_id, ...values }));
    const messages = async (values: object) => {
      const refused = (await create(values).catch((error: unknown) => error)) as { details?: { fields?: unknown } };
      return refused.details?.fields;
    };
    expect(await messages({ applies_to: 'category' })).toEqual({ category_id: ['Choose the category.'] });
    expect(await messages({ applies_to: 'product' })).toEqual({ product_id: ['Choose the product.'] });
    expect(await messages({ method: 'fixed' })).toEqual({ fixed_price: ['Enter the price.'] });
    expect(await messages({ percent: 101 })).toEqual({ percent: ['A discount is between 0 and 100 percent.'] });
    expect(await messages({ date_start: '2026-02-01', date_end: '2026-01-31' })).toEqual({
      date_end: ['The rule ends before it begins.'],
    });
  });
});

describe('rights', () => {
  it('PRD-9 people read products without cost, users keep them, managers do the rest', async () => {
    const reader = await world.person('Rita Reader');
    const user = await world.person('Udo User', ['product.group_user']);
    const manager = await world.person('Mona Manager', ['product.group_manager']);
    const uom_id = await work(piece);
    const values = { name: 'Lamp', uom_id, list_price: '49.90' };
    await expect(work((env) => env.model('product.product').create(values), reader)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    const id = await work((env) => env.model('product.product').create(values), user);
    const [seen] = await work((env) => env.model('product.product').read([id]), reader);
    expect(seen).toMatchObject({ name: 'Lamp' });
    expect(seen).not.toHaveProperty('cost');
    await expect(work((env) => env.model('product.product').write([id], { cost: '20' }), user)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'field' },
    });
    await expect(work((env) => env.model('product.product').unlink([id]), user)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await expect(work((env) => env.model('product.pricelist').create({ name: 'Mine' }), user)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await work((env) => env.model('product.product').write([id], { cost: '20' }), manager);
    await work((env) => env.model('product.product').unlink([id]), manager);
  });

  it('PRD-9 administrators are product managers', () => {
    expect(world.admin.groups.has('product.group_manager')).toBe(true);
  });

  it('PRD-10 products and price lists of another company are hidden, shared ones are not', async () => {
    const other = await work(async (env) => {
      const currency_id = await env.ref('base.EUR');
      return env.sudo().model('core.company').create({ name: 'Südwind GmbH', currency_id });
    });
    await work(async (env) => {
      const uom_id = await piece(env);
      await env.sudo().model('product.product').create({ name: 'Theirs', uom_id, company_id: other });
      await env.sudo().model('product.product').create({ name: 'Shared', uom_id });
      const list = await env.sudo().model('product.pricelist').create({ name: 'Theirs', company_id: other });
      await env.sudo().model('product.pricelist.item').create({ pricelist_id: list, percent: 5 });
    });
    const reader = await world.person('Ines Inside');
    const names = await work(
      (env) => env.model('product.product').searchRead([['name', 'in', ['Theirs', 'Shared']]], ['name']),
      reader,
    );
    expect(names.map((row) => row.name)).toEqual(['Shared']);
    expect(await work((env) => env.model('product.pricelist').count([['name', '=', 'Theirs']]), reader)).toBe(0);
    expect(await work((env) => env.model('product.pricelist.item').count([['percent', '=', 5]]), reader)).toBe(0);
  });
});
