import type { Draft } from '@kontor/addon';
import { formatAmount, formatDate } from '../quotation/format.ts';
import { mailWordsFor } from './mail-words.ts';

/** What a letter to the customer is written from. */
export const letterPaths = [
  'name',
  'amount_total',
  'validity_date',
  'currency_id.symbol',
  'currency_id.decimal_places',
  'partner_id.name',
  'partner_id.email',
  'partner_id.lang',
  'user_id.name',
  'user_id.email',
  'company_id.name',
] as const;
type Order = Draft<'sale.order', (typeof letterPaths)[number]>;

export interface Letter {
  readonly recipient: string | null;
  readonly subject: string;
  readonly body: string;
}

/** The words that a quotation goes out with, unless somebody writes others. */
export function quotationLetter(order: Order): Letter {
  const { email = null, lang = null, name = '' } = order.partner_id ?? {};
  const words = mailWordsFor(lang);
  const told = {
    number: order.name ?? '',
    customer: name,
    amount: formatAmount(order.amount_total, order.currency_id, lang),
    until: formatDate(order.validity_date, lang),
    sender: order.company_id?.name ?? '',
  };
  const signature = [order.user_id?.name, order.company_id?.name].filter(Boolean).join('\n');
  return { recipient: email, subject: words.subject(told), body: `${words.body(told)}\n\n${signature}` };
}
