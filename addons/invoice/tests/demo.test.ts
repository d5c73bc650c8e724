import { sql } from '@kontor/database';
import { initialise } from '@kontor/parts';
import { createTestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
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

long('INV-61 its invoices say that tax is charged where it is, in whatever country the company is', async () => {
  const world = await createTestKernel({ isSetUp: false });
  try {
    const who = {
      companyName: 'Harbour Ltd',
      adminName: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse battery',
    };
    await initialise(world.kernel, { ...who, lang: 'en_GB', country: 'GB', apps: ['invoice'], withDemo: true });
    const untaxed = await world.kernel.database.query(
      sql`select name from invoice_invoice where tax_treatment <> 'normal' and amount_tax <> 0`,
    );
    expect(untaxed).toEqual([]);
  } finally {
    await world.close();
  }
});
