import { Decimal, type Env } from '@kontor/addon';
import { sql } from '@kontor/database';
import { isLong, testSeed } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Books, credit, openBooks } from './books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

/** Mulberry32: the same documents for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const documents = isLong ? 10_000 : 100;
const dates = ['2025-01-15', '2025-06-30', '2025-12-31', '2026-02-28'];

async function makeDocuments(env: Env, below: (limit: number) => number, count: number): Promise<void> {
  const { customer, vat, reduced, dollar, company } = books.ids;
  const taxSets = [[], [vat], [reduced], [vat, reduced]];
  const [own] = await env.model('core.company').read([company], ['currency_id']);
  const currencies = [Number(own?.currency_id), Number(own?.currency_id), dollar];
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T;
  await env.model('core.currency').write([dollar], { rate: new Decimal(90 + below(40)).div(100) });
  const invoices = await env.model('invoice.invoice').createMany(
    Array.from({ length: count }, () => ({
      partner_id: customer,
      currency_id: pick(currencies),
      invoice_date: pick(dates),
      tax_treatment: pick(['normal', 'reverse', 'export', 'exempt'] as const),
    })).map((invoice) => ({
      ...invoice,
      line_ids: Array.from({ length: 1 + below(4) }, (_, at) => [
        'create',
        {
          name: 'Work',
          quantity: new Decimal(1 + below(9000)).div(1000),
          // A deduction makes a line negative, and the first one keeps the total positive.
          price_unit: new Decimal(at === 0 ? 900_000 : below(100_000) - 50_000).div(100),
          discount: below(30),
          tax_ids: [['set', invoice.tax_treatment === 'normal' ? pick(taxSets) : []]],
        },
      ]),
    })) as never,
  );
  const positive = await env.model('invoice.invoice').search([
    ['id', 'in', invoices],
    ['amount_total', '>', 0],
  ]);
  await env.model('invoice.invoice').write(positive, { state: 'posted' });
  for (const invoice of positive) {
    const choice = below(6);
    if (choice === 0) await credit(env, invoice);
    if (choice > 3) continue;
    const [{ amount_residual: due } = { amount_residual: new Decimal(0) }] = await env
      .model('invoice.invoice')
      .read([invoice], ['amount_residual']);
    if (!due.gt(0)) continue;
    const amount = choice === 1 ? due.div(3).round(2) : choice === 2 ? due.plus(5) : due;
    if (!amount.gt(0)) continue;
    await env
      .model('invoice.invoice')
      .call([invoice], 'register_payment', { amount, date: '2026-03-01', method: 'transfer' } as never);
    if (below(5) > 0) continue;
    const last = await env.model('invoice.payment').search([], { order: '-id', limit: 1 });
    await env.model('invoice.payment').call(last, 'undo');
  }
}

it(`BKS-3 debits equal credits, and the books agree with the documents, after ${documents} random documents`, async () => {
  const below = randomNumbers(testSeed);
  for (let posted = 0; posted < documents; ) {
    await books.run((env) => makeDocuments(env, below, 25));
    posted = await books.run(
      async (env) =>
        (await env.model('invoice.invoice').count([['state', '=', 'posted']])) +
        (await env.model('invoice.payment').count()),
    );
  }
  const [totals] = await books.work((env) =>
    env.db.query<Record<string, string>>(sql`
      with side as (
        select debit_account_id as account, amount as debit, 0 as credit from accounting_posting
        union all select credit_account_id, 0, amount from accounting_posting
      ), kinds as (
        select kind, sum(debit) as debit, sum(credit) as credit from side join accounting_account on id = account group by kind
      )
      select sum(debit) as debit, sum(credit) as credit,
        sum(debit - credit) filter (where kind = 'receivable') as receivable,
        sum(credit - debit) filter (where kind = 'tax') as tax,
        sum(credit - debit) filter (where kind = 'revenue') as revenue
      from kinds`),
  );
  expect(Number(totals?.debit)).toBeGreaterThan(0);
  expect(totals?.debit).toBe(totals?.credit);
  // The tax report is the same postings: it agrees with the accounts to the cent.
  const report = await books.run((env) =>
    env.model('accounting.posting').readGroup({
      domain: [['tax_kind', '!=', null]],
      groupby: ['tax_kind', 'tax_id'],
      fields: [
        { name: 'net', field: 'tax_base', measure: 'sum' },
        { name: 'tax', field: 'tax_amount', measure: 'sum' },
      ],
    }),
  );
  const taxes = report.reduce((sum, row) => sum.plus(row.tax as Decimal), new Decimal(0));
  expect(taxes.eq(totals?.tax ?? 0)).toBe(true);
  const [documentsSay] = await books.work((env) =>
    env.db.query<Record<string, string>>(sql`
      select sum(case when type = 'credit' then -amount_untaxed else amount_untaxed end)::text as revenue
      from invoice_invoice where state = 'posted' and currency_id = (select currency_id from core_company where id = ${books.ids.company})`),
  );
  const [booked] = await books.work((env) =>
    env.db.query<Record<string, string>>(sql`
      select sum(case when debit.kind = 'revenue' then -posting.amount else posting.amount end)::text as revenue
      from accounting_posting posting
      join accounting_account debit on debit.id = debit_account_id
      join accounting_account credit on credit.id = credit_account_id
      where (debit.kind = 'revenue' or credit.kind = 'revenue')
        and posting.currency_id = (select currency_id from core_company where id = ${books.ids.company})`),
  );
  expect(Number(booked?.revenue)).toBe(Number(documentsSay?.revenue));
  await settleEverything();
});

/** Once everything is paid, nothing is left on the receivables but what customers paid in advance. */
async function settleEverything(): Promise<void> {
  await books.run(async (env) => {
    const open = await env.model('invoice.invoice').search([
      ['payment_state', 'in', 'due'],
      ['type', '=', 'invoice'],
    ]);
    for (const id of open) {
      await env
        .model('invoice.invoice')
        .call([id], 'register_payment', { date: '2026-03-02', method: 'cash' } as never);
    }
    const notes = await env.model('invoice.invoice').search([
      ['payment_state', 'in', 'due'],
      ['type', '=', 'credit'],
    ]);
    for (const id of notes) {
      await env
        .model('invoice.invoice')
        .call([id], 'register_payment', { date: '2026-03-02', method: 'cash' } as never);
    }
  });
  const [left] = await books.work((env) =>
    env.db.query<Record<string, string>>(sql`
      select (select sum(case when debit.kind = 'receivable' then posting.amount else -posting.amount end)
        from accounting_posting posting join accounting_account debit on debit.id = debit_account_id
        join accounting_account credit on credit.id = credit_account_id
        where debit.kind = 'receivable' or credit.kind = 'receivable')::text as booked,
      (select -sum(entry.amount - coalesce(taken.booked, 0)) from invoice_payment payment
        join accounting_entry entry on entry.payment_id = payment.id and entry.kind = 'payment'
        left join lateral (select sum(coalesce(booked_source, payment_amount)) as booked from invoice_allocation
          where payment_id = payment.id and is_valid) taken on true
        where payment.state = 'posted' and payment.type = 'in')::text as advance`),
  );
  expect(Number(left?.booked)).toBe(Number(left?.advance));
}

it('BKS-3 the database refuses a posting without a second account', async () => {
  const broken = books.work((env) =>
    env.db.query(
      sql`update accounting_posting set credit_account_id = null where id = (select min(id) from accounting_posting)`,
    ),
  );
  await expect(broken).rejects.toThrow(/null value|credit_account_id|required/i);
});
