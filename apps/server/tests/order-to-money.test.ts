import { createApiKey } from '@kontor/parts';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Browser, type Envelope } from './browser.ts';
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

const bankFile = ({
  currency,
  text,
  amount = '400.00',
}: {
  currency: string;
  text: string;
  amount?: string;
}) => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>${currency}</Ccy></Acct>
<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-01-28</Dt></BookgDt><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Inès Roux</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;

async function sendTo(
  caller: Browser,
  file: string | null,
  fields: Record<string, string> = {},
  path = '/api/bank/upload',
) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file !== null) body.set('file', new Blob([file]), 'statement.xml');
  return caller.fetch(path, { method: 'POST', body, headers: { 'x-csrf-token': caller.csrf } });
}

const refusalOf = async (caller: Browser, model: string, args: unknown[]) =>
  (await caller.call({ model, method: 'call', args, kwargs: {} })).error?.message ?? 'It was allowed.';

const uploadTo = async (caller: Browser, file: string, fields: Record<string, string> = {}) =>
  ((await (await sendTo(caller, file, fields)).json()) as Envelope).result;

it('PTL-13 lead, quotation, signature, order, invoice, reminder, payment by a bank file and a closed period, by RPC and the pages of the customer alone', async () => {
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
  const [due] = await clerk.rpc<{ name: string; 'currency_id.name': string }[]>('invoice.invoice', 'read', [
    [invoice],
    ['name', 'currency_id.name'],
  ]);
  const file = bankFile({ currency: due?.['currency_id.name'] ?? '', text: `Thanks, ${due?.name}` });
  expect(await uploadTo(clerk, file)).toMatchObject({ needs: 'account' });
  expect(await uploadTo(clerk, file, { create_account: '1' })).toMatchObject({ taken: { entries: 1 } });
  const [entry] = await clerk.rpc<{ id: number }[]>('bank.entry', 'search', [[['state', '=', 'open']]]);
  const settled = (await (await clerk.json('/api/bank/confirm-certain', { ids: [entry?.id] })).json()) as Envelope;
  expect(settled.result).toEqual({ confirmed: [entry?.id], problems: [] });
  const [paid] = await clerk.rpc<Record<string, unknown>[]>('invoice.invoice', 'read', [[invoice], ['payment_state']]);
  expect(paid).toMatchObject({ payment_state: 'paid' });
  expect(await (await customer.get(bill)).text()).not.toContain('class="card pay"');

  const accountant = await keyOf('Anna Accountant', ['accounting.group_user']);
  const [january] = await accountant.rpc<{ id: number }[]>('accounting.period', 'search', [
    [['date_from', '=', '2026-01-01']],
  ]);
  await accountant.rpc('accounting.period', 'call', [january?.id, 'action_close']);
  const [owner] = await clerk.rpc<{ partner_id: number }[]>('invoice.invoice', 'read', [[invoice], ['partner_id']]);
  const late = await clerk.rpc<number>('invoice.invoice', 'create', [
    {
      ...{ partner_id: owner?.partner_id, invoice_date: '2026-01-20' },
      line_ids: [['create', { name: 'Late', price_unit: '1' }]],
    },
  ]);
  expect(await refusalOf(clerk, 'invoice.invoice', [late, 'action_post'])).toContain('closed');
  // What was paid in the closed month is taken back today.
  await clerk.rpc('bank.entry', 'call', [entry?.id, 'action_reopen']);
  const [open] = await clerk.rpc<Record<string, unknown>[]>('invoice.invoice', 'read', [[invoice], ['payment_state']]);
  expect(open).toMatchObject({ payment_state: 'overdue' });
  expect(await refusalOf(clerk, 'bank.entry', [entry?.id, 'action_confirm', {}])).toContain('closed');
  expect(await clerk.outcome('crm.lead', 'read', [[lead], ['name']])).toMatch(/^403/);
  expect(await seller.outcome('invoice.invoice', 'call', [invoice, 'action_credit', {}])).toMatch(/^403/);
}, 120_000);

it('BNK-23 uploads and the screen are for people who invoice, and what they send is checked', async () => {
  const clerk = await keyOf('Karl Clerk', ['invoice.group_user']);
  const seller = await keyOf('Sven Seller', ['sale.group_all']);
  const file = bankFile({ currency: 'USD', text: '=1+1', amount: '7.77' });
  const stranger = new Browser(world.url);
  expect((await sendTo(stranger, file)).status).toBe(401);
  expect((await sendTo(seller, file, { create_account: '1' })).status).toBe(403);
  expect(await uploadTo(clerk, file, { create_account: '1' })).toMatchObject({ taken: { entries: 1 } });
  for (const [given, status] of [
    [await sendTo(clerk, null), 422],
    [await sendTo(clerk, file, { account: '1 or 1' }), 400],
    [await sendTo(clerk, file, { mapping: '{"columns":' }), 400],
    [await sendTo(clerk, `<!DOCTYPE a [<!ENTITY b "c">]>${file}`), 422],
    [await sendTo(clerk, '%PDF-1.7'), 422],
    [await clerk.json('/api/bank/upload', { file }), 400],
    [await clerk.json('/api/bank/confirm-certain', { ids: ['1'] }), 400],
    [await clerk.json('/api/bank/confirm-certain', { ids: [2_000_000_000] }), 403],
  ] as const) {
    expect([400, 403, 404, 415, 422], `${given.url} ${status}`).toContain(given.status);
  }
  const person = await world.user('Wanda Work', ['invoice.group_user']);
  const work = await (await person.browser.get('/web/wc/bank/work?state=open')).json();
  expect(work).toMatchObject({ entries: expect.arrayContaining([expect.objectContaining({ text: '=1+1' })]) });
  const other = await world.user('Nina Nobody', ['sale.group_all']);
  for (const path of ['/web/wc/bank/work', '/web/wc/bank/invoices?entry=1']) {
    expect((await other.browser.get(path)).status).toBe(403);
  }
  expect((await person.browser.get('/web/wc/bank/work?state=constructor')).status).toBe(400);
}, 120_000);
