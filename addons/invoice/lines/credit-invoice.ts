import { type ActionCall, type Decimal, fields, open, text, UserError } from '@kontor/addon';

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
    if (line) credited.set(line.id, quantity.plus(credited.get(line.id) ?? 0));
  }
  const id = await env.model('invoice.invoice').copy(invoice.id, {
    type: 'credit',
    reversed_id: invoice.id,
    reason: answers.reason,
    client_reference: invoice.client_reference,
    line_ids: [],
  });
  const lines = await env.model('invoice.line').read(
    invoice.line_ids.map((line) => line.id),
    [...copiedPaths, 'order_id', 'order_line_id', 'is_down_payment'],
  );
  const left = lines.flatMap((line) => {
    const quantity = line.quantity.minus(credited.get(line.id) ?? 0);
    return quantity.eq(0) ? [] : [{ ...lineOf(line), quantity, invoice_id: id, reversed_line_id: line.id }];
  });
  if (left.every(({ line_type: kind }) => kind !== 'product')) {
    throw new UserError(text('{name} has been credited already.', { name: invoice.name ?? '' }));
  }
  await env.model('invoice.line').createMany(left);
  return open('invoice.invoice', { view: 'form', id });
}

/** What another line that says the same has of a line. */
export const copiedPaths = [
  ...(['sequence', 'line_type', 'name', 'quantity', 'price_unit', 'discount'] as const),
  ...(['product_id', 'uom_id', 'tax_ids'] as const),
] as const;

/** A line as values for another one. */
export function lineOf<Line extends { readonly id: number; readonly tax_ids: readonly number[] }>({
  id: _,
  tax_ids: taxes,
  ...line
}: Line) {
  return { ...line, tax_ids: [['set', taxes]] as const };
}
