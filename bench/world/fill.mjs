/** Data W: partners, orders over two years in two companies, one of which the user may not see, and lines. */
export const sizeOfW = { partners: 5_000, orders: 100_000, ordered: 10_000 };

/** Adds up to these numbers; the first tenth of the new orders is the other company's. */
export async function fill(client, { companyId, otherCompanyId }, { partners, orders, ordered }) {
  const known = await countsOf(client);
  await client.query(insertPartners, [known.partners + 1, partners, companyId]);
  const { first } = await countsOf(client);
  const addOrders = () =>
    client.query(insertOrders, [known.orders + 1, orders, first, partners, companyId, otherCompanyId]);
  if (orders - known.orders > many) await withoutIndexes(client, 'bench_order', addOrders);
  else await addOrders();
  await client.query(insertLines, [known.orders, ordered]);
  for (const table of ['core_partner', 'bench_order', 'bench_line']) await client.query(`vacuum analyze ${table}`);
}

const many = 2_000_000;

/** Millions of rows come in sooner when their indexes and keys are made afterwards, for all of them at once. */
async function withoutIndexes(client, table, work) {
  const { rows: keys } = await client.query(
    `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
     where conrelid = $1::regclass and contype = 'f'`,
    [table],
  );
  const { rows: indexes } = await client.query(
    `select i.relname as name, pg_get_indexdef(x.indexrelid) as text
     from pg_index x join pg_class i on i.oid = x.indexrelid
     where x.indrelid = $1::regclass and not x.indisprimary and not x.indisunique`,
    [table],
  );
  for (const { name } of keys) await client.query(`alter table ${table} drop constraint "${name}"`);
  for (const { name } of indexes) await client.query(`drop index "${name}"`);
  await work();
  await client.query("set maintenance_work_mem = '512MB'");
  for (const { text } of indexes) await client.query(text);
  for (const { name, text } of keys) await client.query(`alter table ${table} add constraint "${name}" ${text}`);
}

/** Ids to draw from at random: orders that the user may see, and partners. */
export async function idRanges(client, { companyId }) {
  const { rows } = await client.query(
    `select (select array[min(id), max(id)] from bench_order where company_id = $1
        and id > (select coalesce(max(id), 0) from bench_order where company_id <> $1)) as orders,
      (select array[min(id), max(id)] from core_partner where name like 'Partner %') as partners`,
    [companyId],
  );
  return { id: rows[0].orders, partner: rows[0].partners };
}

async function countsOf(client) {
  const { rows } = await client.query(`
    select (select count(*)::int4 from bench_order) as orders, count(*)::int4 as partners, min(id) as first
    from core_partner where name like 'Partner %'`);
  return rows[0];
}

const insertPartners = `
  insert into core_partner (name, email, city, is_company, company_id, active, create_date, write_date)
  select 'Partner ' || n, 'partner' || n || '@example.com', 'City ' || n % 300, n % 3 = 0,
    case when n % 2 = 0 then $3::int4 end, true, now(), now()
  from generate_series($1::int4, $2::int4) n`;

/** Each day has orders in every state: were a state that of whole days, lists of one would skip days that grow with the number of orders. */
const insertOrders = `
  insert into bench_order (name, reference, partner_id, company_id, state, date_order, validity_date, confirmed_at,
    amount_untaxed, amount_total, is_urgent, note, create_date, write_date)
  select 'SO' || lpad(n::text, 8, '0'), 'REF-' || n % 9973, $3::int4 + n % $4::int4,
    case when n - $1 < ($2 - $1) * 0.1 then $6::int4 else $5::int4 end,
    (array['draft', 'sent', 'sale', 'sale', 'cancel'])[1 + n / 730 % 5],
    date '2024-01-01' + n % 730, date '2024-02-01' + n % 730,
    case when n % 3 = 0 then timestamptz '2024-01-01 08:00:00Z' + n % 730 * interval '1 day' end,
    (n % 50000)::numeric / 7, (n % 50000)::numeric / 6, n % 17 = 0, 'Deliver to gate ' || n % 40, now(), now()
  from generate_series($1::int4, $2::int4) n`;

const insertLines = `
  insert into bench_line (order_id, name, quantity, price, create_date, write_date)
  select o.id, 'Line ' || k, k, o.id % 100, now(), now()
  from (select id from bench_order order by id offset $1::int4 limit $2::int4) o, generate_series(1, 4) k`;
