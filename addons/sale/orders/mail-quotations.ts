import { composeMail, type Env, queueMail } from '@kontor/addon';
import { formatAmount } from '../quotation/format.ts';

/** Tells customers what they are offered, where mail is set up and their address is known. */
export async function mailQuotations(env: Env, ids: readonly number[]): Promise<void> {
  const orders = await env
    .sudo()
    .model('sale.order')
    .load(ids, [
      'name',
      'amount_total',
      'validity_date',
      'currency_id.symbol',
      'currency_id.decimal_places',
      'partner_id.name',
      'partner_id.email',
      'partner_id.lang',
      'user_id.name',
      'company_id.name',
      'line_ids.name',
      'line_ids.quantity',
      'line_ids.price_total',
    ]);
  for (const order of orders) {
    const { email, lang } = order.partner_id;
    if (!email) continue;
    const amount = (value: typeof order.amount_total) => formatAmount(value, order.currency_id, lang);
    const lines = order.line_ids.map(
      (line) => `${line.quantity.toFixed()} × ${line.name.split('\n', 1)[0]}: ${amount(line.price_total)}`,
    );
    const until = order.validity_date ? ` It is valid until ${order.validity_date}.` : '';
    await queueMail(
      env,
      composeMail({
        to: email,
        subject: `Quotation ${order.name}`,
        paragraphs: [
          `Dear ${order.partner_id.name},`,
          `here is our quotation ${order.name} over ${amount(order.amount_total)}.${until}`,
          lines.join('\n'),
          [order.user_id?.name, order.company_id.name].filter(Boolean).join('\n'),
        ],
      }),
    );
  }
}
