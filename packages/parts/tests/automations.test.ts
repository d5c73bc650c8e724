import { fileURLToPath } from 'node:url';
import { sql } from '@kontor/database';
import { upgradeModules } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseAutomationAction } from '../automations/automation.ts';
import { runCronAutomations } from '../automations/run-automations.ts';
import { type JobWorld, jobWorld } from './jobs-world.ts';

const deskAddons = fileURLToPath(new URL('../../workspace/tests/addons', import.meta.url));

interface Desk extends JobWorld {
  /** May work on tickets. */
  readonly agent: Actor;
  create(values: readonly Readonly<Record<string, unknown>>[]): Promise<number[]>;
}

let desk: Desk;
beforeAll(async () => {
  const world = await jobWorld({ modules: ['desk'], addonsPath: [deskAddons] });
  const agent = await world.person('Agent Smith', ['desk.group_agent']);
  await world.work((env) => env.model('desk.stage').create({ name: 'New', sequence: 1 }));
  desk = { ...world, agent, create: (values) => world.work((env) => env.model('desk.ticket').createMany(values)) };
});
afterAll(() => desk.close());

const model = 'sys.automation';
const made: number[] = [];
const automate = async (values: object): Promise<number> => {
  const id = await desk.work((env) =>
    env.model(model).create({ name: 'Rule', model: 'desk.ticket', trigger: 'write', action: 'publish:x.y', ...values }),
  );
  made.push(id);
  return id;
};
const events = async (channel: string) =>
  (
    await desk.kernel.database.query<{ payload: string; model: string }>(
      sql`select payload, model from sys_outbox where channel = ${channel} order by id`,
    )
  ).map(({ payload, model: about }) => ({ ...JSON.parse(payload), about }));
const read = async (id: number, paths: readonly string[]) =>
  (await desk.work((env) => env.model('desk.ticket').read([id], paths)))[0];
const refusal = (values: object) =>
  automate(values).then(
    () => 'ok',
    (error: { code: string; details: { fields: object } }) => `${error.code} ${Object.keys(error.details.fields)}`,
  );

beforeEach(async () => {
  await desk.work((env) => env.model(model).unlink(made.splice(0)));
});

describe('automations', () => {
  it('AUT-1 write: changes the records that match, as the system, in the transaction of the change', async () => {
    await automate({
      trigger: 'create',
      domain: [['kind', '=', 'idea']],
      action: 'write:{"cost": 7, "is_private": true}',
    });
    const created = await desk.kernel.transact(desk.agent, (env) =>
      env.model('desk.ticket').createMany([
        { name: 'Idea', kind: 'idea' },
        { name: 'Question', kind: 'question', cost: 1 },
      ]),
    );
    const [idea, question] = created.result as [number, number];
    // The agent may not see it any more: the automation did not act in the agent's name.
    expect(await read(idea, ['cost', 'write_uid'])).toMatchObject({ cost: 7, write_uid: null });
    expect(await read(question, ['cost'])).toMatchObject({ cost: 1 });
    const kept = await desk.kernel.database.query<{ n: number }>(
      sql`select count(*)::int4 as n from sys_change where set_id = ${created.changeSet} and res_id = ${idea}`,
    );
    expect(kept).toEqual([{ n: 2 }]);
  });

  it('AUT-7 before and after: it runs for a change from something to something only', async () => {
    const [id = 0, other = 0] = await desk.create([
      { name: 'From one', kind: 'idea', cost: 1 },
      { name: 'From two', kind: 'idea', cost: 2 },
    ]);
    await automate({
      before: [
        ['cost', '=', 1],
        ['kind', '=', 'idea'],
      ],
      domain: [['cost', '=', 9]],
      action: 'write:{"is_private": true}',
    });
    await desk.work((env) => env.model('desk.ticket').write([id, other], { cost: 9 }));
    expect([await read(id, ['is_private']), await read(other, ['is_private'])]).toMatchObject([
      { is_private: true },
      { is_private: false },
    ]);
    // It matches before and after, but a later change does not come from there.
    await desk.work((env) => env.model('desk.ticket').write([id], { is_private: false }));
    expect(await read(id, ['is_private'])).toMatchObject({ is_private: false });
    expect(await refusal({ trigger: 'create', before: [['cost', '=', 1]] })).toBe('VALIDATION_ERROR before');
    expect(await refusal({ before: [['stage_id.name', '=', 'New']] })).toBe('VALIDATION_ERROR before');
    expect(await refusal({ before: [['nothing', '=', 1]] })).toBe('VALIDATION_ERROR before');
  });

  it('AUT-8 the records that match now are listed before it is switched on', async () => {
    const id = await automate({ active: false, domain: [['cost', '>', 5]] });
    const answer = await desk.work((env) => env.model(model).call([id], 'show_matching'));
    const query = new URLSearchParams(String((answer as { redirect: string }).redirect).split('?')[1]);
    expect([query.get('model'), query.get('domain')]).toEqual(['desk.ticket', '[["cost",">",5]]']);
  });

  it('AUT-1 what fails in an automation takes all of the change back', async () => {
    const id = (await desk.create([{ name: 'Steady', kind: 'idea' }]))[0] as number;
    await automate({ domain: [['cost', '=', 5]], action: 'write:{"stage_id": 999999}' });
    await expect(desk.work((env) => env.model('desk.ticket').write([id], { cost: 5 }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await read(id, ['cost', 'name'])).toMatchObject({ cost: null, name: 'Steady' });
  });

  it('AUT-4 one that a change of modules broke is left out and told of, and does not stop the work', async () => {
    const rule = await automate({ action: 'write:{"cost": 1}' });
    await desk.kernel.database.execute(
      sql`update sys_automation set action = 'write:{"severity": "high"}' where id = ${rule}`,
    );
    const warn = vi.spyOn(desk.kernel.log, 'warn');
    await desk.work((env) => env.model(model).write([rule], { name: 'Broken' }));
    const id = (await desk.create([{ name: 'Goes on', kind: 'idea' }]))[0] as number;
    await desk.work((env) => env.model('desk.ticket').write([id], { cost: 8 }));
    expect(await read(id, ['cost'])).toMatchObject({ cost: 8 });
    expect(warn).toHaveBeenCalledWith({ automation: 'Broken' }, expect.stringContaining('severity'));
    warn.mockRestore();
  });

  it('AUT-2 publish: writes an event for those who may read the model, on create, write and unlink', async () => {
    await automate({ trigger: 'write', domain: [['kind', '=', 'question']], action: 'publish:desk.asked' });
    await automate({ trigger: 'unlink', domain: [['name', 'ilike', 'gone']], action: 'publish:desk.gone' });
    const [one, two] = (await desk.create([
      { name: 'To be gone', kind: 'question' },
      { name: 'Stays', kind: 'question' },
    ])) as [number, number];
    expect(await events('desk.asked')).toEqual([]);
    await desk.work((env) => env.model('desk.ticket').write([one, two], { cost: 3 }));
    await desk.work((env) => env.model('desk.ticket').write([one, two], { cost: 3 }));
    const about = 'desk.ticket';
    expect(await events('desk.asked')).toEqual([
      { model: about, id: one, about },
      { model: about, id: two, about },
    ]);
    await desk.work((env) => env.model('desk.ticket').unlink([one, two]));
    expect(await events('desk.gone')).toEqual([{ model: about, id: one, about }]);
  });

  it('AUT-3 automations set each other off at most five deep', async () => {
    await automate({ name: 'There', domain: [['cost', '=', 1]], action: 'write:{"cost": 2}' });
    await automate({ name: 'Back', domain: [['cost', '=', 2]], action: 'write:{"cost": 1}' });
    const warn = vi.spyOn(desk.kernel.log, 'warn');
    const id = (await desk.create([{ name: 'Swing', kind: 'idea', cost: 0 }]))[0] as number;
    const { changes } = await desk.kernel.transact(desk.admin, (env) =>
      env.model('desk.ticket').write([id], { cost: 1 }),
    );
    expect(changes.filter((change) => change.model === 'desk.ticket').length).toBeLessThanOrEqual(11);
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toMatchObject({ automations: expect.arrayContaining(['There']) });
    warn.mockRestore();
  });

  it('AUT-4 an automation that cannot run is refused when it is written', async () => {
    expect(await refusal({ model: 'desk.tickets' })).toBe('VALIDATION_ERROR model');
    expect(await refusal({ domain: [['nothing', '=', 1]] })).toBe('VALIDATION_ERROR domain');
    expect(await refusal({ domain: 'x' })).toBe('VALIDATION_ERROR domain');
    expect(await refusal({ action: 'run:code' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'publish:' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'publish:Not A Channel' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'publish:record.updated' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'write:{"nothing": 1}' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'write:{"kind": "flower"}' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'write:{"name": null}' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'write:{"double_hours": 1}' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'write:{"id": 1}' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ action: 'write:[]' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ trigger: 'unlink', action: 'write:{"cost": 1}' })).toBe('VALIDATION_ERROR action');
    expect(await refusal({ trigger: 'unlink', action: 'publish:desk.left' })).toBe('ok');
    expect(parseAutomationAction(' write: {"cost": 1}')).toEqual({ kind: 'write', values: { cost: 1 } });
    const byAgent = desk.work(
      (env) => env.model(model).create({ name: 'x', model: 'desk.ticket', action: 'x' }),
      desk.agent,
    );
    await expect(byAgent).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('AUT-5 the automations of an addon are records that an administrator can change', async () => {
    const bug = (await desk.create([{ name: 'Crash', kind: 'bug' }]))[0];
    expect(await events('desk.bug')).toContainEqual({ model: 'desk.ticket', id: bug, about: 'desk.ticket' });
    const [row] = await desk.work((env) =>
      env.model(model).searchRead([['module', '=', 'desk']], ['name', 'trigger', 'active']),
    );
    expect(row).toMatchObject({ name: 'Tell of bugs', trigger: 'create', active: true });
    await desk.work((env) => env.model(model).write([row?.id as number], { active: false }));
    const before = (await events('desk.bug')).length;
    await desk.kernel.changeModules((context) => upgradeModules(context, ['desk']));
    await desk.create([{ name: 'Another crash', kind: 'bug' }]);
    expect(await events('desk.bug')).toHaveLength(before);
  });

  it('AUT-6 those on a schedule run over every record that matches', async () => {
    const id = await automate({
      trigger: 'cron',
      domain: [['name', '=like', 'Stale%']],
      action: 'write:{"active": false}',
    });
    const ids = await desk.create([{ name: 'Stale 1' }, { name: 'Stale 2' }, { name: 'Fresh' }]);
    await desk.work((env) => env.model('desk.ticket').write(ids, { cost: 1 }));
    const { result } = await desk.kernel.transact(desk.admin, (env) => runCronAutomations(env), { isSudo: true });
    expect(result.get(id)).toBe(2);
    const rows = await desk.work((env) => env.model('desk.ticket').read(ids, ['active']));
    expect(rows.map((row) => row.active)).toEqual([false, false, true]);
  });

  it('AUT-6 the schedule itself runs them, over however many, and no others', async () => {
    const { database } = desk.kernel;
    await database.execute(sql`
      insert into desk_ticket (name, kind, active, is_private) select 'Old ' || n, 'idea', true, false from generate_series(1, 2100) n`);
    const domain = [['name', '=like', 'Old %']];
    await automate({ trigger: 'cron', domain, action: 'write:{"cost": 7}' });
    await automate({ trigger: 'cron', domain, action: 'write:{"hours": 9}', active: false });
    await automate({ trigger: 'write', domain: [...domain, ['cost', '=', 8]], action: 'write:{"hours": 9}' });
    await automate({ trigger: 'create', domain, action: 'write:{"hours": 9}' });
    await database.execute(sql`update sys_cron set run_at = now() where handler = 'base.run_automations'`);
    desk.worker('scheduler');
    await expect
      .poll(() => desk.work((env) => env.model('sys.cron').count([['run_at', '!=', null]])), { timeout: 120_000 })
      .toBe(0);
    const [counts] = await database.query(sql`
      select count(*)::int4 as all, count(*) filter (where cost = 7)::int4 as done, count(hours)::int4 as others
      from desk_ticket where name like 'Old %'`);
    expect(counts).toEqual({ all: 2100, done: 2100, others: 0 });
    const [cron] = await desk.work((env) =>
      env.model('sys.cron').searchRead([['handler', '=', 'base.run_automations']], ['last_error', 'failures']),
    );
    expect(cron).toMatchObject({ last_error: null, failures: 0 });
  });

  it('AUT-1 a dry run tells what automations would have done, and does not do it', async () => {
    await automate({ domain: [['cost', '=', 9]], action: 'write:{"is_private": true}' });
    const id = (await desk.create([{ name: 'Trial', kind: 'idea' }]))[0] as number;
    const { changes } = await desk.kernel.transact(
      desk.admin,
      (env) => env.model('desk.ticket').write([id], { cost: 9 }),
      { isDryRun: true },
    );
    expect(changes.map(({ values }) => Object.keys(values))).toEqual([['cost'], ['is_private']]);
    expect(await read(id, ['cost', 'is_private'])).toMatchObject({ cost: null, is_private: false });
  });
});
