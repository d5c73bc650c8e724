import { renewTaxes } from '@addons/invoice';
import { addMessage } from '@addons/mail';
import { addDays, addMonths, dateIn, type Env, inSavepoint, type Loaded, toHtml, UserError } from '@kontor/addon';

/** In months. */
export const intervals = { month: 1, quarter: 3, year: 12 } as const;

const paths = [
  ...(['name', 'every', 'posts', 'made', 'date_start', 'next_date', 'active', 'company_id.tz'] as const),
  ...(['template_id.id', 'template_id.payment_days', 'template_id.client_reference'] as const),
] as const;
type Plan = Loaded<'recurring.plan', (typeof paths)[number]>;

/** After a long pause, that many at most are made at once; the rest follow with the next run. */
const mostAtOnce = 24;

/** The invoices that are due, also those of days that were missed. */
export async function makeInvoices(env: Env, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    for (let count = 0; count < mostAtOnce; count++) {
      const [plan] = await env.model('recurring.plan').load([id], [...paths]);
      const date = plan?.active ? plan.next_date : null;
      if (!plan || date === null || date > dateIn(plan.company_id?.tz ?? 'UTC', env.now)) break;
      await makeInvoice(env, plan, date);
    }
  }
}

/** Counting first locks the plan, and a second invoice for the same day is refused by the database. */
async function makeInvoice(env: Env, plan: Plan, date: string): Promise<void> {
  await env
    .sudo()
    .model('recurring.plan')
    .write([plan.id], { made: plan.made + 1 });
  const next = addMonths(plan.date_start, intervals[plan.every] * (plan.made + 1));
  const id = await env
    .sudo()
    .model('invoice.invoice')
    .copy(plan.template_id.id, {
      ...{ invoice_date: date, delivery_date: date, delivery_end: addDays(next, -1) },
      ...{ recurring_id: plan.id, recurring_date: date, client_reference: plan.template_id.client_reference },
      payment_days: plan.template_id.payment_days,
    });
  await renewTaxes(env.sudo(), id);
  if (!plan.posts) return;
  try {
    await inSavepoint(env, () => env.sudo().model('invoice.invoice').call([id], 'post'));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // It stays a draft, and the plan says why.
    const thread = { model: 'recurring.plan', id: plan.id, name: plan.name, companyId: plan.company_id?.id ?? null };
    await addMessage(env, thread, 'system', `<p>${toHtml(`${date}: ${error.message}`)}</p>`);
  }
}
