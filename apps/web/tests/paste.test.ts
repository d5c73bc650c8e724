import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

describe('rows of a spreadsheet in an order', () => {
  let app: TestApp;
  let page: TestPage;
  let customer: number;
  let usual: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['sale'] });
    const { rpc } = app;
    customer = await rpc('core.partner', 'create', [{ name: 'Fjordkontoret AS' }]);
    usual = await rpc<number>('sale.tax', 'create', [{ name: 'VAT 25 %', percent: 25 }]);
    await rpc('core.company', 'write', [[1], { sale_tax_id: usual }]);
    const [unit] = await rpc<{ id: number }[]>('product.uom', 'search_read', [[['name', '=', 'pc']], ['id']]);
    await rpc('product.product', 'create_many', [
      [
        { name: 'Desk lamp', reference: 'FJELL-1', uom_id: unit?.id, list_price: '40' },
        { name: 'Chair', reference: 'CH 2', uom_id: unit?.id, list_price: '90' },
      ],
    ]);
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const begin = async () => {
    const id = await app.rpc<number>('sale.order', 'create', [{ partner_id: customer }]);
    page = await app.open({ path: `/web?action=sale.quotations&view_type=form&id=${id}` });
    await page.click(page.find('button', /Add a line/));
    return id;
  };
  const paste = (text: string) =>
    page.page.evaluate((given) => {
      const data = new DataTransfer();
      data.setData('text/plain', given);
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, text);
  const lines = async (id: number) => {
    const fields = ['product_id.reference', 'name', 'quantity', 'price_unit', 'tax_ids'];
    const found = await app.rpc<Record<string, unknown>[]>(
      'sale.order.line',
      'search_read',
      [[['order_id', '=', id]], fields],
      { order: 'sequence, id' },
    );
    return found.map((line) => [line['product_id.reference'], line.quantity, line.price_unit, line.tax_ids]);
  };

  long('BLK-4 finds products by name, code or both, and a save at once has all that follows', async () => {
    const id = await begin();
    await paste(
      'Quantity\tProduct\n2\tFJELL-1\n3\tChair\n4\tFJELL-1 Desk lamp\n5\t[CH 2] Chair\n6\tdesk lamp (fjell-1)',
    );
    await page.page.keyboard.press('Control+s');
    await page.idle();
    expect(await page.page.locator('.form-problem, .form-notice-bad').allInnerTexts()).toEqual([]);
    expect(await lines(id)).toEqual([
      ['FJELL-1', 2, 40, [usual]],
      ['CH 2', 3, 90, [usual]],
      ['FJELL-1', 4, 40, [usual]],
      ['CH 2', 5, 90, [usual]],
      ['FJELL-1', 6, 40, [usual]],
    ]);
  });

  it('BLK-3, BLK-4 asks about columns that it does not recognise, marks what it does not understand, and taxes lines without a product', async () => {
    const id = await begin();
    await paste('Montering\t2\t150,50\nFrakt\t1\tmye\n');
    const dialog = page.find('dialog', 'Which columns are these?');
    await dialog.waitFor();
    await page.checkAccessible();
    const chosen = await dialog.getByRole('combobox').all();
    expect(await Promise.all(chosen.map((one) => one.inputValue()))).toEqual(['name', 'quantity', 'price_unit']);
    await page.click(dialog.getByRole('button', { name: 'Paste' }));
    const wrong = page.page.locator('.grid-wrong');
    expect([await wrong.count(), await wrong.getAttribute('title')]).toEqual([
      1,
      expect.stringContaining('Enter a number'),
    ]);
    await page.press('Control+s');
    expect(await page.page.locator('.form-problem').first().textContent()).toContain('Line 2, Unit price');
    await page.click(wrong);
    await page.page.keyboard.press('Control+a');
    await page.type('80');
    await page.press('Control+s');
    expect(await lines(id)).toEqual([
      [null, 2, 150.5, [usual]],
      [null, 1, 80, [usual]],
    ]);
  });
});
