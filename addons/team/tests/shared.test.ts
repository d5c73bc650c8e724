import { installModules, uninstallModule } from '@kontor/kernel';
import { createTestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: Awaited<ReturnType<typeof createTestKernel>>;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm', 'sale'] });
});
afterAll(() => world.close());

it('SAL-40 people of either app read the teams that managers of either set up, and a forecast is for those of CRM', async () => {
  const people = {
    crm: await world.person('Ana', ['crm.group_user']),
    sale: await world.person('Ben', ['sale.group_team']),
    crmManager: await world.person('Cho', ['crm.group_manager']),
    saleManager: await world.person('Dev', ['sale.group_manager']),
  };
  const make = (name: string, actor: typeof people.crm) =>
    world.work((env) => env.model('sale.team').create({ name, user_id: people.sale.uid }), actor);
  const ids = [await make('North', people.crmManager), await make('South', people.saleManager)];
  for (const actor of [people.crm, people.sale]) {
    expect(await world.work((env) => env.model('sale.team').search([['id', 'in', ids]]), actor)).toHaveLength(2);
    await expect(make('West', actor)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  }
  const stranger = await world.person('Eve');
  const looked = world.work((env) => env.model('sale.team').search([]), stranger);
  await expect(looked).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  const read = (field: string, actor: typeof people.crm) =>
    world.work((env) => env.outside(true).model('sale.team').read(ids, [field]), actor);
  await expect(read('forecast', people.sale)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await expect(read('order_count', people.crm)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  expect(await read('forecast', people.crmManager)).toHaveLength(2);

  const partner_id = await world.work((env) => env.model('core.partner').create({ name: 'Customer' }));
  const order = await world.work((env) => env.model('sale.order').create({ partner_id, user_id: people.sale.uid }));
  const [made] = await world.work((env) => env.model('sale.order').read([order], ['team_id']));
  expect(made?.team_id).toBe(ids[0]);
});

long(
  'SAL-40 without one of the apps its fields and menu are away, and the teams stay with what they are for the other',
  async () => {
    const [id, lead] = await world.work(async (env) => {
      const team = await env.model('sale.team').create({ name: 'Both', monthly_target: '70' });
      return [team, await env.model('crm.lead').create({ name: 'Pumps', team_id: team })];
    });
    const read = async () => {
      const rows = await world.work((env) =>
        env.model('sale.team').read([id], ['name', 'monthly_target', 'order_count']),
      );
      return rows.map((row) => ({ ...row, monthly_target: String(row.monthly_target) }));
    };
    const before = await read();
    await world.kernel.changeModules((context) => uninstallModule(context, 'sale_crm'));
    await world.kernel.changeModules((context) => uninstallModule(context, 'crm'));
    expect(await read()).toEqual(before);
    const fields = await world.work(async (env) => [...env.registry.model('sale.team').fields.keys()]);
    expect(fields).not.toContain('forecast');
    await world.kernel.changeModules((context) => installModules(context, ['crm']));
    await world.kernel.changeModules((context) => uninstallModule(context, 'sale_crm'));
    await world.kernel.changeModules((context) => uninstallModule(context, 'sale'));
    const [led] = await world.work((env) => env.model('crm.lead').read([lead], ['team_id', 'team_id.name']));
    expect(led).toMatchObject({ team_id: id, 'team_id.name': 'Both' });
    const kept = await world.work(async (env) => [...env.registry.model('sale.team').fields.keys()]);
    expect([kept.includes('forecast'), kept.includes('order_count')]).toEqual([true, false]);
  },
);
