import { defineAddon, type Env } from '@kontor/addon';
import { bookDifferences } from './books/book-differences.ts';
import { bookInvoices } from './books/book-invoices.ts';
import { bookPayments } from './books/book-payments.ts';
import { accountingCompany, giveCharts } from './chart/give-chart.ts';
import { exportRoutes } from './export/routes.ts';
import { accountingAccount } from './models/account.ts';
import { bookedAllocation, bookedInvoice, bookedPayment } from './models/documents.ts';
import { accountingEntry } from './models/entry.ts';
import { accountingPeriod } from './models/period.ts';
import { accountingPosting } from './models/posting.ts';
import { accountingSettings } from './models/settings.ts';

export type * from './models/account.ts';
export type * from './models/entry.ts';
export type * from './models/period.ts';
export type * from './models/posting.ts';

export default defineAddon({
  models: [
    ...[accountingAccount, accountingPeriod, accountingEntry, accountingPosting, ...accountingSettings],
    ...[accountingCompany, bookedInvoice, bookedPayment, bookedAllocation],
  ],
  routes: exportRoutes,
  hooks: {
    afterInstall: async ({ env }) => {
      await giveCharts(env, await companiesWithout(env));
      await bookEarlier(env);
    },
  },
});

/** After the addon was uninstalled and installed again, companies have the accounts that they had, as people changed them. */
async function companiesWithout(env: Env): Promise<readonly number[]> {
  const known = await env.model('accounting.account').searchRead([], ['company_id']);
  const having = new Set(known.map(({ company_id: company }) => company));
  return (await env.model('core.company').search()).filter((id) => !having.has(id));
}

/** What was posted before the addon was installed, a thousand documents at a time. */
async function bookEarlier(env: Env): Promise<void> {
  const posted = [['state', '=', 'posted']] as const;
  await inParts(await env.model('invoice.invoice').search([...posted], { order: 'id' }), (ids) =>
    bookInvoices(env, ids),
  );
  await inParts(await env.model('invoice.payment').search([...posted], { order: 'id' }), (ids) =>
    bookPayments(env, ids),
  );
  const settled = await env.model('invoice.allocation').search([['is_valid', '=', true]], { order: 'id' });
  await inParts(settled, (ids) => bookDifferences(env, ids));
}

async function inParts(ids: readonly number[], book: (part: readonly number[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < ids.length; at += 1000) await book(ids.slice(at, at + 1000));
}
