import { afterAll, beforeAll, describe, expect } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';

/** Everything that a form does with one record, in a browser against the real server. */
describe('the form', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['contacts', 'product'], keepsClient: true });
  });
  afterAll(() => app.close());

  const form = (model: string, id?: number) => `/web?model=${model}&view_type=form${id ? `&id=${id}` : ''}`;

  long('asks for what is required without a call, then creates and goes to the address of the record', async () => {
    const open = await app.open({ path: form('core.partner') });
    const calls: string[] = [];
    open.page.on('request', (request) => {
      if (request.url().endsWith('/api/rpc')) calls.push(request.postDataJSON().method);
    });
    await open.press('Control+s');
    expect(await open.text(open.page.locator('.form-problem').first())).toMatch(/required/);
    expect(calls).not.toContain('create');
    await open.page.getByLabel('Name', { exact: true }).fill('Brightwater Logistics');
    await open.press('Control+s');
    expect(calls.filter((method) => method === 'create')).toHaveLength(1);
    expect(open.page.url()).toMatch(/id=\d+/);
    expect(await open.find('button', 'Save').count()).toBe(0);
    await open.checkAccessible();
  });

  long('writes only what changed, with the values that were seen', async () => {
    const id = await app.rpc<number>('core.partner', 'create', [{ name: 'Ingrid Halvorsen', city: 'Bergen' }]);
    const open = await app.open({ path: form('core.partner', id) });
    const sent: { args: unknown[]; kwargs: unknown }[] = [];
    open.page.on('request', (request) => {
      if (!request.url().endsWith('/api/rpc')) return;
      const body = request.postDataJSON();
      if (body.method === 'write') sent.push(body);
    });
    await open.page.getByLabel('City').fill('Oslo');
    await open.click(open.find('button', 'Save'));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ args: [[id], { city: 'Oslo' }], kwargs: { base: { city: 'Bergen' } } });
    expect(await open.page.getByLabel('City').inputValue()).toBe('Oslo');
  });

  long('merges two people, and lets one choose where they disagree', async () => {
    const id = await app.rpc<number>('core.partner', 'create', [{ name: 'Marek', city: 'Brno', zip: '602 00' }]);
    const mine = await app.open({ path: form('core.partner', id) });
    const theirs = await app.open({ path: form('core.partner', id) });
    await theirs.page.getByLabel('City').fill('Praha');
    await theirs.page.getByLabel('Postal code').fill('110 00');
    await theirs.press('Control+s');
    await mine.page.getByLabel('City').fill('Ostrava');
    await mine.press('Control+s');
    mine.forgive(/409/);
    const picker = mine.page.getByRole('dialog');
    expect(await mine.text(picker)).toContain('Praha');
    await mine.checkAccessible();
    await mine.click(picker.getByRole('button', { name: 'Save this choice' }));
    const [record] = await app.rpc<{ city: string; zip: string }[]>('core.partner', 'read', [[id], ['city', 'zip']]);
    expect(record).toMatchObject({ city: 'Ostrava', zip: '110 00' });
  });

  long('has what was typed again after the page was closed', async () => {
    const id = await app.rpc<number>('core.partner', 'create', [{ name: 'Draft' }]);
    const open = await app.open({ path: form('core.partner', id) });
    open.page.on('dialog', (dialog) => void dialog.accept());
    await open.page.getByLabel('City').fill('Half typ');
    await open.page.reload();
    await open.idle();
    expect(await open.page.getByLabel('City').inputValue()).toBe('Half typ');
    expect(await open.text('.form-notice')).toContain('not saved yet');
    await open.click(open.page.locator('.form-notice').getByRole('button', { name: 'Discard' }));
    expect(await open.page.getByLabel('City').inputValue()).toBe('');
  });

  long('finds, makes and keeps a related record in a panel beside the form', async () => {
    const parent = await app.rpc<number>('core.partner', 'create', [{ name: 'Nordhavn Yard', is_company: true }]);
    await app.rpc('core.partner', 'create', [{ name: 'Nordhavn Closed', is_company: true, active: false }]);
    const id = await app.rpc<number>('core.partner', 'create', [{ name: 'Solveig' }]);
    const open = await app.open({ path: form('core.partner', id) });
    const company = open.page.getByRole('combobox', { name: 'Company', exact: true });
    await company.click();
    await open.type('Nordhavn');
    const found = open.find('listbox').getByRole('option');
    expect(await found.allInnerTexts()).toEqual(['Nordhavn Yard', 'Create “Nordhavn” …']);
    await open.press('Enter');
    await open.press('Control+s');
    const [saved] = await app.rpc<{ parent_id: number }[]>('core.partner', 'read', [[id], ['parent_id']]);
    expect(saved?.parent_id).toBe(parent);
  });

  long('enters lines by keyboard, pastes from a spreadsheet, and saves them with the record in one call', async () => {
    const open = await app.open({ path: form('product.pricelist') });
    await open.page.getByLabel('Name', { exact: true }).fill('Harbour');
    await open.click(open.find('button', /Add a line/));
    await open.page.getByRole('grid').waitFor();
    expect(await open.page.getByRole('row').count()).toBe(2);
    await open.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData(
        'text/plain',
        'All products\t\t\t5\tDiscount on the sales price\nAll products\t\t\t10\tDiscount on the sales price',
      );
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await open.idle();
    expect(await open.page.getByRole('row').count()).toBe(3);
    await open.checkAccessible();
    await open.press('Control+s');
    expect(await open.page.locator('.form-problem, .form-notice-bad').allInnerTexts()).toEqual([]);
    const lists = await app.rpc<{ id: number }[]>('product.pricelist', 'search_read', [
      [['name', '=', 'Harbour']],
      ['id'],
    ]);
    const items = await app.rpc<{ min_quantity: number }[]>('product.pricelist.item', 'search_read', [
      [['pricelist_id', '=', lists[0]?.id]],
      ['min_quantity'],
    ]);
    expect(items.map((item) => item.min_quantity).sort()).toEqual([10, 5]);
  });

  long('is right on a phone and in the dark', async () => {
    const id = await app.rpc<number>('core.partner', 'create', [{ name: 'Phone' }]);
    const phone = await app.open({ path: form('core.partner', id), size: 'phone', theme: 'dark' });
    await phone.checkAccessible();
    const isSideways = await phone.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isSideways).toBe(false);
  });
});
