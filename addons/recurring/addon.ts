import { defineAddon } from '@kontor/addon';
import { makeInvoices } from './make-invoices.ts';
import { recurringInvoice } from './models/invoice.ts';
import { recurringPlan } from './models/plan.ts';

export type * from './models/plan.ts';

export default defineAddon({
  models: [recurringPlan, recurringInvoice],
  jobs: [
    {
      name: 'make_invoices',
      /** Each plan is a transaction of its own, so that one that fails does not stop the others. */
      runInSteps: async ({ step, signal }) => {
        const due = await step((env) =>
          env.model('recurring.plan').search([['next_date', '<=', '$today']], { order: 'next_date, id' }),
        );
        const failures: unknown[] = [];
        for (const id of due) {
          if (signal.aborted) return;
          await step((env) => makeInvoices(env, [id])).catch((error: unknown) => failures.push(error));
        }
        if (failures.length > 0) throw failures[0];
      },
    },
  ],
});
