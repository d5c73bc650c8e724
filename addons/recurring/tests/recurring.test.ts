import type { Env } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import addon from '../addon.ts';

let world: TestKernel;
let clerk: TestKernel['admin'];
const run = <T>(work: (env: Env) => Promise<T>, actor = world.admin) => world.work((env) => work(typedEnv(env)), actor);
beforeAll(async () => {
  world = await createTestKernel({ modules: ['recurring'] });
  clerk = await world.person('Clara Clerk', ['invoice.group_user']);
});
afterAll(() => world.close());

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function plan(values: object): Promise<number> {
  return run(async (env) => {
    const partner_id = await env.model('core.partner').create({ name: 'Hôtel du Lac' });
    const line_ids = [['create', { name: 'Maintenance', price_unit: '100', tax_ids: [] }]] as const;
    const template_id = await env.model('invoice.invoice').create({ partner_id, line_ids, payment_days: 10 });
    return env.model('recurring.plan').create({ name: 'Maintenance', template_id, ...values } as never);
  }, clerk);
}
const made = (id: number) =>
  run((env) =>
    env
      .model('invoice.invoice')
      .searchRead(
        [['recurring_id', '=', id]],
        ['invoice_date', 'delivery_date', 'delivery_end', 'due_date', 'state', 'amount_total'],
        { order: 'invoice_date' },
      ),
  );
const runJob = async () => {
  const [job] = addon.jobs ?? [];
  const step = (work: (env: Env) => Promise<unknown>) => run((env) => work(env.sudo() as Env));
  if (!job || !('runInSteps' in job)) throw new Error('There is no job.');
  await job.runInSteps({ step, signal: new AbortController().signal, cronId: 1 } as never);
};

it('REI-1 an invoice is repeated on its days, also on those that were missed, with the period that it is for', async () => {
  const id = await plan({ every: 'month', date_start: '2025-10-31', date_end: '2026-02-28' });
  await runJob();
  expect((await made(id)).map((row) => [row.invoice_date, row.delivery_end, row.due_date])).toEqual([
    ['2025-10-31', '2025-11-29', '2025-11-10'],
    ['2025-11-30', '2025-12-30', '2025-12-10'],
    ['2025-12-31', '2026-01-30', '2026-01-10'],
    ['2026-01-31', '2026-02-27', '2026-02-10'],
    ['2026-02-28', '2026-03-30', '2026-03-10'],
  ]);
  const [row] = await run((env) => env.model('recurring.plan').read([id], ['next_date', 'made']));
  expect(row).toMatchObject({ next_date: null, made: 5 });
  expect((await made(id)).every(({ state, amount_total: total }) => state === 'draft' && total.eq(100))).toBe(true);
});

it('REI-1 a tax that has ended is replaced by the one that follows it, so that the invoice is posted', async () => {
  const taxes = await run(async (env) => {
    const next = await env.model('sale.tax').create({ name: 'VAT 21 %', percent: 21 });
    const old = { name: 'VAT 16 %', percent: 16, date_end: '2025-12-31', next_id: next };
    return { next, old: await env.model('sale.tax').create(old) };
  });
  const id = await run(async (env) => {
    const partner_id = await env.model('core.partner').create({ name: 'Fjord AS' });
    const line = { name: 'Rent', price_unit: '100', tax_ids: [['set', [taxes.old]]] as const };
    const values = {
      partner_id,
      invoice_date: '2025-11-01',
      delivery_date: '2025-11-01',
      line_ids: [['create', line]] as const,
    };
    const template_id = await env.model('invoice.invoice').create(values);
    const days = { date_start: '2025-12-01', date_end: '2026-01-31' };
    return env.model('recurring.plan').create({ name: 'Rent', template_id, posts: true, ...days });
  }, clerk);
  await runJob();
  expect((await made(id)).map((row) => [row.invoice_date, row.state, row.amount_total.toFixed()])).toEqual([
    ['2025-12-01', 'posted', '116'],
    ['2026-01-01', 'posted', '121'],
  ]);
});

it('REI-2 none is made before its day, after the end, for an archived plan, or twice, also by two at once', async () => {
  const [later, archived] = [await plan({ date_start: day(2) }), await plan({ date_start: day(-2), active: false })];
  const id = await plan({ every: 'year', date_start: day(-3) });
  const make = () => run((env) => env.model('recurring.plan').call([id], 'make'), clerk);
  await Promise.allSettled([make(), make(), make(), runJob()]);
  await runJob();
  expect([await made(later), await made(archived)]).toEqual([[], []]);
  expect(await made(id)).toHaveLength(1);
  const again = run((env) => env.model('recurring.plan').write([id], { date_start: day(-5) }), clerk);
  await expect(again.then(() => made(id))).resolves.toHaveLength(1);
  const before = run((env) => env.model('recurring.plan').write([id], { date_start: '2020-01-01' }), clerk);
  await expect(before).rejects.toThrow('Invoices were made for later days already');
});

it('REI-3 it is posted if the plan says so; what prevents it is noted at the plan, and the draft stays', async () => {
  const id = await plan({ every: 'year', date_start: day(-1), posts: true });
  const broken = await plan({ every: 'year', date_start: day(-1), posts: true });
  const [{ template_id: template } = { template_id: 0 }] = await run((env) =>
    env.model('recurring.plan').read([broken], ['template_id']),
  );
  await run(async (env) => {
    const lines = await env.model('invoice.line').search([['invoice_id', '=', template]]);
    await env.model('invoice.line').unlink(lines);
  });
  await runJob();
  expect((await made(id)).map(({ state }) => state)).toEqual(['posted']);
  expect((await made(broken)).map(({ state }) => state)).toEqual(['draft']);
  const notes = await run((env) =>
    env
      .sudo()
      .model('mail.message')
      .searchRead(
        [
          ['model', '=', 'recurring.plan'],
          ['res_id', '=', broken],
        ],
        ['body'],
      ),
  );
  expect(JSON.stringify(notes)).toContain('Add a line first.');
});

it('REI-4 plans are for people who invoice, in their company; an invoice is repeated from its menu', async () => {
  const id = await plan({ date_start: day(30) });
  const seller = await world.person('Selma Seller', ['sale.group_all']);
  await expect(run((env) => env.model('recurring.plan').read([id], ['name']), seller)).rejects.toThrow('may not');
  const other = await run(async (env) => {
    const [company] = await env.model('core.company').searchRead([], ['currency_id'], { limit: 1 });
    return env.model('core.company').create({ name: 'Elsewhere', currency_id: company?.currency_id as number });
  });
  const stranger = await world.person('Ella Elsewhere', ['invoice.group_user'], { company_id: other });
  expect(await run((env) => env.model('recurring.plan').search([]), stranger)).toEqual([]);
  const [row] = await run((env) => env.model('recurring.plan').read([id], ['template_id']));
  const answer = await run((env) => env.model('invoice.invoice').call([row?.template_id as number], 'repeat'), clerk);
  expect(JSON.stringify(answer)).toContain('default_template_id');
});
