import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll } from 'vitest';

export interface CrmWorld extends TestKernel {
  /** Ids of the shipped stages by name. */
  readonly stages: Readonly<Record<'new' | 'qualified' | 'proposition' | 'won', number>>;
  lead(values?: Readonly<Record<string, unknown>>, actor?: TestKernel['admin']): Promise<number>;
  read(id: number, fields: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  write(id: number, values: Readonly<Record<string, unknown>>, actor?: TestKernel['admin']): Promise<unknown>;
  call(
    ids: number | readonly number[],
    action: string,
    params?: Record<string, string>,
    actor?: TestKernel['admin'],
  ): Promise<unknown>;
}

/** A kernel with crm installed, for the tests of one file. */
export function crmWorld(): () => CrmWorld {
  let world: CrmWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());
  return () => world;
}

async function open(): Promise<CrmWorld> {
  const kernel = await createTestKernel({ modules: ['crm'] });
  const stages = await kernel.work(async (env) => ({
    new: await env.ref('crm.stage_new'),
    qualified: await env.ref('crm.stage_qualified'),
    proposition: await env.ref('crm.stage_proposition'),
    won: await env.ref('crm.stage_won'),
  }));
  return {
    ...kernel,
    stages,
    lead: (values = {}, actor) =>
      kernel.work((env) => env.model('crm.lead').create({ name: 'Pumps', type: 'opportunity', ...values }), actor),
    read: async (id, fields) =>
      (await kernel.work((env) => env.sudo().model('crm.lead').read([id], fields)))[0] as Record<string, unknown>,
    write: (id, values, actor) => kernel.work((env) => env.model('crm.lead').write([id], values), actor),
    call: (ids, action, params, actor) =>
      kernel.work((env) => env.model('crm.lead').call([ids].flat(), action, params), actor),
  };
}
