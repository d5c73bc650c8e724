import { type ActionCall, Decimal, fields, open, text, UserError } from '@kontor/addon';

const asks = { reason: fields.text({ label: 'Reason', required: true }) };
type Call = ActionCall<'invoice.invoice', typeof asks>;

/** Drafts a credit note over what is left of an invoice; lines that stay right are removed before it is posted. */
export const creditInvoice = {
  label: 'Credit note',
  icon: 'undo-2',
  single: 'Choose one invoice.',
  asks,
  run: draftCreditNote,
} as const;

async function draftCreditNote({ env, records, answers }: Call) {
  const invoice = await records.only(
    'name',
    'type',
    'state',
    'user_id.id',
    'note',
    'client_reference',
    'line_ids.id',
    'credit_note_ids.state',
    'credit_note_ids.line_ids.quantity',
    'credit_note_ids.line_ids.reversed_line_id.id',
  );
  if (invoice.type !== 'invoice' || invoice.state !== 'posted') {
    throw new UserError('Only a posted invoice is corrected by a credit note.');
  }
  const credited = new Map<number, Decimal>();
  const notes = invoice.credit_note_ids.filter(({ state }) => state !== 'cancel');
  for (const { quantity, reversed_line_id: line } of notes.flatMap((note) => note.line_ids)) {
    if (line) credited.set(line.id, (credited.get(line.id) ?? new Decimal(0)).plus(quantity));
  }
  const id = await env.model('invoice.invoice').copy(invoice.id, {
    type: 'credit',
    reversed_id: invoice.id,
    reason: answers.reason,
    client_reference: invoice.client_reference,
    line_ids: [],
  });
  const lines = await env.model('invoice.line').load(
    invoice.line_ids.map((line) => line.id),
    [...copied, 'product_id.id', 'uom_id.id', 'tax_ids.id', 'order_id.id', 'order_line_id.id', 'is_down_payment'],
  );
  const left = lines.flatMap(({ order_id: order, order_line_id: orderLine, is_down_payment: isDown, ...line }) => {
    const quantity = line.quantity.minus(credited.get(line.id) ?? new Decimal(0));
    const links = { order_id: order?.id ?? null, order_line_id: orderLine?.id ?? null, is_down_payment: isDown };
    return quantity.eq(0) ? [] : [{ ...lineOf(line), ...links, quantity, invoice_id: id, reversed_line_id: line.id }];
  });
  if (left.every(({ line_type: kind }) => kind !== 'product')) {
    throw new UserError(text('{name} has been credited already.', { name: invoice.name ?? '' }));
  }
  await env.model('invoice.line').createMany(left);
  return open('invoice.invoice', { view: 'form', id });
}

const copied = ['sequence', 'line_type', 'name', 'quantity', 'price_unit', 'discount'] as const;

interface Line {
  readonly id: number;
  readonly sequence: number;
  readonly line_type: 'product' | 'section' | 'note';
  readonly name: string;
  readonly quantity: Decimal;
  readonly price_unit: Decimal;
  readonly discount: Decimal;
  readonly product_id: { readonly id: number } | null;
  readonly uom_id: { readonly id: number } | null;
  readonly tax_ids: readonly { readonly id: number }[];
}

/** The values of a line, for another one that says the same. */
export function lineOf({ id: _, product_id: product, uom_id: unit, tax_ids: taxes, ...line }: Line) {
  return {
    ...line,
    product_id: product?.id ?? null,
    uom_id: unit?.id ?? null,
    tax_ids: [['set', taxes.map((tax) => tax.id)]] as const,
  };
}
