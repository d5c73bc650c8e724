import { createApiKey } from '@kontor/parts';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Browser, type Envelope } from './browser.ts';
import { optionsIn, png, versionIn } from './portal-world.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const waiting = { timeout: 120_000, interval: 20 };
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

/** Drafts an invoice of an order, in a month that can be closed, posts and mails it. */
async function billOf(clerk: Browser, order: number, answers: object): Promise<number> {
  await clerk.rpc('sale.order', 'call', [order, 'action_create_invoices', answers]);
  const [draft] = await clerk.rpc<{ id: number }[]>('invoice.invoice', 'search', [[['state', '=', 'draft']]]);
  const id = draft?.id as number;
  await clerk.rpc('invoice.invoice', 'write', [[id], { invoice_date: '2026-01-05', due_date: '2026-01-19' }]);
  await clerk.rpc('invoice.invoice', 'call', [id, 'action_post']);
  await clerk.rpc('invoice.invoice', 'call', [id, 'action_send']);
  return id;
}

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
  await seller.rpc('sale.order.line', 'create', [{ order_id: order, line_type: 'section', name: 'Furniture' }]);
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

  const down = await billOf(clerk, order, { method: 'percent', share: '25' });
  const invoice = await billOf(clerk, order, { method: 'ordered' });
  const numbers = await clerk.rpc<{ name: string; amount_total: number; 'currency_id.name': string }[]>(
    'invoice.invoice',
    'read',
    [
      [down, invoice],
      ['name', 'amount_total', 'currency_id.name'],
    ],
  );
  expect(numbers.map(({ amount_total: total }) => total)).toEqual([100, 300]);
  const bill = await linkIn(`Invoice ${numbers[1]?.name}`);
  expect(mails.accepted.findLast((mail) => mail.includes(`Invoice ${numbers[1]?.name}`))).toContain(
    `filename=${numbers[1]?.name}.pdf`,
  );
  expect(await (await customer.get(bill)).text()).toMatch(/class="card pay"[\s\S]*300\.00/);

  await clerk.rpc('invoice.invoice', 'call', [invoice, 'action_send_reminders']);
  expect(await linkIn(`Reminder: invoice ${numbers[1]?.name}`)).toMatch(/^\/portal/);
  const files = numbers.map(({ name, amount_total: total, 'currency_id.name': currency }) =>
    bankFile({ currency, text: `Thanks, ${name}`, amount: total.toFixed(2) }),
  );
  expect(await uploadTo(clerk, files[0] ?? '')).toMatchObject({ needs: 'account' });
  for (const file of files)
    expect(await uploadTo(clerk, file, { create_account: '1' })).toMatchObject({ taken: { entries: 1 } });
  const entries = await clerk.rpc<{ id: number }[]>('bank.entry', 'search', [[['state', '=', 'open']]]);
  const ids = entries.map(({ id }) => id);
  const settled = (await (await clerk.json('/api/bank/confirm-certain', { ids })).json()) as Envelope;
  expect(settled.result).toEqual({ confirmed: expect.arrayContaining(ids), problems: [] });
  const paid = await clerk.rpc<unknown[]>('invoice.invoice', 'read', [[down, invoice], ['payment_state']]);
  expect(paid).toMatchObject([{ payment_state: 'paid' }, { payment_state: 'paid' }]);
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
  const [entry] = await clerk.rpc<{ id: number }[]>('bank.entry', 'search', [[['amount', '=', '300']]]);
  await clerk.rpc('bank.entry', 'call', [entry?.id, 'action_reopen']);
  const [open] = await clerk.rpc<Record<string, unknown>[]>('invoice.invoice', 'read', [[invoice], ['payment_state']]);
  expect(open).toMatchObject({ payment_state: 'overdue' });
  expect(await refusalOf(clerk, 'bank.entry', [entry?.id, 'action_confirm', {}])).toContain('closed');
  expect(await clerk.outcome('crm.lead', 'read', [[lead], ['name']])).toMatch(/^403/);
  expect(await seller.outcome('invoice.invoice', 'call', [invoice, 'action_credit', {}])).toMatch(/^403/);
}, 120_000);

it('INV-67 an accountant reaches the books, invoices and what was sent from the menu, and changes no invoice', async () => {
  const { browser } = await world.user('Alma Adviser', ['accounting.group_user']);
  const screen = await browser.get('/web?action=accounting.periods', { accept: 'application/json' });
  const { result } = (await screen.json()) as {
    readonly result: { readonly sidebarMenus: readonly { readonly items: readonly { readonly name: string }[] }[] };
  };
  const menus = result.sidebarMenus.flatMap(({ items }) => items.map(({ name }) => name));
  expect(menus).toEqual(expect.arrayContaining(['Invoices', 'Payments', 'Journal entries', 'Tax report', 'Periods']));
  for (const hidden of ['Orders to invoice', 'Bank', 'Reminders', 'Time to invoice']) {
    expect(menus).not.toContain(hidden);
  }
  const [document] = await browser.rpc<{ id: number }[]>('invoice.document', 'search', [[['kind', '=', 'invoice']]]);
  const shown = await browser.get(`/web/invoice/document/${document?.id}.pdf`);
  expect(shown.headers.get('content-type')).toBe('application/pdf');
  const [invoice] = await browser.rpc<{ id: number }[]>('invoice.invoice', 'search', [[['state', '=', 'posted']]]);
  for (const method of ['action_credit', 'action_send', 'action_register_payment', 'action_send_reminders']) {
    expect(await browser.outcome('invoice.invoice', 'call', [invoice?.id, method, {}]), method).toMatch(/^403/);
  }
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
