import { typedEnv } from '@kontor/orm';
import { createTestKernel } from '@kontor/testing';
import { expect, it } from 'vitest';

it('BKS-10 the demonstration data are booked: the receivables are what is due less what was paid in advance', async () => {
  const world = await createTestKernel({ modules: ['accounting'], demo: true });
  try {
    await world.work(async (untyped) => {
      const env = typedEnv(untyped).sudo();
      const posted = await env.model('invoice.invoice').count([['state', '=', 'posted']]);
      expect(await env.model('accounting.entry').count([['kind', '=', 'invoice']])).toBe(posted);
      const entries = await env.model('accounting.entry').search([]);
      for (const { name, posting_ids: postings } of await env
        .model('accounting.entry')
        .load(entries, ['name', 'posting_ids.id'])) {
        expect(postings.length, name).toBeGreaterThan(0);
      }
      const accounts = await env.model('accounting.account').search([['kind', '=', 'receivable']]);
      const balances = await env.model('accounting.account').read(accounts, ['balance']);
      const invoices = await env.model('invoice.invoice').searchRead([['state', '=', 'posted']], ['receivable']);
      const payments = await env.model('invoice.payment').searchRead([['state', '=', 'posted']], ['amount_left']);
      const due = invoices.reduce((sum, row) => sum + Number(row.receivable), 0);
      const advance = payments.reduce((sum, row) => sum + Number(row.amount_left), 0);
      expect(balances.reduce((sum, row) => sum + Number(row.balance), 0)).toBeCloseTo(due - advance, 2);
    });
  } finally {
    await world.close();
  }
});
