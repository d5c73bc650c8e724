import '@addons/invoice';
import '@addons/project';
import { Decimal, defineModel, type FieldsOf, fields, inheritModel } from '@kontor/addon';

const billedFields = {
  time_id: fields.many2one('project.time', { label: 'Time entry', required: true, index: true, ondelete: 'restrict' }),
  line_id: fields.many2one('invoice.line', { label: 'Invoice line', required: true, ondelete: 'cascade', index: true }),
  hours: fields.decimal({ required: true, precision: [6, 2] }),
  rate: fields.monetary({ label: 'Hourly rate', required: true, aggregate: 'average' }),
  is_held: fields.boolean({
    label: 'Counts',
    computed: true,
    stored: true,
    help: 'Not on a cancelled draft or a line that was credited in full.',
  }),
  currency_id: fields.related('line_id.currency_id'),
  company_id: fields.related('line_id.company_id', { stored: true }),
};

export interface ProjectTimeBilled extends FieldsOf<typeof billedFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.time.billed': ProjectTimeBilled;
  }
}

/** That a time entry is on a line of an invoice. Only the server makes these; an entry counts on one line at a time. */
export const projectTimeBilled = defineModel('project.time.billed', {
  label: 'Invoiced time',
  order: '-id',
  displayName: '{time_id}',
  partOf: 'line_id',
  fields: billedFields,
  computes: {
    is_held: {
      depends: [
        'line_id.quantity',
        'line_id.invoice_id.state',
        'line_id.credit_line_ids.quantity',
        'line_id.credit_line_ids.invoice_id.state',
      ],
      asServer: 'Whether time was invoiced is the same for everyone.',
      value: ({ line_id: line }) => {
        if (line === null || line.invoice_id?.state === 'cancel') return false;
        const credited = line.credit_line_ids.reduce(
          (sum, { quantity, invoice_id: note }) => (note?.state === 'posted' ? sum.plus(quantity ?? 0) : sum),
          new Decimal(0),
        );
        return !(credited.gt(0) && credited.gte(line.quantity ?? 0));
      },
    },
  },
  uniques: {
    once: {
      fields: ['time_id'],
      where: [['is_held', '=', true]],
      message: 'This time is on another invoice already.',
    },
  },
});

const lineFields = {
  billed_time_ids: fields.one2many('project.time.billed', 'line_id', { label: 'Time' }),
  credit_line_ids: fields.one2many('invoice.line', 'reversed_line_id', { label: 'Corrected by' }),
};

declare module '@addons/invoice' {
  interface InvoiceLine extends FieldsOf<typeof lineFields> {}
}

export const timeLine = inheritModel('invoice.line', { fields: lineFields });
