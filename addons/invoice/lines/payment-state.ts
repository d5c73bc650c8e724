import { type Draft, daysBetween } from '@kontor/addon';

export const paymentStates = {
  none: 'Not posted',
  open: 'Open',
  partly: 'Partly paid',
  overdue: 'Overdue',
  paid: 'Paid',
} as const;

/** How long an amount has been due. */
export const ages = {
  none: 'Settled',
  current: 'Not due',
  d30: '1 to 30 days',
  d60: '31 to 60 days',
  d90: '61 to 90 days',
  older: 'Over 90 days',
} as const;

export const owedPaths = ['type', 'state', 'amount_total', 'amount_residual', 'due_date'] as const;
type Owed = Draft<'invoice.invoice', (typeof owedPaths)[number]>;

export function paymentState(invoice: Owed, today: string): keyof typeof paymentStates {
  if (invoice.state !== 'posted') return 'none';
  if (invoice.amount_residual.lte(0)) return 'paid';
  const isLate = invoice.type === 'invoice' && invoice.due_date !== null && invoice.due_date < today;
  if (isLate) return 'overdue';
  return invoice.amount_residual.lt(invoice.amount_total) ? 'partly' : 'open';
}

export function ageOf(invoice: Owed, today: string): keyof typeof ages {
  if (invoice.state !== 'posted' || invoice.amount_residual.lte(0)) return 'none';
  const days = invoice.due_date === null ? 0 : daysBetween(invoice.due_date, today);
  if (days <= 0) return 'current';
  if (days <= 30) return 'd30';
  if (days <= 60) return 'd60';
  return days <= 90 ? 'd90' : 'older';
}
