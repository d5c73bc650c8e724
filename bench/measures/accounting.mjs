import { median } from '../report/median.mjs';
import { fillProducts } from '../world/fill-apps.mjs';
import { callAs } from '../world/first-run.mjs';

const invoices = 1_000;
const reported = 100_000;

/** Invoices posted in one call, and the tax report over the postings of many, beside the same sums in SQL. */
export async function measureAccounting(world, { repetitions }) {
  return [await measurePosting(world, repetitions), await measureTaxReport(world, repetitions)];
}

/** Each round has its own drafts of two lines; making them is not measured. */
async function measurePosting({ server, headers, ranges, client, people }, repetitions) {
  await fillProducts(client, people);
  const { rows: found } = await client.query('select min(id) as first from product_product');
  const call = (method, ...args) => callAs(server.url, headers, { model: 'invoice.invoice', method, args });
  const took = [];
  // The first round is for the engine to compile.
  for (let round = 0; round <= repetitions; round++) {
    const line = (n) => ['create', { product_id: found[0].first + (n % 100), quantity: 2 }];
    const rows = Array.from({ length: invoices }, (_, n) => ({
      partner_id: ranges.partner[0] + n,
      line_ids: [line(n), line(n + 1)],
    }));
    const ids = await call('create_many', rows);
    const startedAt = performance.now();
    await call('call', ids, 'action_post');
    if (round > 0) took.push(performance.now() - startedAt);
  }
  const ms = median(took);
  return {
    measure: `posting ${invoices} invoices, with their entries`,
    ours: `${Math.round((invoices / ms) * 1_000)} invoices/s`,
    goal: null,
  };
}

async function measureTaxReport({ server, headers, client, people }, repetitions) {
  await client.query(insertPostings, [reported, people.companyId]);
  await client.query('vacuum analyze accounting_posting');
  const query = {
    domain: [['tax_kind', '!=', null]],
    groupby: ['tax_kind', 'tax_id', 'period_id'],
    fields: [
      { name: 'net', field: 'tax_base', measure: 'sum' },
      { name: 'tax', field: 'tax_amount', measure: 'sum' },
    ],
  };
  const time = async (work) => {
    const took = [];
    for (let round = 0; round <= repetitions; round++) {
      const startedAt = performance.now();
      await work();
      if (round > 0) took.push(performance.now() - startedAt);
    }
    return median(took);
  };
  const ours = await time(() =>
    callAs(server.url, headers, { model: 'accounting.posting', method: 'read_group', args: [query] }),
  );
  const limit = await time(() => client.query(bareReport, [people.companyId]));
  return {
    measure: `tax report over ${reported} invoices`,
    ours: `${Math.round(ours)} ms`,
    limit: `${Math.round(limit)} ms`,
    ratio: limit / ours,
    goal: 0.8,
  };
}

/** One entry for each invoice, of a posting of revenue and one of tax, over the months of a year. */
const insertPostings = `
  with period as (
    select id, date_from, row_number() over (order by date_from) - 1 as n from accounting_period
    where company_id = $2::int4 order by date_from limit 12
  ), entry as (
    insert into accounting_entry (name, kind, date, period_id, partner_id, amount, company_id, company_currency_id, create_date, write_date)
    select 'Entry ' || n, 'difference', period.date_from, period.id, (select min(id) from core_partner), 119, c.id, c.currency_id, now(), now()
    from generate_series(1, $1::int4) n join period on period.n = n % 12, core_company c where c.id = $2::int4
    returning id, date, period_id, partner_id, company_id, company_currency_id
  )
  insert into accounting_posting (entry_id, debit_account_id, credit_account_id, amount, document_amount, currency_id, tax_id, tax_kind,
    tax_base, tax_amount, date, period_id, partner_id, company_id, company_currency_id, create_date, write_date)
  select entry.id, receivable.id, other.id, part.amount, part.amount, entry.company_currency_id, tax.id, 'taxed', part.base, part.tax,
    entry.date, entry.period_id, entry.partner_id, entry.company_id, entry.company_currency_id, now(), now()
  from entry
    join (values ('revenue', 100, 100, 0), ('tax', 19, 0, 19)) part (kind, amount, base, tax) on true
    join lateral (select min(id) as id from accounting_account where kind = 'receivable' and company_id = entry.company_id) receivable on true
    join lateral (select min(id) as id from accounting_account where kind = part.kind and company_id = entry.company_id) other on true
    join lateral (select min(id) as id from sale_tax where company_id = entry.company_id) tax on true`;

const bareReport = `
  select tax_kind, tax_id, period_id, sum(tax_base), sum(tax_amount), count(*) from accounting_posting
  where company_id = $1::int4 and tax_kind is not null group by tax_kind, tax_id, period_id order by 1, 2, 3`;
