import type { Env } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';

type Actor = TestKernel['admin'];

export interface Books extends TestKernel {
  run<T>(work: (env: Env) => Promise<T>, actor?: Actor): Promise<T>;
  readonly clerk: Actor;
  readonly accountant: Actor;
  readonly manager: Actor;
  readonly ids: Readonly<Record<'customer' | 'vat' | 'reduced' | 'dollar' | 'company', number>>;
}

/** A German company with two taxes, somebody who invoices, an accountant and their manager. */
export async function openBooks(): Promise<Books> {
  const world = await createTestKernel({ modules: ['accounting'] });
  const run: Books['run'] = (work, actor) => world.work((env) => work(typedEnv(env)), actor ?? world.admin);
  const ids = await run(async (env) => {
    const [germany = 0] = await env.model('core.country').search([['code', '=', 'DE']]);
    const [euro = 0] = await env.model('core.currency').search([['name', '=', 'EUR']]);
    const [dollar = 0] = await env.model('core.currency').search([['name', '=', 'USD']]);
    await env.model('core.currency').write([euro], { rate: '1' });
    await env.model('core.currency').write([dollar], { rate: '1.10' });
    const company = await env.ref('base.main_company');
    await env.model('core.company').write([company], { country_id: germany, currency_id: euro });
    const vat = await env.model('sale.tax').create({ name: 'MwSt. 19 %', percent: 19 });
    const reduced = await env.model('sale.tax').create({ name: 'MwSt. 7 %', percent: 7 });
    const customer = await env.model('core.partner').create({ name: 'Hôtel du Lac SARL' });
    return { customer, vat, reduced, dollar, company };
  });
  return {
    ...world,
    run,
    ids,
    clerk: await world.person('Clara Clerk', ['invoice.group_user']),
    accountant: await world.person('Anna Accountant', ['accounting.group_user']),
    manager: await world.person('Mara Manager', ['accounting.group_manager']),
  };
}

type Line = readonly [price: string, taxes: readonly number[]];

export function draft(books: Books, lines: readonly Line[], values: object = {}): Promise<number> {
  const line_ids = lines.map(
    ([price_unit, taxes]) => ['create', { name: 'Work', price_unit, tax_ids: [['set', taxes]] }] as const,
  );
  return books.run(
    (env) => env.model('invoice.invoice').create({ partner_id: books.ids.customer, line_ids, ...values } as never),
    books.clerk,
  );
}

export async function post(books: Books, lines: readonly Line[], values: object = {}): Promise<number> {
  const id = await draft(books, lines, values);
  await books.run((env) => env.model('invoice.invoice').call([id], 'post'), books.clerk);
  return id;
}

export async function pay(books: Books, invoice: number, values: object = {}): Promise<number> {
  await books.run(
    (env) =>
      env
        .model('invoice.invoice')
        .call([invoice], 'register_payment', { date: '2026-11-05', method: 'transfer', ...values } as never),
    books.clerk,
  );
  const [id = 0] = await books.run((env) => env.model('invoice.payment').search([], { order: '-id', limit: 1 }));
  return id;
}

/** Credits an invoice in full, and returns the posted credit note. */
export async function credit(env: Env, invoice: number): Promise<number> {
  const answer = await env.model('invoice.invoice').call([invoice], 'credit', { reason: 'Broken' });
  const note = Number(new URL((answer as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
  await env.model('invoice.invoice').call([note], 'post');
  return note;
}

/** Postings as `debit credit amount`, in the order of their entries. */
export function postings(books: Books, of: 'invoice_id' | 'payment_id', id: number): Promise<readonly string[]> {
  return books.run(async (env) => {
    const entries = await env.model('accounting.entry').search([[of, '=', id]], { order: 'id' });
    const rows = await env
      .model('accounting.posting')
      .searchRead([['entry_id', 'in', entries]], ['debit_account_id.code', 'credit_account_id.code', 'amount'], {
        order: 'id',
      });
    return rows.map(
      (row) => `${row['debit_account_id.code']} ${row['credit_account_id.code']} ${row.amount.toFixed(2)}`,
    );
  }, books.accountant);
}

export async function refusal(work: Promise<unknown>): Promise<{ code?: string; message: string; details?: unknown }> {
  try {
    await work;
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('It was allowed.');
}
