import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const waiting = { timeout: 30_000, interval: 50 };
const selma = { login: 'selma@nordlicht.example', password: 'correct horse battery' } as const;
const clara = { login: 'clara@nordlicht.example', password: 'battery staple correct' } as const;

/** From a lead to the money: one person sells, another invoices, and the customer signs on a phone. */
describe('from order to money', () => {
  let mails: TestMailServer;
  let app: TestApp;
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
    await person('Selma Seller', selma, ['crm.group_user', 'sale.group_user']);
    await person('Clara Clerk', clara, ['invoice.group_user']);
  });
  afterAll(async () => {
    await app.close();
    await mails.close();
  });

  async function person(name: string, account: typeof selma | typeof clara, keys: readonly string[]): Promise<void> {
    const groups = await app.rpc<{ id: number }[]>('core.group', 'search_read', [[['key', 'in', keys]], ['key']]);
    const group_ids = [['set', groups.map((group) => group.id)]];
    await app.rpc('core.user', 'create', [{ name, email: account.login, group_ids, tz: 'UTC', ...account }]);
  }

  const press = (open: TestPage, name: string) =>
    open.click(open.page.getByRole('button', { name, exact: true }).first());
  const confirm = async (open: TestPage, name: string) => {
    const dialog = open.page.getByRole('dialog');
    await open.click(dialog.getByRole('button', { name, exact: true }));
    await dialog.waitFor({ state: 'detached' });
  };
  const linkIn = (words: string) =>
    vi.waitFor(() => {
      const mail = mails.accepted.findLast((each) => each.includes(words));
      const plain = mail?.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=');
      const [, path] = /https?:\/\/[^/\s]+(\/portal\/[\w-]{43})/.exec(plain ?? '') ?? [];
      if (path === undefined) throw new Error(`There is no mail with ${words} and a link.`);
      return path;
    }, waiting);
  const one = async (model: string, fields: readonly string[]) =>
    (await app.rpc<Record<string, unknown>[]>(model, 'search_read', [[], fields]))[0] ?? {};

  it('PTL-13 lead, quotation, signature on a phone, order, invoice, reminder and payment', async () => {
    const seller = await app.open({ as: selma, path: '/web?action=crm.leads&view_type=form' });
    const field = (name: string) => seller.page.getByLabel(name, { exact: true });
    await field('Subject').fill('Terrace, 60 seats');
    await field('Company name').fill('Hôtel du Lac');
    await field('Contact name').fill('Inès Roux');
    await field('E-mail').fill('ines@lac.example');
    await seller.press('Control+s');
    await press(seller, 'Convert to opportunity');
    await confirm(seller, 'Convert to opportunity');
    await press(seller, 'New quotation');
    await seller.click(seller.find('button', /Add a line/));
    await seller.press('Tab');
    await seller.type('Armchair');
    await seller.press('Tab');
    await seller.type('2');
    await seller.press('Tab');
    await seller.press('Tab');
    await seller.type('100');
    await seller.press('Control+s');
    const { id } = await one('sale.order', ['id']);
    const option = { order_id: id, name: 'Parasol', price_unit: '50', line_type: 'option' };
    await app.rpc('sale.order.line', 'create', [option]);
    await press(seller, 'Send');
    await confirm(seller, 'Send');

    const phone = await app.open({ as: null, size: 'phone', path: await linkIn('Subject: Quotation') });
    const { page } = phone;
    await phone.checkAccessible();
    expect(await page.locator('.totals strong').textContent()).toContain('200.00');
    await page.getByRole('checkbox', { name: /Parasol/ }).check();
    expect(await page.locator('.totals strong').textContent()).toContain('250.00');
    await page.locator('form#accept').getByRole('button', { name: 'Accept and sign' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('signature');
    const pad = page.locator('canvas');
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (!box) throw new Error('There is nothing to sign on.');
    await page.mouse.move(box.x + 20, box.y + 40);
    await page.mouse.down();
    for (const step of [40, 60, 90, 130, 180]) await page.mouse.move(box.x + step, box.y + 30 + (step % 40));
    await page.mouse.up();
    await page.locator('form#accept').getByRole('button', { name: 'Accept and sign' }).click();
    await page.locator('img.signature').waitFor();
    expect(await one('sale.order', ['state', 'amount_total', 'lead_id.state'])).toMatchObject({
      ...{ state: 'sale', amount_total: 250, 'lead_id.state': 'won' },
    });

    const clerk = await app.open({ as: clara, path: `/web?model=sale.order&view_type=form&id=${id}` });
    await press(clerk, 'Create invoice');
    await confirm(clerk, 'Create invoice');
    const { id: invoice } = await one('invoice.invoice', ['id']);
    await app.rpc('invoice.invoice', 'write', [[invoice], { invoice_date: '2026-01-05', due_date: '2026-01-19' }]);
    await clerk.go(`/web?model=invoice.invoice&view_type=form&id=${invoice}`);
    await press(clerk, 'Post');
    await press(clerk, 'Send');
    await confirm(clerk, 'Send');
    await phone.go(await linkIn('Subject: Invoice'));
    expect(await page.locator('.pay strong').textContent()).toContain('250.00');
    await press(clerk, 'Send reminder');
    await confirm(clerk, 'Send reminder');
    await press(clerk, 'Register payment');
    await confirm(clerk, 'Register payment');
    expect(await one('invoice.invoice', ['payment_state'])).toMatchObject({ payment_state: 'paid' });
    await phone.go(new URL(page.url()).pathname);
    expect(await page.locator('.pay').count()).toBe(0);
  }, 240_000);
});
