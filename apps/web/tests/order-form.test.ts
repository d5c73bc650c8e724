import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
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

  long('RPC-14 a line has the taxes of the product that was chosen last', async () => {
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

  long('RPC-14 lines that are added quickly one after another each keep their own taxes', async () => {
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

  long('SCN-17 a line that was opened and left alone is not saved', async () => {
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

  const oak = 'Oak, oiled, with a cable tray below and two drawers';
  /** Values and buttons of lines that are cut off, or lie outside of the grid. */
  const cutOff = () =>
    page.page.locator('.grid').evaluate((grid) => {
      const box = grid.getBoundingClientRect();
      const isOut = (one: Element) => {
        const own = one.getBoundingClientRect();
        return own.width > 0 && (own.left < box.left - 0.5 || own.right > box.right + 0.5);
      };
      const parts = [...grid.querySelectorAll('.grid-value, .grid-label, .grid-end .icon-btn')];
      const isCut = (one: Element) => one.scrollWidth > one.clientWidth + 1 && one.matches('.grid-value');
      const isShown = (one: Element) => one.closest('.grid-head')?.clientHeight !== 0;
      return parts.filter((one) => isShown(one) && (isCut(one) || isOut(one))).map((one) => one.textContent);
    });

  it('SCN-19 product and description share a cell of several lines, and nothing of a line is cut off', async () => {
    const [desk] = await app.rpc<{ id: number }[]>('product.product', 'search_read', [
      [['name', '=', 'Desk Fjell']],
      ['id'],
    ]);
    const line = { product_id: desk?.id, quantity: 1200.5, price_unit: '987.65', discount: 12.5 };
    const id = await order({ line_ids: [['create', line]] });
    page = await app.open({ path: form(id) });
    const row = page.find('row').nth(1);
    const product = row.locator('.grid-stack');
    // The name of the product is not said twice.
    expect(await page.text(product)).toBe('Desk Fjell');
    expect((await product.boundingBox())?.width).toBeGreaterThan(200);
    expect(await page.text(row.locator('.grid-pair'))).toMatch(/^1,200\.5\s+pc$/);
    await page.click(product.getByRole('gridcell').first());
    await page.press('Tab');
    await page.page.keyboard.insertText('Oak, oiled');
    await page.press('Shift+Enter');
    await page.page.keyboard.insertText('Delivered in parts');
    const heights = await row.evaluate((node) => {
      const editor = node.querySelector('textarea');
      return [editor?.clientHeight ?? 0, editor?.scrollHeight ?? 0];
    });
    expect(heights[0]).toBeGreaterThanOrEqual(heights[1] as number);
    await page.press('Tab');
    const fits = await row.evaluate((node) => {
      const editor = node.querySelector('.grid-edit .field-input');
      return node.clientHeight - (editor?.getBoundingClientRect().height ?? 0);
    });
    expect(fits).toBeLessThanOrEqual(2);
    await save();
    const [kept] = await app.rpc<{ name: string }[]>('sale.order.line', 'search_read', [
      [['order_id', '=', id]],
      ['name'],
    ]);
    expect(kept?.name).toBe('Desk Fjell\nOak, oiled\nDelivered in parts');
    expect(await cutOff()).toEqual([]);
    await page.page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    expect(await cutOff()).toEqual([]);
    await page.checkAccessible();
  });

  long('SCN-19 on a phone a line is a card with quantity and price', async () => {
    const [desk] = await app.rpc<{ id: number }[]>('product.product', 'search_read', [
      [['name', '=', 'Desk Fjell']],
      ['id'],
    ]);
    const id = await order({ line_ids: [['create', { product_id: desk?.id, name: oak, quantity: 3 }]] });
    page = await app.open({ path: form(id), size: 'phone' });
    const row = page.find('row').nth(1);
    await row.scrollIntoViewIfNeeded();
    const said = await page.text(row);
    for (const part of ['Desk Fjell', oak, '3', 'pc', '400.00', '1,200.00']) expect(said).toContain(part);
    expect(await cutOff()).toEqual([]);
    const [product, amount] = [
      await row.locator('.grid-stack').boundingBox(),
      await row.locator('.grid-amount').boundingBox(),
    ];
    expect(amount?.y).toBe(product?.y);
    await row.locator('.grid-pair [role=gridcell]').first().click();
    await page.page.keyboard.insertText('5');
    await expect.poll(() => page.text(row.locator('.grid-amount'))).toContain('2,000.00');
    await page.checkAccessible();
  });

  const pick = async (name: string) => {
    await page.click(page.page.locator('.form-bar').getByRole('button', { name: 'More' }));
    await page.click(page.find('menuitem', name));
  };
  const filled = () => page.page.locator('.form-bar .btn-primary').allInnerTexts();

  it('SCN-16 one button of a form is filled: the next step of its state, or Save', async () => {
    const id = await order({ line_ids: [['create', { name: 'x', quantity: 1, price_unit: 1 }]] });
    page = await app.open({ path: form(id) });
    expect(await filled()).toEqual(['Send']);
    await page.page.getByLabel("Customer's reference", { exact: true }).fill('4711');
    expect(await filled()).toEqual(['Save']);
    await save();
    await pick('Mark as sent');
    await expect.poll(filled).toEqual(['Confirm']);
    expect(await page.find('button', 'Send again').count()).toBe(1);
    await page.click(page.find('button', 'Confirm'));
    await expect.poll(filled).toEqual([]);
    await page.go(form());
    expect(await filled()).toEqual(['Save']);
  });

  long.each(['en_US', 'de_DE'])('SCN-16 on a phone the bar of a form is one row (%s)', async (lang) => {
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

  it('SCN-23 the totals of an order follow what is typed in its lines', async () => {
    page = await app.open({ path: form(await order()) });
    const totals = () => page.text(page.page.locator('.form-totals'));
    await page.click(page.find('button', /Add a line/));
    await typeProduct('Desk Fjell');
    await expect.poll(totals).toMatch(/400\.00[^$]+\$100\.00[^$]+\$500\.00/);
    await page.press('Tab');
    await page.press('Tab');
    await page.page.keyboard.insertText('3');
    await expect.poll(totals).toMatch(/1,200\.00[^$]+\$300\.00[^$]+\$1,500\.00/);
  });

  it('SCN-24 sections with their sums and notes stand among lines, and a value is filled down', async () => {
    const id = await order();
    page = await app.open({ path: form(id) });
    const add = async (button: RegExp | string, words: string) => {
      await page.click(page.page.locator('.grid-add', { hasText: button }));
      await page.page.keyboard.insertText(words);
      await page.idle();
    };
    await add('Section', 'Furniture');
    await page.click(page.find('button', /Add a line/));
    await typeProduct('Desk Fjell');
    await page.click(page.find('button', /Add a line/));
    await typeProduct('Gift card');
    await add('Note', 'Delivered in May');
    // A heading is one cell for the keys as well.
    await page.press('Shift+Tab');
    await page.press('ArrowUp');
    await page.press('ArrowUp');
    await page.press('ArrowUp');
    expect(await page.page.locator('.grid-section textarea').inputValue()).toBe('Furniture');
    await page.press('Tab');
    await page.press('Tab');
    await page.press('Tab');
    await page.page.keyboard.insertText('2');
    await page.press('Control+Shift+d');
    await expect.poll(() => page.text('.grid-section')).toMatch(/^Furniture\s+\$900\.00$/);
    await page.checkAccessible();
    await save();
    const lines = await app.rpc<object[]>(
      'sale.order.line',
      'search_read',
      [[['order_id', '=', id]], ['line_type', 'name', 'quantity']],
      { order: 'sequence' },
    );
    expect(lines).toMatchObject([
      { line_type: 'section', name: 'Furniture' },
      { line_type: 'product', name: 'Desk Fjell', quantity: 2 },
      { line_type: 'product', name: 'Gift card', quantity: 2 },
      { line_type: 'note', name: 'Delivered in May' },
    ]);
  });

  it('SCN-20 Save and Discard have a place of their own and push nothing aside', async () => {
    const id = await order();
    await order();
    page = await app.open({ path: form(id) });
    const places = () =>
      page.page
        .locator('.form-bar :is(.btn, .icon-btn, .status, .seg)')
        .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
    const before = await places();
    expect(await page.find('button', 'Save').count()).toBe(0);
    await page.page.getByLabel("Customer's reference", { exact: true }).fill('4711');
    await page.find('button', 'Save').waitFor();
    expect(await places()).toEqual(before);
    expect(await page.find('button', 'Discard').count()).toBe(1);
    await page.checkAccessible();
    await page.click(page.find('button', 'Discard'));
    expect(await places()).toEqual(before);
  });

  const reference = async (id: number) => {
    const [found] = await app.rpc<{ client_reference: string | null; state: string }[]>('sale.order', 'read', [
      [id],
      ['client_reference', 'state'],
    ]);
    return [found?.client_reference, found?.state];
  };

  it('SCN-21 SCN-39 Ctrl+Z takes back what was changed last, Ctrl+Shift+Z does it again, and my changes are a list', async () => {
    const id = await order({ line_ids: [['create', { name: 'x', quantity: 1, price_unit: 1 }]] });
    page = await app.open({ path: form(id) });
    const field = page.page.getByLabel("Customer's reference", { exact: true });
    await field.fill('4711');
    await page.press('Control+z'); // In a text the keys are those of the text.
    expect(await reference(id)).toEqual([null, 'draft']);
    await field.fill('4711');
    await save();
    await pick('Mark as sent');
    expect(await reference(id)).toEqual(['4711', 'sent']);
    await page.page.locator('.form-head h1').evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.page.keyboard.press('Control+z');
    await expect.poll(() => reference(id)).toEqual(['4711', 'draft']);
    await page.idle();
    await page.page.keyboard.press('Control+z');
    await expect.poll(() => reference(id)).toEqual([null, 'draft']);
    await expect.poll(() => field.inputValue()).toBe('');
    await page.page.keyboard.press('Control+Shift+z');
    await expect.poll(() => reference(id)).toEqual(['4711', 'draft']);
    await expect.poll(() => field.inputValue()).toBe('4711');

    await page.click(page.page.locator('.who-me'));
    await page.click(page.find('menuitem', 'My changes'));
    const list = page.find('dialog', 'My changes');
    const second = list.getByRole('listitem').nth(1);
    await second.getByRole('button', { name: /^Undo: Changed S/ }).waitFor();
    await page.checkAccessible();
    await page.click(list.getByRole('button', { name: /^Redo/ }));
    await expect.poll(() => reference(id)).toEqual(['4711', 'sent']);
    await page.idle();
    const other = await app.open({ path: '/web/home' });
    for (const [keys, state] of Object.entries({ 'Control+z': 'draft', 'Control+Shift+z': 'sent' })) {
      await other.press(keys);
      await expect.poll(() => reference(id)).toEqual(['4711', state]);
      await other.idle();
    }
    await app.rpc('sale.order', 'write', [[id], { client_reference: 'Theirs' }]);
    await page.click(second.getByRole('button'));
    await page.find('alert').getByText('cannot be undone').waitFor();
    expect(await reference(id)).toEqual(['Theirs', 'sent']);
    page.forgive(/409/);
  });

  it('SCN-22 an empty field is seen, and a panel has the focus, the keys of a form and what is known', async () => {
    page = await app.open({ path: '/web?action=contacts.partners&view_type=form' });
    const phone = page.page.getByLabel('Phone', { exact: true }).first();
    const look = () => phone.evaluate((node) => getComputedStyle(node, '::placeholder').color);
    const line = await phone.evaluate((node) => getComputedStyle(node).borderBottomColor);
    expect(line).not.toMatch(/, 0\)$/);
    expect(await look()).toMatch(/, 0\)$/);
    await phone.hover();
    await expect.poll(look).not.toMatch(/, 0\)$/);
    expect(
      await page.page
        .getByLabel('Language')
        .first()
        .evaluate((node) => node.tagName),
    ).toBe('SELECT');
    await page.page.getByPlaceholder('Name of the person').fill('Liv Berg');
    await page.page.getByPlaceholder('Company', { exact: true }).fill('Berg & Co');
    await page.click(page.find('option', /Create “Berg & Co”/));
    const panel = page.find('dialog');
    await expect
      .poll(() => panel.evaluate((node) => node.querySelector('input:focus')?.getAttribute('placeholder')))
      .toBe('Name of the person or company');
    await panel.getByLabel('Street', { exact: true }).fill('Strandgaten 4');
    await page.press('Control+s');
    await expect.poll(() => panel.count()).toBe(0);
    await expect.poll(() => page.page.getByLabel('Street', { exact: true }).inputValue()).toBe('Strandgaten 4');
    await save();
    const found = await app.rpc<{ is_company: boolean }[]>('core.partner', 'search_read', [
      [['name', '=', 'Berg & Co']],
      ['is_company'],
    ]);
    expect(found).toMatchObject([{ is_company: true }]);
  });
});
