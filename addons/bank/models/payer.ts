import '@addons/base';
import { defineModel, type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { compact } from '../file/clean.ts';

const payerFields = {
  partner_id: fields.many2one('core.partner', { label: 'Contact', required: true, ondelete: 'cascade', index: true }),
  iban: fields.char({
    ...{ label: 'IBAN or account', required: true, size: 64, personal: true, index: true },
    format: 'iban',
    clean: (given) => compact(given) ?? '',
  }),
  entry_id: fields.many2one('bank.entry', { label: 'Learned from', readonly: true, ondelete: 'set null', index: true }),
};

export interface BankPayer extends FieldsOf<typeof payerFields> {}
declare module '@kontor/addon' {
  interface Models {
    'bank.payer': BankPayer;
  }
}

/** An account from which a contact pays, as their payments said. */
export const bankPayer = defineModel('bank.payer', {
  label: 'Account of a contact',
  order: 'iban, id',
  displayName: '{iban}',
  partOf: 'partner_id',
  fields: payerFields,
  uniques: { once: { fields: ['partner_id', 'iban'], message: 'The contact has this account already.' } },
});

const partnerFields = {
  payer_ids: fields.one2many('bank.payer', 'partner_id', {
    ...{ label: 'Bank accounts', groups: ['invoice.group_user'] },
    help: 'Accounts that the contact paid from. Payments from them are recognised.',
  }),
};

declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
}

export const partnerPayers = inheritModel('core.partner', { fields: partnerFields });
