import { freshDrafts, freshLeads } from '../world/fill-apps.mjs';

/**
 * What is asked of the shipped CRM and sales: models with stages, hooks, computes, lines and tracked fields. `bare` lists the statements
 * that the same work cannot do without, which a bare server sends in one transaction.
 */
export const appMeasures = [
  { name: 'lead', connections: 8, goal: 0.3, script: bareLead, bareGoal: 0.4, bare: leadWithRule },
  { name: 'order', connections: 8, bareGoal: 0.5, bare: newOrder },
  {
    name: 'confirm',
    connections: 8,
    bareGoal: 0.5,
    bare: confirmedOrder,
    maxCalls: 4_000,
    fresh: (world) => freshDrafts(world, 4_100),
  },
  { name: 'move', connections: 8, bareGoal: 0.5, bare: movedLead, maxCalls: 9_900, fresh: freshLeads },
];

function bareLead({ ranges, people }) {
  return {
    variables: { uid: people.userId },
    text: `\\set id random(${ranges.lead.join(', ')})
\\set n random(1, 1000000000)
update crm_lead set job_position = 'Buyer ' || :n::text, source = 'fair', write_date = now(), write_uid = :uid where id = :id;
`,
  };
}

function leadWithRule({ people }) {
  return {
    text: `update crm_lead set job_position = $1, source = $2, write_date = now(), write_uid = $3
      where id = any($4::int4[]) and company_id = $5 and (user_id = $3 or user_id is null) returning id`,
    values: [{ path: [1, 'job_position'] }, { path: [1, 'source'] }, people.userId, { path: [0] }, people.companyId],
  };
}

/** Its number; the order, with the customer's terms and its totals; five lines, priced by their products; their taxes. */
function newOrder({ people: { companyId, userId } }) {
  const products = { path: [0, 'line_ids'], each: [1, 'product_id'] };
  const quantities = { path: [0, 'line_ids'], each: [1, 'quantity'] };
  return [
    { text: "select 'S' || lpad(nextval('sys_sequence_1')::text, 5, '0') as name", values: [] },
    {
      text: `insert into sale_order (name, state, stage_id, partner_id, date_order, validity_date, user_id, pricelist_id, payment_days,
          currency_id, company_currency_id, company_id, note, line_count, amount_untaxed, amount_tax, amount_total, margin,
          margin_percent, turnover, margin_in_company, confirmed_total, create_date, create_uid, write_date, write_uid)
        select $1, 'draft', (select id from sale_stage where state = 'draft' order by sequence, id limit 1), p.id, now(),
          current_date + c.sale_validity_days, coalesce(p.user_id, $2::int4), p.pricelist_id, p.payment_days, c.currency_id,
          c.currency_id, c.id, c.sale_note, s.lines, s.untaxed, s.untaxed * t.percent / 100, s.untaxed * (1 + t.percent / 100),
          s.untaxed - s.cost, round((s.untaxed - s.cost) * 100 / s.untaxed, 2), s.untaxed, s.untaxed - s.cost, 0,
          now(), $2::int4, now(), $2::int4
        from core_partner p, core_company c join sale_tax t on t.id = c.sale_tax_id,
          (select count(*) as lines, sum(l.quantity * r.list_price) as untaxed, sum(l.quantity * r.cost) as cost
            from unnest($5::int4[], $6::numeric[]) l(product_id, quantity) join product_product r on r.id = l.product_id) s
        where p.id = $4::int4 and (p.company_id = c.id or p.company_id is null)
          and (p.is_private is not true or p.user_id = $2::int4) and c.id = $3::int4
        returning id`,
      values: [{ row: [0, 'name'] }, userId, companyId, { path: [0, 'partner_id'] }, products, quantities],
    },
    {
      text: `insert into sale_order_line (order_id, sequence, line_type, product_id, name, quantity, uom_id, price_unit, discount, unit_cost,
          price_subtotal, price_tax, price_total, margin, currency_id, company_currency_id, turnover, margin_in_company, company_id,
          partner_id, user_id, team_id, state, date_order, category_id, create_date, create_uid, write_date, write_uid)
        select o.id, 10, 'product', r.id, concat_ws(chr(10), r.name, r.description), l.quantity, r.uom_id, r.list_price, 0, r.cost,
          a.untaxed, a.untaxed * t.percent / 100, a.untaxed * (1 + t.percent / 100), a.untaxed - a.cost, o.currency_id, o.currency_id,
          a.untaxed, a.untaxed - a.cost, o.company_id, o.partner_id, o.user_id, o.team_id, o.state, o.date_order, r.category_id,
          now(), $2::int4, now(), $2::int4
        from sale_order o join core_company c on c.id = o.company_id join sale_tax t on t.id = c.sale_tax_id,
          unnest($3::int4[], $4::numeric[]) l(product_id, quantity) join product_product r on r.id = l.product_id,
          lateral (select l.quantity * r.list_price as untaxed, l.quantity * r.cost as cost) a
        where o.id = $1::int4 and r.can_be_sold and (r.company_id = o.company_id or r.company_id is null)
        returning id`,
      values: [{ row: [1, 'id'] }, userId, products, quantities],
    },
    {
      text: `insert into sale_order_line_tax_ids_rel (sale_order_line_id, sale_tax_id)
        select l.id, c.sale_tax_id from unnest($1::int4[]) l(id), core_company c where c.id = $2::int4`,
      values: [{ row: [2, 'id'], all: true }, companyId],
    },
  ];
}

/** The order by its rule, where it has lines; the state that its lines repeat; what followers read. */
function confirmedOrder({ people: { companyId, userId } }) {
  return [
    {
      text: `update sale_order set state = 'sale', date_confirmed = now(), confirmed_total = amount_total, write_date = now(),
          write_uid = $2::int4, stage_id = (select id from sale_stage where state = 'sale' order by sequence, id limit 1)
        where id = $1::int4 and state in ('draft', 'sent') and line_count > 0 and (company_id = $3::int4 or company_id is null)
          and (user_id = $2::int4 or user_id is null)
        returning id`,
      values: [{ path: [0] }, userId, companyId],
    },
    {
      text: "update sale_order_line set state = 'sale', write_date = now(), write_uid = $2::int4 where order_id = $1::int4",
      values: [{ path: [0] }, userId],
    },
    {
      text: `${insertMessage} values ('sale.order', $1::int4, 'tracking', $2::int4, $3::jsonb, now(), now(), $2, now(), $2) returning id`,
      values: [{ path: [0] }, userId, JSON.stringify([{ field: 'state', old: 'draft', new: 'sale' }])],
    },
  ];
}

/** The lead by its rule, with what it had; its stage and what follows from it; what followers read. */
function movedLead({ people: { companyId, userId } }) {
  return [
    {
      text: `select stage_id from crm_lead where id = $1::int4 and (company_id = $3::int4 or company_id is null)
        and (user_id = $2::int4 or user_id is null) for no key update`,
      values: [{ path: [0, 0] }, userId, companyId],
    },
    {
      text: `update crm_lead l set stage_id = s.id, probability = s.probability, weighted_revenue = l.expected_revenue * s.probability / 100,
          write_date = now(), write_uid = $3::int4
        from crm_stage s where l.id = $1::int4 and s.id = $2::int4 returning l.id`,
      values: [{ path: [0, 0] }, { path: [1, 'stage_id'] }, userId],
    },
    {
      text: `${insertMessage}
        select 'crm.lead', $1::int4, 'tracking', $2::int4, jsonb_build_array(jsonb_build_object('field', 'stage_id', 'old', $3::int4,
          'new', $4::int4, 'names', jsonb_object_agg(id, name))), now(), now(), $2, now(), $2
        from crm_stage where id in ($3, $4) returning id`,
      values: [{ path: [0, 0] }, userId, { row: [0, 'stage_id'] }, { path: [1, 'stage_id'] }],
    },
  ];
}

const insertMessage = `insert into mail_message (model, res_id, kind, author_id, tracking, date, create_date, create_uid, write_date,
  write_uid)`;
