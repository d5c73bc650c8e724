import '@addons/invoice';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { reopenUndone } from '../match/confirm.ts';

const paymentFields = {
  bank_entry_id: fields.many2one('bank.entry', {
    ...{ label: 'Bank entry', readonly: true, copy: false, checkCompany: true, index: true, ondelete: 'set null' },
  }),
};

/** Credit that was settled along with a bank entry, so that both are undone together. */
const allocationFields = {
  bank_entry_id: fields.many2one('bank.entry', {
    ...{ label: 'Bank entry', readonly: true, copy: false, index: true, ondelete: 'set null' },
  }),
};

declare module '@addons/invoice' {
  interface InvoicePayment extends FieldsOf<typeof paymentFields> {}
  interface InvoiceAllocation extends FieldsOf<typeof allocationFields> {}
}

export const bankAllocation = inheritModel('invoice.allocation', { fields: allocationFields });

export const bankPayment = inheritModel('invoice.payment', {
  fields: paymentFields,
  hooks: {
    on: ['state'],
    afterWrite: async ({ env, ids, values }) => {
      if (values.state === 'cancel') await reopenUndone(env, ids);
    },
  },
});
