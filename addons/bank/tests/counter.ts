import type { Env } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { takeIn } from '../import/take-in.ts';
import { camt, iban, type Line, type Statement } from './files.ts';

type Actor = TestKernel['admin'];

export interface Counter extends TestKernel {
  run<T>(work: (env: Env) => Promise<T>, actor?: Actor): Promise<T>;
  readonly clerk: Actor;
  readonly manager: Actor;
  readonly seller: Actor;
  readonly ids: Readonly<Record<'ada' | 'bob' | 'account' | 'dollar' | 'euro' | 'company', number>>;
}

/** A company with an account in euros, two customers, and somebody who invoices. */
export async function openCounter(modules: readonly string[] = ['bank']): Promise<Counter> {
  const world = await createTestKernel({ modules: [...modules] });
  const run: Counter['run'] = (work, actor) => world.work((env) => work(typedEnv(env)), actor ?? world.admin);
  const ids = await run(async (env) => {
    const [euro = 0] = await env.model('core.currency').search([['name', '=', 'EUR']]);
    const [dollar = 0] = await env.model('core.currency').search([['name', '=', 'USD']]);
    await env.model('core.currency').write([euro], { rate: '1' });
    await env.model('core.currency').write([dollar], { rate: '1.10' });
    const company = await env.ref('base.main_company');
    await env.model('core.company').write([company], { currency_id: euro });
    const customer = (name: string) => env.model('core.partner').create({ name, is_company: true });
    const account = await env.model('bank.account').create({ name: 'Current', iban, currency_id: euro });
    return {
      ada: await customer('Ada Möbel GmbH'),
      bob: await customer('Bob & Sons Ltd'),
      account,
      dollar,
      euro,
      company,
    };
  });
  return {
    ...world,
    run,
    ids,
    clerk: await world.person('Clara Clerk', ['invoice.group_user']),
    manager: await world.person('Mara Manager', ['invoice.group_manager']),
    seller: await world.person('Selma Seller', ['sale.group_all']),
  };
}

/** A posted invoice over an amount; the number of it, too. */
export async function owed(
  counter: Counter,
  amount: string,
  values: object = {},
): Promise<{ id: number; name: string }> {
  const line_ids = [['create', { name: 'Work', price_unit: amount, tax_ids: [['set', []]] }]] as const;
  return counter.run(async (env) => {
    const invoices = env.model('invoice.invoice');
    const id = await invoices.create({ partner_id: counter.ids.ada, line_ids, ...values } as never);
    await invoices.call([id], 'post');
    const [row] = await invoices.read([id], ['name']);
    return { id, name: row?.name ?? '' };
  }, counter.clerk);
}

let statements = 0;

export function upload(counter: Counter, statement: Statement, actor = counter.clerk) {
  const content = Buffer.from(camt({ id: `S${++statements}`, ...statement }));
  const file = { content, fileName: 'bank.xml', accountId: null, mapping: null, createsAccount: false };
  return counter.run((env) => takeIn(env, file), actor);
}

/** The ids of entries that come with a statement of their own, in order. */
export async function entriesOf(counter: Counter, ...lines: Line[]): Promise<number[]> {
  const taken = await upload(counter, {
    entries: lines.map((line, at) => ({ bank: `T${statements}-${at}`, ...line })),
  });
  const ids = 'taken' in taken ? taken.statementIds : [];
  return counter.run((env) => env.model('bank.entry').search([['statement_id', 'in', [...ids]]], { order: 'id' }));
}

export async function due(counter: Counter, id: number): Promise<string> {
  const [row] = await counter.run((env) => env.model('invoice.invoice').read([id], ['amount_residual']));
  return row?.amount_residual.toFixed() ?? '';
}

export async function entry(counter: Counter, id: number) {
  const [row] = await counter.run((env) =>
    env.model('bank.entry').read([id], ['state', 'partner_id', 'reason', 'note', 'amount', 'payment_ids']),
  );
  if (!row) throw new Error('The entry is gone.');
  return row;
}

export async function refusal(work: Promise<unknown>): Promise<{ code?: string; message: string }> {
  try {
    await work;
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('It was allowed.');
}
