import { anyModel, type Env } from '@kontor/addon';
import { installModules, uninstallModule } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
let seller: TestKernel['admin'];
let clerk: TestKernel['admin'];
beforeAll(async () => {
  world = await createTestKernel({ modules: ['sale', 'project'] });
  seller = await world.person('Selma Seller', ['sale.group_user', 'project.group_user']);
  clerk = await world.person('Klara Clerk', ['sale.group_all']);
});
afterAll(() => world.close());

function run<T>(work: (env: Env) => Promise<T>, actor = world.admin): Promise<T> {
  return world.work((env) => work(typedEnv(env)), actor);
}
const confirmed = (isConfirmed = true) =>
  run(async (env) => {
    const line = async (name: string, quantity: number, uom: string) =>
      ['create', { name, quantity, price_unit: '80', uom_id: await env.ref(uom) }] as const;
    const unit = await env.ref('product.uom_unit');
    const shelf = await run((server) => server.model('product.product').create({ name: 'Shelf', uom_id: unit }));
    const lines = [
      ['create', { product_id: shelf, name: 'Shelf', quantity: 1, price_unit: '20', uom_id: unit }] as const,
      await line('Planning\nOf the rooms.', 2, 'product.uom_day'),
      await line('Desk', 6, 'product.uom_unit'),
    ];
    const partner_id = await env.model('core.partner').create({ name: 'Fjordkontoret AS' });
    const id = await env.model('sale.order').create({ partner_id, line_ids: lines });
    if (isConfirmed) await env.model('sale.order').call([id], 'confirm');
    return id;
  }, seller);
const press = (id: number, action: string, actor = seller) =>
  run((env) => anyModel(env, 'sale.order').call([id], action), actor);

describe('a confirmed order', () => {
  it('SPR-1 the glue installs itself when sale and project are there', () => {
    expect(world.kernel.loaded.states.get('sale_project')).toBe('installed');
  });

  it('SPR-2 becomes a project with a task for each line but goods, led by whoever asks', async () => {
    await run((env) => env.model('project.settings').create({ day_hours: '7.5' }));
    const order = await confirmed();
    const answer = (await press(order, 'create_project')) as { redirect: string };
    const id = Number(new URL(answer.redirect, 'http://x').searchParams.get('id'));
    const [project] = await run(
      (env) =>
        env
          .model('project.project')
          .read([id], ['name', 'sale_order_id', 'user_id', 'partner_id.name', { task_ids: ['name', 'hours_planned'] }]),
      seller,
    );
    expect(project).toMatchObject({ sale_order_id: order, user_id: seller.uid, 'partner_id.name': 'Fjordkontoret AS' });
    expect(project?.name).toMatch(/^S\d+ Fjordkontoret AS$/);
    expect(JSON.parse(JSON.stringify(project?.task_ids))).toMatchObject([
      { name: 'Planning', hours_planned: '15' },
      { name: 'Desk', hours_planned: null },
    ]);
    expect(await press(order, 'view_projects')).toEqual(answer);
    const [shown] = await run((env) => env.model('sale.order').read([order], ['project_count']), seller);
    expect(shown).toMatchObject({ project_count: 1 });
  });

  it('SPR-3 says what is missing, makes one project, and none for people who do not work with projects', async () => {
    const refused = (id: number, actor = seller) =>
      press(id, 'create_project', actor).then(
        () => ({ code: 'none', message: 'It was allowed.' }),
        (error: { code: string; message: string }) => error,
      );
    expect(await refused(await confirmed(false))).toMatchObject({ code: 'USER_ERROR', message: /Confirm the order/ });
    const order = await confirmed();
    expect(await refused(order, clerk)).toMatchObject({ code: 'ACCESS_DENIED' });
    await press(order, 'create_project');
    expect(await refused(order)).toMatchObject({ code: 'USER_ERROR', message: /already has a project/ });
  });

  it('SPR-4 without the glue sale and project go on as they were, and with it again nothing is lost', async () => {
    const order = await confirmed();
    await press(order, 'create_project');
    await world.kernel.changeModules((context) => uninstallModule(context, 'sale_project'));
    await run((env) => env.model('sale.order').read([order], ['state']), seller);
    await world.kernel.changeModules((context) => installModules(context, ['sale_project']));
    const [shown] = await run((env) => env.model('sale.order').read([order], ['project_count']));
    expect(shown).toMatchObject({ project_count: 1 });
  });
});
