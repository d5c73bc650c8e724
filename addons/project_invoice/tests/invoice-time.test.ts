import { Decimal } from '@kontor/addon';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BillingWorld, invoiceTime, look, openBilling } from './billing-world.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await openBilling();
  await world.rate('100');
  await world.rate('80', { user_id: world.other.uid });
});
afterAll(() => world.close());

const invoices = (id: number, move: string, answers?: object) =>
  world.run((env) => env.model('invoice.invoice').call([id], move as 'post', answers as never), world.clerk);
const state = async (id: number) => (await look(world, 'project.time', id, 'billing_state')).billing_state;
const task = (project_id: number, name: string) =>
  world.run((env) => env.model('project.task').create({ name, project_id }));
async function linesOf(invoice: number) {
  const lines = await world.work((env) =>
    env
      .sudo()
      .model('invoice.line')
      .searchRead([['invoice_id', '=', invoice]], ['line_type', 'name', 'quantity', 'price_unit', 'price_total'], {
        order: 'sequence',
      }),
  );
  return lines.map(({ name, quantity, price_unit, price_total }) =>
    [String(name).split('\n')[0], ...[quantity, price_unit, price_total].map(String)].join(' | '),
  );
}
const refused = (message: string) => ({ message: expect.stringContaining(message) });

describe('invoicing time', () => {
  it('PBL-4 drafts an invoice up to a day, with a line for each task and rate, taxes and period', async () => {
    const project = await world.project();
    const [plan, build] = [await task(project, 'Layout plan'), await task(project, 'Assembly')];
    await world.log(project, '1.5', { task_id: plan, date: '2026-05-04' });
    await world.log(project, '2.25', { task_id: plan, date: '2026-05-06' });
    await world.log(project, '4', { task_id: build, date: '2026-05-05' }, world.other);
    await world.log(project, '1', { task_id: build, date: '2026-05-05' });
    const later = await world.log(project, '7', { date: '2026-05-07' });
    const invoice = await invoiceTime(world, [project], { until: '2026-05-06' });
    expect(await linesOf(invoice)).toEqual([
      'Layout plan | 3.75 | 100 | 446.25',
      'Assembly | 4 | 80 | 380.8',
      'Assembly | 1 | 100 | 119',
    ]);
    expect(
      await look(
        world,
        'invoice.invoice',
        invoice,
        'state',
        'partner_id',
        'delivery_date',
        'delivery_end',
        'time_count',
      ),
    ).toEqual({
      state: 'draft',
      partner_id: world.ids.customer,
      delivery_date: '2026-05-04',
      delivery_end: '2026-05-06',
      time_count: 4,
    });
    expect(await state(later)).toBe('open');
    const names = ['hours_open', 'amount_open', 'amount_billed'];
    expect(await look(world, 'project.project', project, ...names)).toEqual({
      hours_open: '7',
      amount_open: '700',
      amount_billed: '0',
    });
    await invoices(invoice, 'post');
    expect((await look(world, 'project.project', project, ...names)).amount_billed).toBe('795');
  });

  long('PBL-4 by person or by day, and several projects of a customer on one invoice', async () => {
    const elsewhere = await world.run((env) => env.model('core.partner').create({ name: 'Akropoli' }));
    const [one, two, third] = [
      await world.project({ name: 'One' }),
      await world.project({ name: 'Two' }),
      await world.project({ name: 'Third', partner_id: elsewhere }),
    ];
    await world.log(one, '1', { date: '2026-05-04' });
    await world.log(one, '2', { date: '2026-05-05' });
    await world.log(two, '3', { date: '2026-05-05' }, world.other);
    const byPerson = await invoiceTime(world, [one, two], { group_by: 'person' });
    expect(await linesOf(byPerson)).toEqual([
      'One | 1 | 0 | 0',
      'Mina Park | 3 | 100 | 357',
      'Two | 1 | 0 | 0',
      'Noor El-Amin | 3 | 80 | 285.6',
    ]);
    await invoices(byPerson, 'cancel');
    const byDay = await invoiceTime(world, [one], { group_by: 'day' });
    expect((await linesOf(byDay)).map((line) => line.split(' | ')[1])).toEqual(['1', '2']);
    await invoices(byDay, 'cancel');
    await world.log(third, '1');
    const said = await world.run(
      (env) =>
        env
          .model('project.project')
          .call([one, two, third], 'invoice_time', { until: '2030-12-31', group_by: 'task' } as never),
      world.clerk,
    );
    const { redirect } = said as { redirect: string };
    const made = JSON.parse(new URL(redirect, 'http://x').searchParams.get('domain') ?? '[]') as [
      [string, string, number[]],
    ];
    const customers = await Promise.all(
      made[0][2].map(async (id) => (await look(world, 'invoice.invoice', id, 'partner_id')).partner_id),
    );
    expect(customers).toEqual([world.ids.customer, elsewhere]);
  });

  it('PBL-5 invoices nothing twice, also by two people at once', async () => {
    const project = await world.project();
    const entries = [await world.log(project, '1'), await world.log(project, '2')];
    const both = await Promise.allSettled([invoiceTime(world, [project]), invoiceTime(world, [project])]);
    const made = both.filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
    const [lost] = both.filter((each) => each.status === 'rejected');
    expect((lost as PromiseRejectedResult).reason.message).toMatch(/on another invoice already|no time to invoice/);
    expect(await Promise.all(entries.map(state))).toEqual(['draft', 'draft']);
    await expect(invoiceTime(world, [project])).rejects.toMatchObject(refused('There is no time to invoice.'));
    const held = await world.work((env) =>
      env
        .sudo()
        .model('project.time.billed')
        .count([['time_id', 'in', entries]]),
    );
    expect(held).toBe(2);
  });

  it('PBL-6 locks what is on an invoice: it is neither changed nor moved nor deleted', async () => {
    const project = await world.project();
    const own = await task(project, 'Assembly');
    const entry = await world.log(project, '1', { task_id: own });
    const invoice = await invoiceTime(world, [project]);
    const write = (values: object, actor = world.member) =>
      world.run((env) => env.model('project.time').write([entry], values), actor);
    for (const values of [{ hours: 2 }, { date: '2026-01-01' }, { is_billable: false }, { task_id: null }]) {
      await expect(write(values)).rejects.toMatchObject(refused('This time is on an invoice.'));
    }
    await expect(write({ rate: '1' }, world.manager)).rejects.toMatchObject(refused('This time is on an invoice.'));
    const elsewhere = await world.project();
    const moved = world.run((env) => env.model('project.task').write([own], { project_id: elsewhere }));
    await expect(moved).rejects.toMatchObject(refused('This time is on an invoice.'));
    const gone = world.run((env) => env.model('project.time').unlink([entry]), world.member);
    await expect(gone).rejects.toMatchObject(refused('This time is on an invoice.'));
    await write({ name: 'Shelves' });
    await invoices(invoice, 'cancel');
    await write({ hours: 2 });
    await world.run((env) => env.model('project.time').unlink([entry]), world.member);
  });

  it('PBL-7 is billable again when the draft is cancelled or deleted, or the line is', async () => {
    const project = await world.project();
    const [first, second] = [await world.log(project, '1'), await world.log(project, '2', {}, world.other)];
    const draft = await invoiceTime(world, [project], { group_by: 'person' });
    expect([await state(first), await state(second)]).toEqual(['draft', 'draft']);
    await world.run(async (env) => {
      const [line = 0] = await env.model('invoice.line').search([['billed_time_ids.time_id', '=', second]]);
      await env.model('invoice.line').unlink([line]);
    }, world.clerk);
    expect([await state(first), await state(second)]).toEqual(['draft', 'open']);
    await invoices(draft, 'cancel');
    expect([await state(first), await state(second)]).toEqual(['open', 'open']);
    const again = await invoiceTime(world, [project]);
    await expect(invoices(draft, 'draft')).rejects.toMatchObject(refused('on another invoice already'));
    await world.run((env) => env.model('invoice.invoice').unlink([again]), world.clerk);
    expect([await state(first), await state(second)]).toEqual(['open', 'open']);
    await invoices(draft, 'draft');
    expect(await state(first)).toBe('draft');
  });

  it('PBL-7 and when its line is credited in full', async () => {
    const project = await world.project();
    const entry = await world.log(project, '5');
    const invoice = await invoiceTime(world, [project]);
    await invoices(invoice, 'post');
    const credit = async (quantity: string | null) => {
      const said = await invoices(invoice, 'credit', { reason: 'Too much' });
      const note = Number(
        new URL((said as unknown as { redirect: string }).redirect, 'http://x').searchParams.get('id'),
      );
      if (quantity !== null) {
        const { line_ids } = await look(world, 'invoice.invoice', note, 'line_ids');
        await world.run((env) => env.model('invoice.line').write(line_ids as number[], { quantity }), world.clerk);
      }
      await invoices(note, 'post');
    };
    await credit('2');
    expect(await state(entry)).toBe('billed');
    await credit(null);
    expect(await state(entry)).toBe('open');
    const again = await invoiceTime(world, [project]);
    expect(await look(world, 'project.time', entry, 'invoice_id')).toEqual({ invoice_id: again });
  });

  it('PBL-8 shows hours and amounts against the budget, and revenue, cost and margin', async () => {
    const project = await world.project({ hours_planned: 10, budget_amount: '500' });
    await world.rate('60', { project_id: project, kind: 'cost' });
    await world.log(project, '4');
    await world.log(project, '3', { is_billable: false });
    const names = ['hours_spent', 'hours_billable', 'amount_time', 'budget_left', 'revenue', 'cost', 'margin'];
    expect(await look(world, 'project.project', project, ...names)).toEqual({
      hours_spent: '7',
      hours_billable: '4',
      amount_time: '400',
      budget_left: '100',
      revenue: '400',
      cost: '420',
      margin: '-20',
    });
    const order = await world.run(async (env) => {
      const line_ids = [['create', { name: 'All of it', price_unit: '900', quantity: 1, tax_ids: [] }]] as const;
      const id = await env.model('sale.order').create({ partner_id: world.ids.customer, line_ids });
      await env.model('sale.order').call([id], 'confirm');
      return id;
    });
    await world.run((env) => env.model('sale.order').call([order], 'create_project'));
    const [fixed = 0] = await world.run((env) => env.model('project.project').search([['sale_order_id', '=', order]]));
    await world.log(fixed, '2');
    expect(
      await look(world, 'project.project', fixed, 'billing', 'budget_amount', 'amount_time', 'revenue', 'hours_open'),
    ).toEqual({ billing: 'fixed', budget_amount: '900', amount_time: '200', revenue: '900', hours_open: '0' });
    await expect(invoiceTime(world, [fixed])).rejects.toMatchObject(refused('is not billed by time'));
  });

  it('PBL-9 keeps rates and amounts from those who log time, and costs from those who invoice', async () => {
    const project = await world.project({ user_id: world.member.uid });
    await world.rate('50', { project_id: project, kind: 'cost' });
    const entry = await world.log(project, '1');
    const denied = { code: 'ACCESS_DENIED' };
    const read = (model: string, id: number, field: string, actor = world.member) =>
      world.work((env) => env.model(model).read([id], [field]), actor);
    for (const field of ['rate', 'amount', 'cost_rate', 'cost', 'amount_open', 'amount_billed', 'invoice_id']) {
      await expect(read('project.time', entry, field)).rejects.toMatchObject(denied);
    }
    for (const field of ['amount_time', 'budget_amount', 'margin', 'amount_open', 'cost', 'revenue']) {
      await expect(read('project.project', project, field)).rejects.toMatchObject(denied);
    }
    const rates = (actor = world.member) => world.work((env) => env.model('project.rate').search([]), actor);
    await expect(rates()).rejects.toMatchObject(denied);
    for (const field of ['cost_rate', 'cost']) {
      await expect(read('project.time', entry, field, world.clerk)).rejects.toMatchObject(denied);
    }
    expect(new Decimal(String((await read('project.time', entry, 'rate', world.clerk))[0]?.rate)).eq(100)).toBe(true);
    const seen = await rates(world.clerk);
    const kinds = await world.run((env) => env.model('project.rate').read(seen, ['kind']), world.clerk);
    expect([...new Set(kinds.map(({ kind }) => kind))]).toEqual(['price']);
    await expect(invoiceTime(world, [project], {}, world.member)).rejects.toMatchObject(denied);
    await expect(invoiceTime(world, [project], {}, world.manager)).rejects.toMatchObject(denied);
    const forged = { time_id: entry, line_id: 1, hours: 1, rate: 1 };
    for (const actor of [world.clerk, world.manager, world.member]) {
      const made = world.work((env) => env.model('project.time.billed').create(forged), actor);
      await expect(made).rejects.toMatchObject(denied);
    }
    // Projects that nobody is billed for are none of the clerk's business.
    const inside = await world.project({ billing: 'none' });
    await expect(read('project.project', inside, 'name', world.clerk)).rejects.toMatchObject(denied);
  });
});
