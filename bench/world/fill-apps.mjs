const leads = 10_000;
const products = 200;

/** What the shipped apps need: products to sell, leads of the user and a quotation to confirm; answers the ranges of their ids. */
export async function fillApps(client, people, { partner }) {
  await fillProducts(client, people);
  await client.query(insertLeads, [leads, people.companyId, people.userId]);
  await client.query('vacuum analyze product_product, crm_lead');
  const { rows } = await client.query(
    `select (select array[min(id), max(id)] from crm_lead) as lead, (select array[min(id), max(id)] from product_product) as product,
      (select array[min(id), min(id)] from crm_stage where sequence > (select min(sequence) from crm_stage)) as stage`,
  );
  return {
    ...rows[0],
    ...(await freshLeads({ client })),
    ...(await freshDrafts({ client, people, ranges: { partner } }, 10)),
  };
}

export async function fillProducts(client, people) {
  await client.query(insertProducts, [products, people.companyId]);
}

/** Puts all leads back into the first stage; they are moved in the order of their ids. */
export async function freshLeads({ client }) {
  await client.query('update crm_lead set stage_id = (select min(id) from crm_stage), probability = 10');
  await client.query('vacuum crm_lead');
  const { rows } = await client.query('select min(id) as next from crm_lead');
  return { moved: rows[0] };
}

/** Quotations of five lines instead of those of the last time; they are confirmed in the order of their ids. */
export async function freshDrafts({ client, people, ranges }, count) {
  await client.query("delete from sale_order where name like 'Draft %'");
  await client.query('vacuum analyze sale_order, sale_order_line');
  const { rows } = await client.query(insertDrafts, [count, people.companyId, people.userId, ...ranges.partner]);
  await client.query(insertLines);
  return { draft: { next: Math.min(...rows.map(({ id }) => id)) } };
}

const insertProducts = `
  insert into product_product (name, type, can_be_sold, uom_id, list_price, cost, currency_id, active, create_date, write_date)
  select 'Product ' || n, 'goods', true, (select min(id) from product_uom), n, n::numeric / 2,
    (select currency_id from core_company where id = $2::int4), true, now(), now()
  from generate_series(1, $1::int4) n`;

const insertLeads = `
  insert into crm_lead (name, type, state, stage_id, sequence, priority, color, company_id, user_id, expected_revenue, probability, date_open,
    active, create_date, write_date)
  select 'Lead ' || n, 'lead', 'open', (select min(id) from crm_stage), 10, '0', 0, $2::int4, $3::int4, n, 10, now(), true, now(), now()
  from generate_series(1, $1::int4) n`;

const insertDrafts = `
  insert into sale_order (name, state, stage_id, partner_id, date_order, validity_date, user_id, currency_id, line_count, amount_untaxed,
    amount_tax, amount_total, margin, margin_percent, company_id, company_currency_id, turnover, margin_in_company, confirmed_total,
    create_date, create_uid, write_date, write_uid)
  select 'Draft ' || n, 'draft', (select min(id) from sale_stage where state = 'draft'), $4::int4 + n % ($5::int4 - $4::int4), now(),
    current_date + 30, $3::int4, c.currency_id, 5, 50, 9.5, 59.5, 25, 50, c.id, c.currency_id, 50, 25, 0, now(), $3::int4, now(), $3::int4
  from generate_series(1, $1::int4) n, core_company c where c.id = $2::int4 order by n
  returning id`;

const insertLines = `
  insert into sale_order_line (order_id, sequence, line_type, product_id, name, quantity, uom_id, price_unit, discount, unit_cost,
    price_subtotal, price_tax, price_total, margin, currency_id, company_currency_id, turnover, margin_in_company, company_id,
    partner_id, user_id, state, date_order, create_date, create_uid, write_date, write_uid)
  select o.id, 10 * k, 'product', p.id, p.name, 1, p.uom_id, 10, 0, 5, 10, 1.9, 11.9, 5, o.currency_id, o.currency_id, 10, 5, o.company_id,
    o.partner_id, o.user_id, o.state, o.date_order, now(), o.user_id, now(), o.user_id
  from sale_order o, generate_series(1, 5) k
    join product_product p on p.id = (select min(id) from product_product) + k - 1
  where o.name like 'Draft %'`;
