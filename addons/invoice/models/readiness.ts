import { type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { factPaths } from '../electronic/missing-facts.ts';
import { eInvoice, shortcomings } from '../electronic/shortcomings.ts';

const readinessFields = {
  e_invoice: fields.selection(
    { ready: 'E-invoice ready', missing: 'E-invoice not ready' },
    {
      label: 'Electronic invoice',
      computed: true,
      help: 'Whether the PDF carries the data of the invoice (Factur-X).',
    },
  ),
  shortcomings: fields.html({ label: 'What is missing', computed: true, required: false, personal: false }),
};

export interface InvoiceReadiness extends FieldsOf<typeof readinessFields> {}

/** What a draft lacks before it is complete, said before it is posted. */
export const invoiceReadiness = inheritModel('invoice.invoice', {
  fields: readinessFields,
  computes: {
    e_invoice: { depends: factPaths, asServer: 'Names and addresses are printed on the invoice.', value: eInvoice },
    shortcomings: {
      depends: factPaths,
      asServer: 'Names and addresses are printed on the invoice.',
      value: (invoice, { registry }) => {
        const translate = registry.wordsIn(registry.language);
        return shortcomings(invoice, (words) => translate(words, 'invoice'));
      },
    },
  },
});
