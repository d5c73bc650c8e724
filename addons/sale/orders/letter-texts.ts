import { defineText, type Env, type Loaded } from '@kontor/addon';

export const letterPaths = [
  'name',
  'state',
  'amount_total',
  'validity_date',
  'currency_id.symbol',
  'currency_id.decimal_places',
  'partner_id.name',
  'partner_id.email',
  'partner_id.lang',
  'user_id.name',
  'user_id.email',
  'user_id.signature',
  'company_id.id',
  'company_id.name',
] as const;
export type LetterOrder = Loaded<'sale.order', (typeof letterPaths)[number]>;

/** What the letters about orders and invoices can say. */
export const letterPlaceholders = {
  customer: { label: 'Customer', sample: 'Gemini Furniture' },
  amount: { label: 'Total', type: 'amount', sample: '1249.90' },
  sender: { label: 'Company', sample: 'Nordlicht' },
  signature: { label: 'Signature of the salesperson', sample: 'Aiko Tanaka\nNordlicht', optional: true },
} as const;
const { customer, ...others } = letterPlaceholders;
const placeholders = {
  customer,
  number: { label: 'Number', sample: 'S00042', needed: true },
  ...others,
} as const;

/** The values of a letter about an order, for any of its texts. */
export function letterValues(order: LetterOrder) {
  return { ...commonValues(order), number: order.name, until: order.validity_date };
}

interface Sent extends Pick<LetterOrder, 'amount_total' | 'currency_id'> {
  readonly partner_id: { readonly name: string };
  readonly company_id: { readonly name: string };
  readonly user_id: { readonly name: string; readonly signature: string | null } | null;
}

/** The values of `letterPlaceholders`. */
export function commonValues({ partner_id: customer, user_id: user, company_id: company, ...sent }: Sent) {
  return {
    customer: customer.name,
    amount: { amount: sent.amount_total, currency: sent.currency_id },
    sender: company.name,
    signature: user?.signature?.trim() || [user?.name, company.name].filter(Boolean).join('\n'),
  };
}

async function load(env: Env, id: number) {
  return letterValues(await loadLetter(env, id));
}

/** What a letter says of an order, with the rights of the user who writes it. */
export async function loadLetter(env: Env, id: number): Promise<LetterOrder> {
  const [order] = await env.model('sale.order').load([id], [...letterPaths]);
  if (order === undefined) throw new Error(`Order ${id} was not loaded.`);
  return order;
}

const until = { label: 'Valid until', type: 'date', sample: '2026-12-31', optional: true } as const;
const questions = 'If you have any questions, just reply to this e-mail.';

export const quotationMail = defineText('sale.quotation_mail', {
  label: 'Quotation by e-mail',
  subject: 'Quotation {number} from {sender}',
  body: [
    'Dear {customer},',
    'please find attached our quotation {number} for {amount}.\nIt is valid until {until}.',
    questions,
    '{signature}',
  ],
  button: 'View online',
  values: { ...placeholders, until },
  model: 'sale.order',
  load,
});

export const confirmationMail = defineText('sale.confirmation_mail', {
  label: 'Order confirmation by e-mail',
  subject: 'Order confirmation {number} from {sender}',
  body: [
    'Dear {customer},',
    'please find attached the confirmation of your order {number} for {amount}.',
    questions,
    '{signature}',
  ],
  button: 'View online',
  values: { ...placeholders, until },
  model: 'sale.order',
  load,
});

/** Empty until somebody writes one. */
export const quotationPrint = defineText('sale.quotation_print', {
  label: 'Standard text on quotations',
  body: [],
  values: { ...placeholders, number: { label: 'Number', sample: 'S00042' }, until },
  model: 'sale.order',
  load,
});

const title = { values: { ...placeholders, until }, model: 'sale.order', load } as const;

export const quotationTitle = defineText('sale.quotation_title', {
  label: 'Title of quotations',
  body: ['Quotation {number}'],
  ...title,
});

export const orderTitle = defineText('sale.order_title', {
  label: 'Title of order confirmations',
  body: ['Order confirmation {number}'],
  ...title,
});

/** Below the customer's signature. */
export const acceptedPrint = defineText('sale.accepted_print', {
  label: 'Acceptance on quotations',
  body: ['Accepted by {name} on {date}'],
  values: {
    name: { label: 'Who accepted', sample: 'Ingrid Solberg', needed: true },
    date: { label: 'Date of the acceptance', type: 'date', sample: '2026-10-25', needed: true },
  },
});

export const letterTexts = [
  ...[quotationMail, confirmationMail, quotationPrint],
  ...[quotationTitle, orderTitle, acceptedPrint],
];
