import { startMailServer, type TestMailServer } from '@kontor/testing';
import type { Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { RpcCall } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

const waiting = { timeout: 120_000, interval: 50 };

/** From a lead to a project, clicked through by somebody who may only sell. */
describe('a restricted salesperson', () => {
  let mails: TestMailServer;
  let app: TestApp;
  const selma = { login: 'selma@nordlicht.example', password: 'correct horse battery' } as const;
  beforeAll(async () => {
    mails = await startMailServer();
    app = await openTestApp({
      apps: ['crm', 'sale', 'project'],
      env: {
        KONTOR_SMTP_HOST: '127.0.0.1',
        KONTOR_SMTP_PORT: String(mails.port),
        KONTOR_SMTP_FROM: 'Nordlicht <office@nordlicht.example>',
        KONTOR_SMTP_TLS: 'none',
      },
    });
    await stock(app);
  });
  afterAll(async () => {
    await app.close();
    await mails.close();
  });

  /** Two things to sell, a tax, and a person with the least rights that the story takes. */
  async function stock({ rpc }: TestApp): Promise<void> {
    const groups = await rpc<{ id: number; key: string }[]>('core.group', 'search_read', [
      [['key', 'in', ['crm.group_user', 'sale.group_user', 'project.group_user']]],
      ['key'],
    ]);
    const group_ids = [['set', groups.map((group) => group.id)]];
    await rpc('core.user', 'create', [{ name: 'Selma Seller', email: selma.login, group_ids, tz: 'UTC', ...selma }]);
    const unit = async (name: string) =>
      (await rpc<{ id: number }[]>('product.uom', 'search_read', [[['name', '=', name]], ['id']]))[0]?.id;
    const vat = await rpc('sale.tax', 'create', [{ name: 'VAT 25 %', percent: 25 }]);
    const sale_tax_ids = [['set', [vat]]];
    await rpc('product.product', 'create', [
      { name: 'Desk Fjell', uom_id: await unit('pc'), list_price: '400', sale_tax_ids },
    ]);
    await rpc('product.product', 'create', [
      { name: 'Assembly', type: 'service', uom_id: await unit('h'), list_price: '60', sale_tax_ids },
    ]);
  }

  const field = (open: TestPage, name: string) => open.page.getByLabel(name, { exact: true });
  const press = (open: TestPage, name: string) =>
    open.click(open.page.getByRole('button', { name, exact: true }).first());
  const orders = () =>
    app.rpc<Record<string, unknown>[]>('sale.order', 'search_read', [
      [],
      ['name', 'state', 'amount_untaxed', 'amount_tax', 'amount_total', 'lead_id.state', 'user_id.name'],
    ]);

  function isOnchange(request: Request, model: string, changed: string): boolean {
    if (!request.url().endsWith('/api/rpc')) return false;
    const call = request.postDataJSON() as RpcCall;
    return call.model === model && call.method === 'onchange' && (call.args[1] as string[]).includes(changed);
  }

  /** As one types it: the product, past its description, the quantity. */
  async function addLine(open: TestPage, product: string, quantity: string): Promise<void> {
    await open.click(open.find('button', /Add a line/));
    await open.type(product);
    await open.press('Enter');
    await open.press('Tab');
    await open.press('Tab');
    await open.type(quantity);
    await open.press('Tab');
  }

  long(
    'SCR-8 takes a lead to a printed order and its project',
    async () => {
      const open = await app.open({ as: selma, path: '/web?action=crm.leads' });
      await open.click(
        open.page
          .getByRole('link', { name: 'New' })
          .or(open.page.getByRole('button', { name: 'New' }))
          .first(),
      );
      await field(open, 'Subject').fill('New offices in Bergen');
      await field(open, 'Company name').fill('Fjordkontoret AS');
      await field(open, 'Contact name').fill('Ingrid Halvorsen');
      await field(open, 'E-mail').fill('ingrid@fjord.example');
      await open.press('Control+s');
      await press(open, 'Convert to opportunity');
      await open.click(open.page.getByRole('dialog').getByRole('button', { name: 'Convert to opportunity' }));
      await open.page.getByRole('dialog').waitFor({ state: 'detached' });
      const customer = open.page.getByRole('combobox', { name: 'Customer', exact: true });
      await expect.poll(() => customer.inputValue()).toContain('Ingrid Halvorsen');

      await press(open, 'New quotation');
      await addLine(open, 'Desk Fjell', '3');
      await addLine(open, 'Assembly', '4');
      await open.press('Control+s');
      const [quotation] = await orders();
      expect(quotation).toMatchObject({
        state: 'draft',
        amount_untaxed: 1440,
        amount_tax: 360,
        amount_total: 1800,
        'user_id.name': 'Selma Seller',
      });
      await open.checkAccessible();

      await press(open, 'Send');
      const dialog = open.page.getByRole('dialog');
      expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe('ingrid@fjord.example');
      await open.checkAccessible();
      await dialog.getByLabel('Subject').fill('Your new desks');
      await open.click(dialog.getByRole('button', { name: 'Send', exact: true }));
      await dialog.waitFor({ state: 'detached' });
      expect((await orders())[0]).toMatchObject({ state: 'sent' });
      const mail = await vi.waitFor(() => {
        const [first] = mails.accepted;
        if (first === undefined) throw new Error('No mail has come yet.');
        return first;
      }, waiting);
      expect(mail).toContain('Subject: Your new desks');
      expect(mail).toContain(`filename=${quotation?.name}.pdf`);

      await press(open, 'Confirm');
      expect((await orders())[0]).toMatchObject({ state: 'sale', 'lead_id.state': 'won' });
      const printed = open.page.context().waitForEvent('request', (request) => request.url().endsWith('.pdf'));
      await press(open, 'Print');
      const answer = await open.page.request.get((await printed).url());
      expect(answer.headers()['content-type']).toBe('application/pdf');
      // The customer has the quotation; the confirmation is the next version.
      expect(answer.headers()['content-disposition']).toContain(`${quotation?.name}-2.pdf`);
      expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');

      await press(open, 'Create project');
      await expect.poll(() => field(open, 'Name').inputValue()).toBe(`${quotation?.name} Ingrid Halvorsen`);
      await press(open, 'Start');
      await open.click(open.page.getByRole('button', { name: /^Tasks/ }).first());
      await open.click(open.page.getByText('Assembly', { exact: true }).first());
      await press(open, 'Done');
      const [project] = await app.rpc<Record<string, unknown>[]>('project.project', 'search_read', [
        [],
        ['state', 'progress', 'sale_order_id.name', 'user_id.name'],
      ]);
      expect(project).toMatchObject({
        state: 'running',
        // The desks are goods: only the assembly is a task.
        progress: 100,
        'sale_order_id.name': quotation?.name,
        'user_id.name': 'Selma Seller',
      });
    },
    240_000,
  );

  long(
    'RPC-14 takes the taxes of a product when the answer about its line comes after the one about the order',
    async () => {
      const open = await app.open({ as: selma, path: '/web?action=sale.quotations&view_type=form' });
      const { page } = open;
      // The order has answered about the blank line, and again about the line with its product.
      const blank = page.waitForResponse((answer) => isOnchange(answer.request(), 'sale.order', 'line_ids'));
      await open.click(open.find('button', /Add a line/));
      await blank;
      const order = page.waitForResponse((answer) => isOnchange(answer.request(), 'sale.order', 'line_ids'));
      await page.route('**/api/rpc', async (route) => {
        if (isOnchange(route.request(), 'sale.order.line', 'product_id')) await order;
        await route.continue();
      });
      await open.type('Desk Fjell');
      await open.press('Enter');
      await order;
      await open.idle();
      expect(await open.text('.grid')).toContain('VAT 25 %');
    },
  );

  long('CRM-3 says why an opportunity was lost, from its form and for several from the list', async () => {
    const [user] = await app.rpc<{ id: number }[]>('core.user', 'search_read', [[['login', '=', selma.login]], ['id']]);
    const make = (name: string) =>
      app.rpc<number>('crm.lead', 'create', [{ name, type: 'opportunity', user_id: user?.id }]);
    const ids = [await make('Harbour café'), await make('Reading room'), await make('School library')];
    const open = await app.open({ as: selma, path: `/web?model=crm.lead&view_type=form&id=${ids[0]}` });
    await press(open, 'Lost');
    const dialog = open.page.getByRole('dialog');
    await open.click(dialog.getByRole('button', { name: 'Lost', exact: true }));
    expect(await open.text(dialog.locator('.form-problem').first())).toMatch(/required/);
    await dialog.getByRole('combobox', { name: 'Lost reason' }).fill('expensive');
    await open.idle();
    await open.press('Enter');
    await dialog.getByLabel('Note').fill('They bought used ones.');
    await open.click(dialog.getByRole('button', { name: 'Lost', exact: true }));
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => open.text('.form-subtitle')).toContain('Lost');

    const list = await app.open({ as: selma, path: '/web?action=crm.pipeline&view_type=list' });
    for (const name of ['Reading room', 'School library'])
      await list.click(list.page.getByRole('row').filter({ hasText: name }).getByRole('checkbox'));
    await press(list, 'Merge');
    const merge = list.page.getByRole('dialog');
    expect(await merge.getByRole('radio', { name: /^(Reading room|School library)$/ }).count()).toBe(2);
    const table = merge.getByRole('region', { name: 'What is kept' });
    expect(await table.locator('thead th').allInnerTexts()).toEqual([
      'Field',
      expect.stringMatching(/Reading room\s+Is (kept|deleted)/),
      expect.stringMatching(/School library\s+Is (kept|deleted)/),
    ]);
    await list.checkAccessible();
    await merge.getByRole('radio', { name: 'School library', exact: true }).check();
    expect(await list.text(table.locator('thead .comparison-keep'))).toContain('School library');
    await list.click(merge.getByRole('button', { name: 'Merge', exact: true }));
    await expect.poll(() => list.page.url()).toContain(`id=${ids[2]}`);
    const left = await app.rpc<{ state: string }[]>('crm.lead', 'search_read', [[['id', 'in', ids]], ['state']], {
      order: 'id',
    });
    expect(left.map((lead) => lead.state)).toEqual(['lost', 'open']);
  });

  long('SAL-1 begins a quotation at its first stage, and gives its lines the room of the talk when asked', async () => {
    const open = await app.open({ path: '/web?action=sale.quotations&view_type=form' });
    const step = open.page.locator('.status [aria-current=step]');
    expect(await open.text(step)).toBe('Quotation');
    const partner_id = await app.rpc('core.partner', 'create', [{ name: 'Roomy AB' }]);
    const id = await app.rpc<number>('sale.order', 'create', [{ partner_id }]);
    await open.visit(`/web?action=sale.quotations&view_type=form&id=${id}`);
    expect(await open.text(step)).toBe('Quotation');
    const width = async () => (await open.page.locator('.grid').boundingBox())?.width ?? 0;
    const before = await width();
    await open.click(open.find('button', 'Hide the discussion'));
    expect(await width()).toBeGreaterThan(before + 100);
    await open.checkAccessible();
    await open.go(`/web?action=sale.quotations&view_type=form&id=${id}`);
    expect(await open.find('tab', 'Discussion').count()).toBe(0);
    await open.click(open.find('button', 'Show the discussion'));
    expect(await open.find('tab', 'Discussion').count()).toBe(1);
  });
});
