import type { Env } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';

type Actor = TestKernel['admin'];

export interface BillingWorld extends TestKernel {
  run<T>(work: (env: Env) => Promise<T>, actor?: Actor): Promise<T>;
  /** Invoices. */
  readonly clerk: Actor;
  /** Manages projects. */
  readonly manager: Actor;
  /** Logs time, and leads a project. */
  readonly member: Actor;
  readonly other: Actor;
  readonly ids: Readonly<Record<'customer' | 'vat' | 'service', number>>;
  /** A running project that is billed by time. */
  project(values?: object): Promise<number>;
  /** An entry of the member. */
  log(project: number, hours: string, values?: object, actor?: Actor): Promise<number>;
  rate(hourly: string, values?: object): Promise<number>;
}

export async function openBilling(): Promise<BillingWorld> {
  const world = await createTestKernel({ modules: ['project', 'invoice'] });
  const run: BillingWorld['run'] = (work, actor) => world.work((env) => work(typedEnv(env)), actor ?? world.admin);
  const ids = await run(async (env) => {
    const vat = await env.model('sale.tax').create({ name: 'VAT 19 %', percent: 19 });
    const uom_id = await env.ref('product.uom_hour');
    const service = { name: 'Consulting', type: 'service', uom_id, sale_tax_ids: [['set', [vat]]] } as const;
    return {
      vat,
      customer: await env.model('core.partner').create({ name: 'Hafenkontor GmbH' }),
      service: await env.model('product.product').create(service),
    };
  });
  const member = await world.person('Mina Park', ['project.group_user']);
  return {
    ...world,
    run,
    ids,
    member,
    clerk: await world.person('Clara Clerk', ['invoice.group_user']),
    manager: await world.person('Mara Manager', ['project.group_manager']),
    other: await world.person('Noor El-Amin', ['project.group_user']),
    project: (values = {}) =>
      run(async (env) => {
        const billed = { billing: 'time', partner_id: ids.customer, billing_product_id: ids.service } as const;
        const id = await env.model('project.project').create({ name: 'Fit-out', ...billed, ...values });
        await env.model('project.project').call([id], 'start');
        return id;
      }),
    log: (project_id, hours, values = {}, actor = member) =>
      run((env) => env.model('project.time').create({ project_id, hours, ...values }), actor),
    rate: (hourly, values = {}) => run((env) => env.model('project.rate').create({ hourly, ...values })),
  };
}

/** Fields of a record, as JSON. */
export async function look(
  world: BillingWorld,
  model: string,
  id: number,
  ...names: string[]
): Promise<Record<string, unknown>> {
  const [row] = await world.work((env) => env.sudo().model(model).read([id], names));
  const { id: _, ...values } = JSON.parse(JSON.stringify(row)) as Record<string, unknown>;
  return values;
}

export async function invoiceTime(
  world: BillingWorld,
  projects: readonly number[],
  answers: object = {},
  actor = world.clerk,
): Promise<number> {
  const said = await world.run(
    (env) =>
      env
        .model('project.project')
        .call(projects, 'invoice_time', { until: '2030-12-31', group_by: 'task', ...answers }),
    actor,
  );
  return Number(new URL((said as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
}
