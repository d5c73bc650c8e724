import { defineAddon } from '@kontor/addon';
import { bankRoutes } from './import/routes.ts';
import { bankAccount } from './models/account.ts';
import { bankEntry } from './models/entry.ts';
import { bankPayer, partnerPayers } from './models/payer.ts';
import { bankAllocation, bankPayment } from './models/payment.ts';
import { bankStatement } from './models/statement.ts';

export type * from './models/account.ts';
export type * from './models/entry.ts';
export type * from './models/payer.ts';
export type * from './models/statement.ts';

export default defineAddon({
  models: [bankAccount, bankStatement, bankEntry, bankPayer, bankPayment, bankAllocation, partnerPayers],
  routes: bankRoutes,
  views: {
    bank_matching: {
      label: 'Matching',
      icon: 'list-checks',
      doc: 'Bank entries beside the invoices that they may pay.',
    },
  },
});
