import { createTestKernel } from '@kontor/testing';
import { expect, it } from 'vitest';

it('INV-14 the demonstration has drafts, posted and cancelled invoices and a credit note, numbered without gaps', async () => {
  const world = await createTestKernel({ modules: ['invoice'], demo: true });
  try {
    const rows = await world.work((env) =>
      env.model('invoice.invoice').searchRead([], ['name', 'type', 'state', 'amount_total']),
    );
    expect(new Set(rows.map((row) => `${row.type} ${row.state}`))).toEqual(
      new Set(['invoice draft', 'invoice posted', 'invoice cancel', 'credit posted']),
    );
    for (const row of rows) expect(Number(row.amount_total), String(row.name)).toBeGreaterThan(0);
    const states = await world.work((env) =>
      env
        .model('invoice.invoice')
        .readGroup({ domain: [['state', '=', 'posted']], groupby: ['payment_state'], fields: [] }),
    );
    expect(new Set(states.map((row) => row.payment_state))).toEqual(new Set(['overdue', 'open', 'paid']));
    const due = await world.work((env) => env.model('invoice.invoice').count([['reminder_step', '>', 0]]));
    expect(due).toBeGreaterThan(0);
    const posted = rows.filter((row) => row.state === 'posted').map((row) => String(row.name));
    const years = new Map<string, number[]>();
    for (const name of posted) {
      const [, circle = '', number] = /^(.*-)(\d{4})$/.exec(name) ?? [];
      years.set(circle, [...(years.get(circle) ?? []), Number(number)]);
    }
    for (const numbers of years.values()) expect(numbers.sort()).toEqual(numbers.map((_, at) => at + 1));
  } finally {
    await world.close();
  }
});
