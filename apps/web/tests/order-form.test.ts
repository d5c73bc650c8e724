import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

interface Line {
  readonly 'product_id.name': string;
  readonly quantity: number;
  readonly tax_ids: readonly number[];
}

describe('the form of an order', () => {
  let app: TestApp;
  let page: TestPage;
  let customer: number;
  const tax: Record<string, number> = {};
  beforeAll(async () => {
    app = await openTestApp({ apps: ['sale'] });
    const { rpc } = app;
    customer = await rpc('core.partner', 'create', [{ name: 'Fjordkontoret AS', email: 'post@fjord.example' }]);
    const [unit] = await rpc<{ id: number }[]>('product.uom', 'search_read', [[['name', '=', 'pc']], ['id']]);
    for (const [name, percent] of [
      ['VAT 25 %', 25],
      ['VAT 12 %', 12],
      ['Deposit', 5],
    ] as const) {
      tax[name] = await rpc<number>('sale.tax', 'create', [{ name, percent }]);
    }
    const make = (name: string, price: string, ...taxes: readonly string[]) =>
      rpc('product.product', 'create', [
        { name, uom_id: unit?.id, list_price: price, sale_tax_ids: [['set', taxes.map((each) => tax[each])]] },
      ]);
    await make('Desk Fjell', '400', 'VAT 25 %');
    await make('Water', '2', 'VAT 12 %', 'Deposit');
    await make('Gift card', '50');
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const form = (id?: number) => `/web?action=sale.quotations&view_type=form${id === undefined ? '' : `&id=${id}`}`;
  const order = (values: object = {}) => app.rpc<number>('sale.order', 'create', [{ partner_id: customer, ...values }]);
  const linesOf = async (id: number) =>
    app.rpc<Line[]>('sale.order.line', 'search_read', [
      [['order_id', '=', id]],
      ['product_id.name', 'quantity', 'tax_ids'],
    ]);
  const taxes = async (id: number) =>
    (await linesOf(id)).map((line) => [line['product_id.name'], [...line.tax_ids].sort((a, b) => a - b)]);
  const save = async () => {
    await page.press('Control+s');
    await page.idle();
  };
  /** As one types it, without waiting for what the server makes of it. */
  const typeProduct = async (name: string) => {
    await page.page.keyboard.insertText(name);
    await page.page.getByRole('option', { name }).first().waitFor();
    await page.page.keyboard.press('Enter');
  };

  it('RPC-14 a line has the taxes of the product that was chosen last', async () => {
    const id = await order({ line_ids: [['create', { name: 'x', quantity: 1, price_unit: 1 }]] });
    page = await app.open({ path: form(id) });
    // The first cell of a row is its handle.
    const cell = page.page.locator('.grid-row:not(.grid-head) [role=gridcell]').nth(1);
    const shown = {
      'Desk Fjell': /\npc\n\$400\.00\n0\nVAT 25 %\n\$400\.00/,
      Water: /\npc\n\$2\.00\n0\nDeposit\nVAT 12 %\n\$2\.00/,
      'Gift card': /\npc\n\$50\.00\n0\n\$50\.00/,
    };
    for (const product of ['Desk Fjell', 'Water', 'Gift card', 'Water'] as const) {
      await page.click(cell);
      await page.page.keyboard.press('Control+a');
      await typeProduct(product);
      await page.press('Tab');
      await page.press('Tab');
      expect(await page.text('.grid')).toMatch(shown[product]);
    }
    await save();
    expect(await taxes(id)).toEqual([['Water', [tax['VAT 12 %'], tax.Deposit]]]);
  });

  it('RPC-14 lines that are added quickly one after another each keep their own taxes', async () => {
    const id = await order();
    page = await app.open({ path: form(id) });
    for (const product of ['Desk Fjell', 'Water', 'Gift card', 'Desk Fjell']) {
      await page.find('button', /Add a line/).click();
      await typeProduct(product);
    }
    await page.idle();
    await save();
    expect(await taxes(id)).toEqual([
      ['Desk Fjell', [tax['VAT 25 %']]],
      ['Water', [tax['VAT 12 %'], tax.Deposit]],
      ['Gift card', []],
      ['Desk Fjell', [tax['VAT 25 %']]],
    ]);
  });

  it('SCN-17 a line that was opened and left alone is not saved', async () => {
    const id = await order();
    page = await app.open({ path: form(id) });
    await page.click(page.find('button', /Add a line/));
    await typeProduct('Water');
    await page.click(page.find('button', /Add a line/));
    await page.press('Tab');
    await save();
    expect(await taxes(id)).toEqual([['Water', [tax['VAT 12 %'], tax.Deposit]]]);
    expect(await page.find('row').count()).toBe(2);
    expect(await page.page.locator('[aria-invalid=true]').count()).toBe(0);
  });

  const filled = () => page.page.locator('.form-bar .btn-primary').allInnerTexts();

  it('SCN-16 one button of a form is filled: the next step of its state, or Save', async () => {
    const id = await order({ line_ids: [['create', { name: 'x', quantity: 1, price_unit: 1 }]] });
    page = await app.open({ path: form(id) });
    expect(await page.find('button', 'Confirm').count()).toBe(1);
    expect(await filled()).toEqual(['Send']);
    await page.page.getByLabel("Customer's reference", { exact: true }).fill('4711');
    expect(await filled()).toEqual(['Save']);
    await save();
    await page.click(page.find('button', 'Mark as sent'));
    await expect.poll(filled).toEqual(['Confirm']);
    expect(await page.find('button', 'Send again').count()).toBe(1);
    await page.click(page.find('button', 'Confirm'));
    await expect.poll(filled).toEqual([]);
    await page.go(form());
    expect(await filled()).toEqual(['Save']);
  });

  it.each(['en_US', 'de_DE'])('SCN-16 on a phone the bar of a form is one row (%s)', async (lang) => {
    const id = await order();
    await order();
    await app.rpc('core.user', 'write', [[1], { lang }]);
    page = await app.open({ path: form(id), size: 'phone' });
    const bar = page.page.locator('.form-bar');
    const isOneRow = () =>
      bar.evaluate((node) => {
        const shown = [...node.querySelectorAll('.btn, .icon-btn, select, .seg')].map((one) =>
          one.getBoundingClientRect(),
        );
        const bottom = Math.min(...shown.map((box) => box.bottom));
        const isInside = shown.every((box) => box.left >= 0 && box.right <= window.innerWidth);
        return isInside && shown.length > 2 && shown.every((box) => box.top < bottom);
      });
    expect(await isOneRow()).toBe(true);
    await page.page.locator('.form-line input[type=text]').nth(1).fill('4711');
    expect(await page.page.locator('.form-bar .btn').count()).toBeGreaterThan(1);
    expect(await isOneRow()).toBe(true);
    await page.checkAccessible();
    await app.rpc('core.user', 'write', [[1], { lang: 'en_US' }]);
  });
});
