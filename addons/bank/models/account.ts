import '@addons/base';
import { currentCompany, defineModel, type FieldsOf, fields } from '@kontor/addon';
import { compact } from '../file/clean.ts';

const accountFields = {
  name: fields.char({ label: 'Name', required: true, size: 100, index: true }),
  // It is the company's own.
  iban: fields.char({
    ...{ label: 'IBAN or account', required: true, size: 64, personal: false },
    format: 'iban',
    clean: (given) => compact(given) ?? '',
  }),
  currency_id: fields.many2one('core.currency', {
    ...{ label: 'Currency', required: true, follows: 'company_id.currency_id' },
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  active: fields.boolean({ default: true }),
  csv_mapping: fields.json({ label: 'Columns of CSV files', readonly: true, copy: false }),
  balance: fields.monetary({ label: 'Balance', readonly: true, copy: false }),
  balance_date: fields.date({ label: 'Balance on', readonly: true, copy: false }),
  imports: fields.integer({ label: 'Files', readonly: true, required: true, default: 0, copy: false }),
  statement_ids: fields.one2many('bank.statement', 'account_id', { label: 'Statements' }),
};

export interface BankAccount extends FieldsOf<typeof accountFields> {}
declare module '@kontor/addon' {
  interface Models {
    'bank.account': BankAccount;
  }
}

/** An account of the company, whose statements are read. */
export const bankAccount = defineModel('bank.account', {
  label: 'Bank account',
  order: 'name, id',
  fields: accountFields,
  uniques: { once: { fields: ['iban', 'company_id'], message: 'This account exists already.' } },
});
