import { createTestKernel } from '@kontor/testing';
import { expect, it } from 'vitest';

/** The months before this one, as groups have them. */
function lastMonths(count: number): string[] {
  const now = new Date();
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back - 1, 1)).toISOString().slice(0, 7),
  );
}

it('SAL-24 the demonstration tells of a firm at work: orders of every state, two years back, with turnover and margins', async () => {
  const world = await createTestKernel({ modules: ['sale'], demo: true });
  try {
    const rows = await world.work((env) =>
      env.model('sale.order').searchRead([], ['name', 'state', 'amount_total', 'margin', 'date_order', 'line_count']),
    );
    expect(new Set(rows.map((row) => row.state))).toEqual(new Set(['draft', 'sent', 'sale', 'cancel']));
    for (const row of rows) {
      expect(Number(row.amount_total), String(row.name)).toBeGreaterThan(0);
      expect(Number(row.margin), String(row.name)).toBeGreaterThan(0);
      const days = (Date.now() - Date.parse(row.date_order as string)) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(0);
      expect(days).toBeLessThan(800);
    }
    const currencies = await world.work((env) =>
      env.model('sale.order').readGroup({ domain: [], groupby: ['currency_id'], fields: [] }),
    );
    expect(currencies.length).toBe(2);
    // Every month of this year can be held against the same one of the year before.
    const sold = await world.work((env) =>
      env
        .model('sale.order')
        .readGroup({ domain: [['state', '=', 'sale']], groupby: ['date_order:month'], fields: [] }),
    );
    expect(sold.map((row) => row['date_order:month'])).toEqual(expect.arrayContaining(lastMonths(24)));
  } finally {
    await world.close();
  }
});
