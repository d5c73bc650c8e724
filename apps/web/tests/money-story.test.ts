import { addDays, addMonths, startOfMonth } from '@kontor/protocol';
import { isLong, startMailServer, type TestMailServer } from '@kontor/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import { makePerson } from './life-world.ts';
import type { TestPage } from './test-page.ts';

type Person = Awaited<ReturnType<typeof makePerson>>;
const waiting = { timeout: 120_000, interval: 50 };
/** Everything is billed and paid in the month before this one, which has ended and can be closed. */
const month = addMonths(startOfMonth(new Date().toISOString().slice(0, 10)), -1);
const dayOf = (day: number) => `${month.slice(0, 8)}${String(day).padStart(2, '0')}`;

/** From a lead to a closed month: each step by a person with the rights for it alone, and by the customer on a phone. */
describe('an order becomes money', () => {
  let mails: TestMailServer;
  let app: TestApp;
  let people: Readonly<Record<'selma' | 'clara' | 'anna', Person>>;
  beforeAll(async () => {
    mails = await startMailServer();
    app = await openTestApp({
      apps: ['sale_crm', 'invoice'],
      env: {
        KONTOR_SMTP_HOST: '127.0.0.1',
        KONTOR_SMTP_PORT: String(mails.port),
        KONTOR_SMTP_FROM: 'Nordlicht <office@nordlicht.example>',
        KONTOR_SMTP_TLS: 'none',
      },
    });
    await stock(app);
    people = {
      selma: await makePerson(app, 'Selma Seller', ['crm.group_user', 'sale.group_user']),
      clara: await makePerson(app, 'Clara Clerk', ['invoice.group_user']),
      // Who reads bank files registers payments.
      anna: await makePerson(app, 'Anna Accountant', ['accounting.group_user', 'invoice.group_user']),
    };
  });
  afterAll(async () => {
    await app.close();
    await mails.close();
  });

  /** A German company, and what it sells. */
  async function stock({ rpc, url }: TestApp): Promise<void> {
    await rpc('sys.config.parameter', 'create', [{ name: 'web.base_url', value: url }]);
    const find = async (model: string, domain: readonly unknown[]) =>
      (await rpc<{ id: number }[]>(model, 'search_read', [domain, ['id']]))[0]?.id as number;
    const company = await find('core.company', []);
    await rpc('core.company', 'write', [
      [company],
      {
        country_id: await find('core.country', [['code', '=', 'DE']]),
        currency_id: await find('core.currency', [['name', '=', 'EUR']]),
        ...{ name: 'Nordlicht GmbH', street: 'Kai 3', zip: '20457', city: 'Hamburg', vat: 'DE123456789' },
        ...{ iban: 'DE02120300000000202051', bic: 'BYLADEM1001', phone: '+49 40 123456' },
      },
    ]);
    const vat = await find('sale.tax', [['percent', '=', 19]]);
    for (const [name, unit, list_price] of [
      ['Desk Fjell', 'pc', '400'],
      ['Assembly', 'h', '60'],
      ['Lamp Nord', 'pc', '90'],
    ] as const) {
      const uom_id = await find('product.uom', [['name', '=', unit]]);
      await rpc('product.product', 'create', [{ name, list_price, uom_id, sale_tax_ids: [['set', [vat]]] }]);
    }
  }

  const field = (open: TestPage, name: string) => open.page.getByLabel(name, { exact: true });
  const press = (open: TestPage, name: string) =>
    open.click(open.page.getByRole('button', { name, exact: true }).first());
  const dialogOf = (open: TestPage) => open.page.getByRole('dialog');
  const agree = async (open: TestPage, name: string) => {
    await open.click(dialogOf(open).getByRole('button', { name, exact: true }).last());
    await dialogOf(open).waitFor({ state: 'detached' });
    await open.idle();
  };
  const pick = async (open: TestPage, name: string, value: string) => {
    await open.page.getByRole('combobox', { name, exact: true }).fill(value);
    await open.page.getByRole('option', { name: value }).first().waitFor();
    await open.press('Enter');
  };
  const choose = (open: TestPage, words: string) =>
    open.click(open.page.getByRole('row').filter({ hasText: words }).first());
  const read = (model: string, fields: readonly string[], domain: readonly unknown[] = []) =>
    app.rpc<Record<string, unknown>[]>(model, 'search_read', [domain, fields], { order: 'id' });
  const mailWith = (words: string) =>
    vi.waitFor(() => {
      const mail = mails.accepted.findLast((each) => each.includes(words));
      if (mail === undefined) throw new Error(`There is no mail with ${words}.`);
      return mail.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=');
    }, waiting);
  const linkIn = (mail: string) => /https?:\/\/[^/\s]+(\/portal\/[\w-]{43})/.exec(mail)?.[1] ?? 'no-link';

  async function addLine(open: TestPage, button: string | RegExp, product: string, quantity: string): Promise<void> {
    await open.click(open.find('button', button));
    await open.type(product);
    await open.press('Enter');
    await open.press('Tab');
    await open.press('Tab');
    await open.type(quantity);
    await open.press('Tab');
  }

  /** Selma, from the lead to the mailed quotation. */
  async function sell(): Promise<string> {
    const open = await app.open({ as: people.selma, path: '/web?action=crm.leads&view_type=form' });
    await field(open, 'Subject').fill('New offices in Berlin');
    await field(open, 'Company name').fill('Hafenkante GmbH');
    await field(open, 'Contact name').fill('Ingrid Halvorsen');
    await field(open, 'E-mail').fill('ingrid@hafenkante.example');
    await open.click(open.find('tab', 'Address and source'));
    await field(open, 'Street').fill('Uferweg 7');
    await field(open, 'Postal code').fill('10115');
    await field(open, 'City').fill('Berlin');
    await pick(open, 'Country', 'Germany');
    await open.press('Control+s');
    await press(open, 'Convert to opportunity');
    await agree(open, 'Convert to opportunity');
    await press(open, 'New quotation');
    await open.click(open.find('button', 'Section'));
    await open.type('Furniture');
    await addLine(open, /Add a line/, 'Desk Fjell', '3');
    await addLine(open, /Add a line/, 'Assembly', '4');
    await addLine(open, 'Option', 'Lamp Nord', '1');
    await open.press('Control+s');
    expect(await open.text('.grid-kind')).toBe('Option');
    // What is delivered has no column before there is an order.
    expect(await open.page.getByRole('columnheader', { name: 'Delivered' }).count()).toBe(0);
    await open.checkAccessible();
    await press(open, 'Send');
    await dialogOf(open).getByLabel('Subject').fill('Your new desks');
    await agree(open, 'Send');
    await open.close();
    return linkIn(await mailWith('Subject: Your new desks'));
  }

  async function draw(page: Page): Promise<void> {
    const canvas = page.locator('canvas');
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    if (!box) throw new Error('There is no place to sign.');
    await page.mouse.move(box.x + 20, box.y + 50);
    await page.mouse.down();
    for (const [x, y] of [
      [60, 10],
      [80, 60],
      [180, 30],
    ] as const) {
      await page.mouse.move(box.x + x, box.y + y);
    }
    await page.mouse.up();
  }

  /** Ingrid, on her phone: ticks the lamp, signs, and reads what she signed. */
  async function sign(path: string): Promise<void> {
    const customer = await app.open({ as: null, size: 'phone' });
    const { page } = customer;
    await page.goto(path);
    expect(await customer.text('.eyebrow')).toMatch(/^Quotation sent · [\s\S]*Valid until/);
    expect(await customer.text('.total strong')).toBe('€1,713.60');
    await page.getByRole('checkbox', { name: /Lamp Nord/ }).check();
    expect(await customer.text('.total strong')).toBe('€1,820.70');
    await draw(page);
    await customer.checkAccessible();
    await page.getByRole('button', { name: 'Accept and sign' }).click();
    await page.getByRole('heading', { name: 'Signed' }).waitFor();
    expect(await customer.text('.eyebrow')).toMatch(/^Sales order · /);
    expect(await customer.text('.card.ok')).toContain('Ingrid Halvorsen');
    expect(customer.problems).toEqual([]);
    await customer.close();
  }

  /** Selma sees who signed, and that the opportunity is won. */
  async function seeSignature(): Promise<void> {
    const open = await app.open({ as: people.selma, path: '/web?action=sale.orders&view_type=list' });
    await choose(open, 'Ingrid');
    expect(await open.text('.form-subtitle')).toContain('Sales order');
    await open.page.getByText('✓ Ingrid Halvorsen accepted and signed').waitFor();
    const printed = open.page.context().waitForEvent('request', (request) => request.url().endsWith('.pdf'));
    await press(open, 'Print');
    const pdf = await open.page.request.get((await printed).url());
    expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await read('crm.lead', ['state'])).toEqual([expect.objectContaining({ state: 'won' })]);
    expect(open.problems).toEqual([]);
    await open.close();
  }

  /** Clara: an invoice of the order, in the month before, posted and mailed. Returns its link for the customer. */
  async function bill(open: TestPage, method: string, share?: string): Promise<string> {
    await press(open, 'Create invoice');
    await dialogOf(open).getByLabel('Invoice', { exact: true }).selectOption({ label: method });
    await open.idle();
    if (share) await dialogOf(open).getByLabel('Per cent or untaxed amount').fill(share);
    await agree(open, 'Create invoice');
    // Company and customer are complete: their data were in the lead.
    expect(await open.text('.form-subtitle')).toContain('E-invoice ready');
    expect(await open.page.getByText('The law asks for more').count()).toBe(0);
    await field(open, 'Invoice date').fill(dayOf(1));
    await open.press('Tab');
    await open.press('Control+s');
    await press(open, 'Post');
    await press(open, 'Send');
    await agree(open, 'Send');
    const last = (await read('invoice.invoice', ['name'])).at(-1);
    const mail = await mailWith(`Subject: Invoice ${last?.name}`);
    expect(mail).toContain(`filename=${last?.name}.pdf`);
    await open.click(open.find('tab', 'Sent'));
    expect(await open.find('button', 'Open, line 1').count()).toBe(1);
    return linkIn(mail);
  }

  /** Clara bills a down payment, notes the delivery, bills the rest and reminds. */
  async function invoice(): Promise<string> {
    const path = '/web?action=invoice.orders_to_invoice';
    const open = await app.open({ as: people.clara, path });
    await choose(open, 'Ingrid');
    await bill(open, 'Down payment in per cent', '30');
    await open.go(path);
    await choose(open, 'Ingrid');
    await open.click(open.find('button', 'Delivered, line 2'));
    await agree(open, 'Delivered');
    const desk = open.page.getByRole('row').filter({ hasText: 'Desk Fjell' });
    await expect.poll(() => desk.locator('[data-label=Delivered]').textContent()).toBe('3');
    await open.checkAccessible();
    await open.click(open.find('button', 'More'));
    await open.click(open.find('menuitem', 'Mark as delivered'));
    const link = await bill(open, 'All that is left to invoice');
    await press(open, 'Send reminder');
    await agree(open, 'Send reminder');
    expect(linkIn(await mailWith('Subject: Reminder: invoice'))).toMatch(/^\/portal/);
    expect(open.problems).toEqual([]);
    await open.close();
    return link;
  }

  const statement = (entries: readonly (readonly [name: string, amount: string])[]) => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>${entries
    .map(
      ([name, amount]) => `
<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${dayOf(28)}</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Hafenkante GmbH</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Ustrd>Invoice ${name}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    )
    .join('')}</Stmt></BkToCstmrStmt></Document>`;

  /** Anna reads the bank's file, takes what it suggests, and closes the month. */
  async function closeBooks(): Promise<void> {
    const rows = await read('invoice.invoice', ['name', 'amount_total']);
    const entries = rows.map((row) => [String(row.name), Number(row.amount_total).toFixed(2)] as const);
    expect(entries.map(([, amount]) => amount)).toEqual(['546.21', '1274.49']);
    const open = await app.open({ as: people.anna, theme: 'dark', path: '/web?action=bank.matching' });
    await open.click(open.find('button', 'Upload a bank file').first());
    const file = { name: 'statement.xml', mimeType: 'text/xml', buffer: Buffer.from(statement(entries)) };
    await field(open, 'Bank file').setInputFiles(file);
    await open.click(dialogOf(open).getByRole('button', { name: 'Add the account' }));
    for (const [name] of entries) {
      await open.page.locator('.bank-suggestion[aria-pressed=true]', { hasText: name }).waitFor();
      await press(open, 'Confirm');
    }
    await open.page.getByText('Every entry is matched').waitFor();
    await open.checkAccessible();
    await open.go('/web?action=accounting.periods');
    await choose(open, month.slice(0, 7));
    await press(open, 'Close');
    await agree(open, 'Close');
    const closed = await read('accounting.period', ['state'], [['date_from', '<=', month]]);
    expect(new Set(closed.map(({ state }) => state))).toEqual(new Set(['closed']));
    expect(open.problems).toEqual([]);
    await open.close();
  }

  /** Nothing is posted into the closed month, and Clara reads why. */
  async function tryLate(): Promise<void> {
    const open = await app.open({ as: people.clara, path: '/web?action=invoice.invoices&view_type=form' });
    await pick(open, 'Customer', 'Ingrid');
    await addLine(open, /Add a line/, 'Lamp Nord', '1');
    await field(open, 'Invoice date').fill(dayOf(20));
    await open.press('Tab');
    await open.press('Control+s');
    const late = (await read('invoice.invoice', ['amount_total', 'due_date', 'payment_days'])).at(-1);
    // The price is that of the product, and the due date follows the date that was typed.
    expect(late).toMatchObject({ amount_total: 107.1, payment_days: 14, due_date: addDays(dayOf(20), 14) });
    await press(open, 'Post');
    await open.page
      .getByText(`${month.slice(0, 7)} is closed. Choose a later date`)
      .first()
      .waitFor();
    expect((await read('invoice.invoice', ['state'])).at(-1)).toMatchObject({ state: 'draft' });
    open.forgive(/422/);
    expect(open.problems).toEqual([]);
  }

  it('PTL-15 SCN-110 clicked through: lead, quotation, signature on a phone, order, invoices, reminder, bank file, closed month, paid', async () => {
    await sign(await sell());
    await seeSignature();
    const link = await invoice();
    const customer = await app.open({ as: null, size: 'phone', theme: 'dark' });
    await customer.page.goto(link);
    expect(await customer.text('.eyebrow')).toMatch(/^Invoice · [\s\S]*Overdue$/);
    expect(await customer.text('.card.pay strong')).toBe('€1,274.49');
    // Bank files and closed months have tests of their own.
    if (!isLong) return;
    await closeBooks();
    await tryLate();
    await customer.page.reload();
    expect(await customer.text('.eyebrow')).toMatch(/Paid$/);
    expect(await customer.page.locator('.card.pay').count()).toBe(0);
    await customer.checkAccessible();
  }, 300_000);
});
