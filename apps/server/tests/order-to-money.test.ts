import { createApiKey } from '@kontor/parts';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Browser } from './browser.ts';
import { optionsIn, png, versionIn } from './portal-world.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const waiting = { timeout: 30_000, interval: 20 };
let mails: TestMailServer;
let world: TestServer;
beforeAll(async () => {
  mails = await startMailServer();
  world = await startTestServer({
    modules: ['sale_crm', 'invoice'],
    env: {
      KONTOR_SMTP_HOST: '127.0.0.1',
      KONTOR_SMTP_PORT: String(mails.port),
      KONTOR_SMTP_FROM: 'Nordlicht <office@nordlicht.example>',
      KONTOR_SMTP_TLS: 'none',
    },
  });
});
afterAll(async () => {
  await world.close();
  await mails.close();
});

const keyOf = async (name: string, groups: readonly string[]) => {
  const { id } = await world.user(name, groups);
  const { secret } = await world.work((env) =>
    createApiKey(env, { userId: id, name: 'k', expiresAt: null, scope: null }),
  );
  return Browser.withKey(world.url, secret);
};

/** The path of the link in the newest mail with these words. */
const linkIn = (words: string) =>
  vi.waitFor(() => {
    const mail = mails.accepted.findLast((each) => each.includes(words));
    const plain = mail?.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=');
    const [, path] = /https?:\/\/[^/\s]+(\/portal\/[\w-]{43})/.exec(plain ?? '') ?? [];
    if (path === undefined) throw new Error(`There is no mail with ${words} and a link.`);
    return path;
  }, waiting);

it('PTL-13 lead, quotation, signature, order, invoice, reminder and payment, by RPC and the pages of the customer alone', async () => {
  const seller = await keyOf('Selma Seller', ['crm.group_user', 'sale.group_user']);
  const clerk = await keyOf('Clara Clerk', ['invoice.group_user']);
  const customer = world.browser();
  const [unit] = await (await world.signedIn()).rpc<{ id: number }[]>('product.uom', 'search', [[['name', '=', 'pc']]]);
  const chair = await (await world.signedIn()).rpc('product.product', 'create', [
    { name: 'Armchair', uom_id: unit?.id, list_price: '100' },
  ]);

  const lead = await seller.rpc<number>('crm.lead', 'create', [
    { name: 'Terrace', partner_name: 'Hôtel du Lac', email_from: 'ines@lac.example' },
  ]);
  await seller.rpc('crm.lead', 'call', [lead, 'action_convert']);
  const { redirect } = await seller.rpc<{ redirect: string }>('crm.lead', 'call', [lead, 'action_new_quotation']);
  const order = Number(new URL(redirect, world.url).searchParams.get('id'));
  await seller.rpc('sale.order.line', 'create', [{ order_id: order, product_id: chair, quantity: 3 }]);
  await seller.rpc('sale.order.line', 'create', [{ order_id: order, product_id: chair, line_type: 'option' }]);
  await seller.rpc('sale.order', 'call', [order, 'action_send', { subject: 'Your terrace' }]);

  const page = await linkIn('Your terrace');
  const shown = await (await customer.get(page)).text();
  const [option = ''] = optionsIn(shown);
  const fields = { version: versionIn(shown), name: 'Inès Roux', picture: png(), chosen: option };
  expect((await customer.form(`${page}/accept`, fields)).status).toBe(303);
  const [signed] = await seller.rpc<Record<string, unknown>[]>('sale.order', 'read', [
    [order],
    ['state', 'amount_untaxed', 'lead_id.state'],
  ]);
  expect(signed).toMatchObject({ state: 'sale', amount_untaxed: 400, 'lead_id.state': 'won' });

  await clerk.rpc('sale.order', 'call', [order, 'action_create_invoices', { method: 'ordered' }]);
  const [draft] = await clerk.rpc<{ id: number }[]>('invoice.invoice', 'search', [[['state', '=', 'draft']]]);
  const invoice = draft?.id as number;
  await clerk.rpc('invoice.invoice', 'write', [[invoice], { invoice_date: '2026-01-05', due_date: '2026-01-19' }]);
  await clerk.rpc('invoice.invoice', 'call', [invoice, 'action_post']);
  await clerk.rpc('invoice.invoice', 'call', [invoice, 'action_send', { subject: 'Our invoice' }]);
  const bill = await linkIn('Our invoice');
  expect(await (await customer.get(bill)).text()).toContain('400.00');

  await clerk.rpc('invoice.invoice', 'call', [invoice, 'action_send_reminders']);
  await clerk.rpc('invoice.invoice', 'call', [invoice, 'action_register_payment', { method: 'transfer' }]);
  const [paid] = await clerk.rpc<Record<string, unknown>[]>('invoice.invoice', 'read', [[invoice], ['payment_state']]);
  expect(paid).toMatchObject({ payment_state: 'paid' });
  expect(await (await customer.get(bill)).text()).not.toContain('class="card pay"');
  expect(await clerk.outcome('crm.lead', 'read', [[lead], ['name']])).toMatch(/^403/);
  expect(await seller.outcome('invoice.invoice', 'call', [invoice, 'action_credit', {}])).toMatch(/^403/);
}, 120_000);
