import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BillingWorld, invoiceTime, look, openBilling } from './billing-world.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await openBilling();
});
afterAll(() => world.close());

const rateOf = async (id: number) => (await look(world, 'project.time', id, 'rate')).rate;

describe('the rate of a time entry', () => {
  it('PBL-1 is the most specific one that is valid on its day', async () => {
    const [project, elsewhere] = [await world.project(), await world.project()];
    const on = async (at: number, date: string, actor = world.member) =>
      rateOf(await world.log(at, '1', { date }, actor));
    expect(await on(project, '2026-05-04')).toBeNull();
    await world.rate('80', { date_end: '2026-05-31' });
    await world.rate('85', { date_start: '2026-06-01' });
    expect([await on(project, '2026-05-31'), await on(project, '2026-06-01')]).toEqual(['80', '85']);
    await world.rate('95', { user_id: world.member.uid });
    expect([await on(project, '2026-05-04'), await on(project, '2026-05-04', world.other)]).toEqual(['95', '80']);
    await world.rate('110', { project_id: project });
    expect([await on(project, '2026-05-04'), await on(elsewhere, '2026-05-04')]).toEqual(['110', '95']);
    await world.rate('130', { project_id: project, user_id: world.member.uid, date_start: '2026-05-10' });
    expect([await on(project, '2026-05-09'), await on(project, '2026-05-10')]).toEqual(['110', '130']);
    expect(await on(project, '2026-05-10', world.other)).toBe('110');
  });

  it('PBL-1 is not that of another company, and two never apply at once', async () => {
    const company = await world.run(async (env) => {
      const [own] = await env.model('core.company').searchRead([], ['currency_id']);
      return env.model('core.company').create({ name: 'Away', currency_id: own?.currency_id as number });
    });
    await world.work((env) =>
      env.sudo().model('project.rate').create({ hourly: '999', user_id: world.other.uid, company_id: company }),
    );
    const project = await world.project();
    expect(await rateOf(await world.log(project, '1', { date: '2026-07-01' }, world.other))).not.toBe('999');
    await world.rate('50', { project_id: project, date_start: '2026-01-01', date_end: '2026-06-30' });
    const twice = world.rate('60', { project_id: project, date_start: '2026-06-30' });
    await expect(twice).rejects.toMatchObject({ message: expect.stringContaining('Another price is valid') });
    await world.rate('60', { project_id: project, date_start: '2026-07-01' });
    await world.rate('20', { project_id: project, date_start: '2026-01-01', kind: 'cost' });
    const backwards = world.rate('1', { date_start: '2020-02-02', date_end: '2020-02-01', project_id: project });
    await expect(backwards).rejects.toMatchObject({ message: expect.stringContaining('end before it began') });
  });

  it('PBL-2 stays when rates change, follows its own day, and is filled in where it was missing', async () => {
    const project = await world.project();
    const newcomer = await world.person('Iris Newcomer', ['project.group_user']);
    const rate = await world.rate('70', { project_id: project });
    const entry = await world.log(project, '2', { date: '2026-05-04' });
    await world.run((env) => env.model('project.rate').write([rate], { hourly: '75', date_end: '2026-05-31' }));
    await world.rate('90', { project_id: project, date_start: '2026-06-01' });
    expect(await rateOf(entry)).toBe('70');
    await world.run((env) => env.model('project.time').call([entry], 'update_rates'), world.manager);
    expect(await rateOf(entry)).toBe('75');
    await world.run((env) => env.model('project.time').write([entry], { date: '2026-06-02' }), world.member);
    expect(await rateOf(entry)).toBe('90');
    // A manager may overrule it.
    await world.run((env) => env.model('project.time').write([entry], { rate: '100' }), world.manager);
    expect(await look(world, 'project.time', entry, 'rate', 'amount')).toEqual({ rate: '100', amount: '200' });
    const own = { user_id: newcomer.uid, project_id: await world.project() };
    await world.run(async (env) => {
      const defaults = await env.model('project.rate').search([['general_company_id', '!=', null]]);
      await env.model('project.rate').unlink(defaults);
    });
    const missing = await world.log(own.project_id, '3', { date: '2026-05-04' }, newcomer);
    expect(await rateOf(missing)).toBeNull();
    await expect(invoiceTime(world, [own.project_id])).rejects.toMatchObject({
      message: expect.stringContaining('No hourly rate is known for Iris Newcomer'),
    });
    await world.rate('40', { ...own, date_start: '2026-05-05' });
    expect(await rateOf(missing)).toBeNull();
    await world.rate('35', { ...own, date_end: '2026-05-04' });
    expect(await look(world, 'project.time', missing, 'rate', 'amount')).toEqual({ rate: '35', amount: '105' });
  });
});

describe('what is billable', () => {
  it('PBL-3 follows the project and the task, and may be changed on the entry', async () => {
    const project = await world.project();
    await world.rate('10', { project_id: project });
    const task = await world.run((env) =>
      env.model('project.task').create({ name: 'Internal meeting', project_id: project, is_billable: false }),
    );
    const names = ['is_billable', 'billing_state', 'amount', 'hours_billable'];
    const inside = await world.log(project, '1', { task_id: task });
    const outside = await world.log(project, '2');
    const no = { is_billable: false, billing_state: 'none', amount: '0', hours_billable: '0' };
    const yes = { is_billable: true, billing_state: 'open', amount: '20', hours_billable: '2' };
    expect(await look(world, 'project.time', inside, ...names)).toEqual(no);
    expect(await look(world, 'project.time', outside, ...names)).toEqual(yes);
    await world.run((env) => env.model('project.time').write([outside], { is_billable: false }), world.member);
    expect(await look(world, 'project.time', outside, ...names)).toEqual(no);
    await world.run((env) => env.model('project.time').write([outside], { is_billable: true }), world.member);
    const bill = (billing: 'none' | 'fixed' | 'time') =>
      world.run((env) => env.model('project.project').write([project], { billing }), world.manager);
    await bill('fixed');
    expect(await look(world, 'project.time', outside, ...names)).toEqual({ ...yes, billing_state: 'fixed' });
    await bill('none');
    expect(await look(world, 'project.time', outside, ...names)).toEqual({ ...no, is_billable: true });
    const nobody = world.run((env) =>
      env.model('project.project').create({ name: 'Ours', billing: 'time', partner_id: null }),
    );
    await expect(nobody).rejects.toMatchObject({ message: expect.stringContaining('Choose the customer who pays') });
  });
});
