import { type ActionCall, fields, open, sum, text, UserError } from '@kontor/addon';

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
  const invoice = await records.only('name', 'type', 'state', 'client_reference', 'line_ids.id');
  if (invoice.type !== 'invoice' || invoice.state !== 'posted') {
    throw new UserError('Only a posted invoice is corrected by a credit note.');
  }
  const ids = invoice.line_ids.map((line) => line.id);
  const stored = env.model('invoice.line');
  const lines = await stored.read(ids, [...copiedPaths, 'order_id', 'order_line_id', 'is_down_payment']);
  const credited = await stored.searchRead(
    [
      ['reversed_line_id', 'in', ids],
      ['state', '!=', 'cancel'],
    ],
    ['reversed_line_id', 'quantity'],
  );
  const left = lines.flatMap((line) => {
    const taken = credited.filter(({ reversed_line_id: of }) => of === line.id);
    const quantity = line.quantity.minus(sum(taken, (each) => each.quantity));
    return quantity.eq(0) ? [] : [{ ...lineOf(line), quantity, reversed_line_id: line.id }];
  });
  if (left.every(({ line_type: kind }) => kind !== 'product')) {
    throw new UserError(text('{name} has been credited already.', { name: invoice.name ?? '' }));
  }
  const { id: reversed_id, client_reference } = invoice;
  const id = await env.model('invoice.invoice').copy(reversed_id, {
    ...{ type: 'credit', reversed_id, reason: answers.reason, client_reference },
    line_ids: left.map((line) => ['create', line] as const),
  });
  return open('invoice.invoice', { view: 'form', id });
}

/** What another line that says the same has of a line. */
export const copiedPaths = [
  ...(['sequence', 'line_type', 'name', 'quantity', 'price_unit', 'discount'] as const),
  ...(['product_id', 'uom_id', 'tax_ids'] as const),
] as const;

interface Copied {
  readonly id: number;
  readonly tax_ids: readonly number[];
}
/** A line as values for another one. */
export function lineOf<Line extends Copied>({ id: _, tax_ids: taxes, ...line }: Line) {
  return { ...line, tax_ids: [['set', taxes]] as const };
}
