import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestKernel, isLong, type TestKernel } from '@kontor/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** The last version with teams in both apps. */
const commit = '54936f57d223f066cf88a630d5b726eba4e99961';
const hasHistory = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0;

interface Released extends TestKernel {
  /** Today's code of the addons takes the place of the released one. */
  renew(): Promise<void>;
}

/** A kernel with the addons as they were released, when crm and sale had teams of their own. */
async function released(modules: readonly string[]): Promise<Released> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-released-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const names = ['crm', 'sale', 'sale_crm'];
  const paths = names.map((name) => `addons/${name}`);
  const archive = execFileSync('git', ['archive', commit, ...paths], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['x', '-C', folder, '--strip-components=1'], { input: archive });
  const world = await createTestKernel({ modules, addonsPath: [folder] });
  onTestFinished(() => world.close());
  const renew = async () => {
    for (const name of names) rmSync(join(folder, name), { recursive: true });
    await world.upgrade();
  };
  return Object.assign(world, { renew });
}

const teamsOf = (world: TestKernel) =>
  world.work((env) =>
    env.model('sale.team').searchRead([], ['name', 'member_ids', 'monthly_target', 'color', 'company_id'], {
      order: 'name',
    }),
  );

describe.runIf(hasHistory)('an upgrade from the version in which crm and sale had teams of their own', () => {
  it('SAL-41 joins teams of the same name in a company, keeps the others, and everything follows', async () => {
    const world = await released(['crm', 'sale']);
    const [ana, ben] = [
      await world.person('Ana', ['crm.group_leader']),
      await world.person('Ben', ['sale.group_team']),
    ];
    const made = await world.work(async (env) => {
      const crm = (values: object) => env.model('crm.team').create({ user_id: null, ...values });
      const [west, north, all] = [
        await crm({ name: 'West', target: '100' }),
        await crm({ name: 'North', member_ids: [['set', [ana.uid]]], target: '300', color: 5 }),
        await crm({ name: 'East', company_id: null }),
      ];
      const [east, both] = [
        await env.model('sale.team').create({ name: 'East', monthly_target: '50' }),
        await env.model('sale.team').create({ name: 'North', member_ids: [['set', [ben.uid]]] }),
      ];
      await env.model('crm.settings').create({ team_id: west });
      const lead = await env
        .model('crm.lead')
        .create({ name: 'Pumps', type: 'opportunity', team_id: north, expected_revenue: '1000' });
      const stage = await env.model('crm.stage').create({ name: 'Bids', team_id: all });
      const partner_id = await env.model('core.partner').create({ name: 'Customer' });
      const order = await env
        .model('sale.order')
        .create({ partner_id, team_id: both, line_ids: [['create', { name: 'Pump' }]] });
      const search = (name: string, model: string, team: number) =>
        env.model('sys.saved.search').create({
          ...{
            name,
            model,
            query: new URLSearchParams({ domain: JSON.stringify([['team_id', '=', team]]) }).toString(),
          },
        });
      const searches = [await search('Leads', 'crm.lead', north), await search('Orders', 'sale.order', both)];
      const rule = await env
        .model('sys.rule')
        .create({ name: 'Mates', model: 'core.user', domain: [['crm_team_ids', 'in', [west]]], active: false });
      const access = await env
        .model('sys.access')
        .create({ name: 'Portal', model: 'crm.team', group_id: await env.ref('base.group_portal'), perm_read: true });
      return { west, north, all, east, both, lead, stage, order, searches, rule, access };
    });

    await world.renew();
    const teams = await teamsOf(world);
    const company = world.admin.companyId;
    const [free, east, north, west] = teams[0]?.company_id === null ? teams : [teams[1], teams[0], teams[2], teams[3]];
    expect([free, east, north, west]).toMatchObject([
      { name: 'East', company_id: null },
      { id: made.east, name: 'East', company_id: company, monthly_target: expect.objectContaining({}) },
      { id: made.both, name: 'North', company_id: company, color: 5 },
      { name: 'West', company_id: company },
    ]);
    expect(teams).toHaveLength(4);
    expect(String(north?.monthly_target)).toBe('300');
    expect([...((north?.member_ids ?? []) as number[])].sort()).toEqual([ana.uid, ben.uid].sort());
    await world.work(async (env) => {
      const settings = await env.model('core.company').read([company as number], ['crm_team_id']);
      expect(settings).toMatchObject([{ crm_team_id: west?.id }]);
      expect(await env.model('crm.lead').read([made.lead], ['team_id'])).toMatchObject([{ team_id: north?.id }]);
      expect(await env.model('crm.stage').read([made.stage], ['team_id'])).toMatchObject([{ team_id: free?.id }]);
      expect(await env.model('sale.order').read([made.order], ['team_id'])).toMatchObject([{ team_id: north?.id }]);
      const lines = await env.model('sale.order.line').searchRead([['order_id', '=', made.order]], ['team_id']);
      expect(lines).toMatchObject([{ team_id: north?.id }]);
      const searches = await env.model('sys.saved.search').read(made.searches, ['query']);
      const wanted = JSON.stringify([['team_id', '=', north?.id]]);
      expect(searches.map(({ query }) => new URLSearchParams(String(query)).get('domain'))).toEqual([wanted, wanted]);
      expect(await env.model('sys.rule').read([made.rule], ['domain'])).toMatchObject([
        { domain: [['sale_team_ids', 'in', [west?.id]]] },
      ]);
      expect(await env.model('sys.access').read([made.access], ['model'])).toMatchObject([{ model: 'sale.team' }]);
      const [sums] = await env
        .model('sale.team')
        .read([north?.id as number], ['forecast', 'lead_count', 'order_count']);
      expect(sums).toMatchObject({ lead_count: 1, order_count: 1 });
      expect(Number(sums?.forecast)).toBeGreaterThan(0);
    });
    const seen = (model: string, actor: TestKernel['admin']) => world.work((env) => env.model(model).count([]), actor);
    expect([await seen('crm.lead', ana), await seen('sale.order', ben)]).toEqual([1, 1]);
  });

  it.runIf(isLong)('SAL-41 keeps the teams of a company that has only one of both', async () => {
    const crm = await released(['crm']);
    const ana = await crm.person('Ana', ['crm.group_user']);
    const lead = await crm.work(async (env) => {
      const team = await env
        .model('crm.team')
        .create({ name: 'North', member_ids: [['set', [ana.uid]]], target: '10' });
      return env.model('crm.lead').create({ name: 'Pumps', team_id: team });
    });
    await crm.renew();
    const [north] = await teamsOf(crm);
    expect(north).toMatchObject({ name: 'North', member_ids: [ana.uid] });
    expect(String(north?.monthly_target)).toBe('10');
    const led = await crm.work((env) => env.model('crm.lead').read([lead], ['team_id']));
    expect(led).toMatchObject([{ team_id: north?.id }]);

    const sale = await released(['sale']);
    const id = await sale.work((env) => env.model('sale.team').create({ name: 'South', member_ids: [['set', [1]]] }));
    await sale.renew();
    expect(await teamsOf(sale)).toMatchObject([{ id, name: 'South', member_ids: [1] }]);
  });
});
