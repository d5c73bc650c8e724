import type { Env, WriteValues } from '@kontor/addon';
import type { OrderState } from '../models/order-states.ts';

type Order = WriteValues<'sale.order'>;

/** What a new order is not told it takes from its customer, its salesperson and its stage: three reads for all of them. */
export async function completeOrders(env: Env, orders: readonly Order[]): Promise<readonly Order[]> {
  const system = env.sudo();
  const partnerIds = [...new Set(orders.flatMap((order) => order.partner_id ?? []))];
  const partners = new Map(
    (await system.model('core.partner').read(partnerIds, ['pricelist_id', 'payment_days'])).map((row) => [row.id, row]),
  );
  const stages = await system.model('sale.stage').searchRead([], ['state'], { order: 'sequence, id' });
  const teamFor = await teamFinder(env, orders);
  const settingsOf = await companySettings(env, orders);
  return orders.map((order) => {
    const partner = partners.get(order.partner_id ?? 0);
    const state = order.state ?? stages.find((stage) => stage.id === order.stage_id)?.state ?? 'draft';
    return {
      pricelist_id: partner?.pricelist_id ?? null,
      payment_days: partner?.payment_days ?? null,
      team_id: teamFor(order),
      ...settingsOf(order),
      ...order,
      state,
      stage_id: order.stage_id ?? stages.find((stage) => stage.state === state)?.id ?? null,
      ...confirmedOn(env, order, state),
    };
  });
}

function confirmedOn(env: Env, order: Order, state: OrderState): Order {
  if (state !== 'sale' || order.date_confirmed) return {};
  return { date_confirmed: order.date_order ?? env.now.toISOString() };
}

type TeamFinder = (order: Order) => number | null;

/** The first team of an order's company that its salesperson is in. */
async function teamFinder(env: Env, orders: readonly Order[]): Promise<TeamFinder> {
  const userOf = (order: Order) => (order.user_id === undefined ? env.uid : order.user_id);
  const users = [...new Set(orders.flatMap((order) => (order.team_id === undefined ? (userOf(order) ?? []) : [])))];
  if (users.length === 0) return () => null;
  const teams = await env
    .sudo()
    .model('sale.team')
    .searchRead([['member_ids', 'in', users]], ['company_id', 'member_ids'], { order: 'sequence, id' });
  return (order) => {
    const company = order.company_id ?? env.actor.companyId;
    const members = (team: (typeof teams)[number]): readonly unknown[] => team.member_ids;
    return teams.find((team) => team.company_id === company && members(team).includes(userOf(order)))?.id ?? null;
  };
}

/** What a company says of its quotations: how long they hold, and on which terms. */
async function companySettings(env: Env, orders: readonly Order[]): Promise<(order: Order) => Order> {
  const companyOf = (order: Order) => order.company_id ?? env.actor.companyId;
  const ids = [...new Set(orders.flatMap((order) => companyOf(order) ?? []))];
  const rows = await env.sudo().model('core.company').read(ids, ['sale_validity_days', 'sale_note']);
  const companies = new Map(rows.map((row) => [row.id, row]));
  return (order) => {
    const company = companies.get(companyOf(order) ?? 0);
    if (company === undefined) return {};
    const date = order.date_order ?? env.now.toISOString();
    return { validity_date: validUntil(date, company.sale_validity_days), note: company.sale_note };
  };
}

/** The last day of a quotation; null when it holds until somebody says otherwise. */
export function validUntil(date: string | null, days: number): string | null {
  if (days === 0 || date === null) return null;
  const last = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  last.setUTCDate(last.getUTCDate() + days);
  return last.toISOString().slice(0, 10);
}
