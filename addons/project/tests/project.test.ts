import { Decimal } from '@kontor/addon';
import { describe, expect, it } from 'vitest';
import { projectWorld } from './project-world.ts';

const world = projectWorld();
const invalid = (message: string) => ({ code: 'VALIDATION_ERROR', message: expect.stringContaining(message) });
const hours = async (model: string, id: number, ...names: string[]) =>
  Object.values(await world().read(model, id, names))
    .slice(1)
    .map(String);
const book = (values: Record<string, unknown>, actor?: ReturnType<typeof world>['admin']) =>
  world().create('project.time', values, actor);

describe('time', () => {
  it('PRJ-5 adds up exactly on the task, on those above it and on the project', async () => {
    const project = await world().project({ hours_planned: 10 });
    const task = await world().task({ project_id: project, hours_planned: '1.5' });
    const child = await world().task({ parent_id: task });
    await book({ task_id: child, hours: '0.1' });
    await book({ task_id: child, hours: '0.2' });
    const third = await book({ task_id: task, hours: '0.45' });
    await book({ project_id: project, hours: 1 });
    expect(await hours('project.task', child, 'hours_spent')).toEqual(['0.3']);
    expect(await hours('project.task', task, 'hours_own', 'hours_spent', 'hours_left', 'progress')).toEqual([
      '0.45',
      '0.75',
      '0.75',
      '50',
    ]);
    expect(await hours('project.project', project, 'hours_spent')).toEqual(['1.75']);
    await world().write('project.time', third, { hours: 5 });
    expect(await hours('project.task', task, 'hours_spent', 'hours_left', 'progress')).toEqual(['5.3', '-3.8', '100']);
    await world().work((env) => env.model('project.time').unlink([third]));
    expect(await hours('project.task', task, 'hours_spent')).toEqual(['0.3']);
    expect(await hours('project.project', project, 'hours_spent')).toEqual(['1.3']);
  });

  it('PRJ-5 goes with its task to another project, and with a subtask to another task', async () => {
    const [one, other] = [await world().project(), await world().project()];
    const [task, next] = [await world().task({ project_id: one }), await world().task({ project_id: one })];
    const child = await world().task({ parent_id: task });
    await book({ task_id: child, hours: 2 });
    await world().write('project.task', child, { parent_id: next });
    expect(await hours('project.task', task, 'hours_spent')).toEqual(['0']);
    expect(await hours('project.task', next, 'hours_spent')).toEqual(['2']);
    await world().write('project.task', next, { project_id: other });
    expect(await hours('project.project', one, 'hours_spent')).toEqual(['0']);
    expect(await hours('project.project', other, 'hours_spent')).toEqual(['2']);
  });

  it.each([
    [{ hours: 0 }, 'Enter the hours it took.'],
    [{ hours: -1 }, 'Enter the hours it took.'],
    [{ hours: 25 }, 'At most 24'],
  ])('PRJ-5 %j is refused', async (values, message) => {
    await expect(book({ project_id: await world().project(), ...values })).rejects.toMatchObject(invalid(message));
  });

  it('PRJ-5 keeps its task and its project from being deleted', async () => {
    const project = await world().create('project.project', { name: 'Planned only' });
    const task = await world().task({ project_id: project });
    const entry = await book({ task_id: task, hours: 1 });
    const remove = (model: string, id: number) => world().work((env) => env.model(model).unlink([id]));
    for (const [model, id] of [
      ['project.task', task],
      ['project.project', project],
    ] as const) {
      await expect(remove(model, id)).rejects.toMatchObject({ message: expect.stringContaining('still in use') });
    }
    await remove('project.time', entry);
    await remove('project.project', project);
    expect(await world().work((env) => env.model('project.task').count([['id', '=', task]]))).toBe(0);
  });

  it('PRJ-5 is booked on a task of the project, while the project is open', async () => {
    const [one, other] = [await world().project(), await world().project()];
    const task = await world().task({ project_id: one });
    const mixed = book({ project_id: other, task_id: task, hours: 1 });
    await expect(mixed).rejects.toMatchObject(invalid('The task belongs to another project.'));
    await world().call('project.project', other, 'close');
    const late = book({ project_id: other, hours: 1 });
    await expect(late).rejects.toMatchObject(invalid('The project is closed; no time can be logged on it.'));
    const { value } = await world().work((env) => env.model('project.time').onchange({ task_id: task }, ['task_id']));
    expect(value).toMatchObject({ project_id: one });
    const onNewTask = world().work((env) => env.model('project.time').onchange({ task_id: {} }, ['task_id']));
    expect(await onNewTask).toMatchObject({ value: {} });
  });
});

describe('projects', () => {
  it('PRJ-6 tell how many tasks are open and how far they are', async () => {
    const project = await world().project();
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push(await world().task({ project_id: project }));
    await world().call('project.task', ids[0] as number, 'done');
    await world().call('project.task', ids[1] as number, 'cancel');
    expect(await world().read('project.project', project, ['task_count', 'open_task_count', 'progress'])).toMatchObject(
      {
        task_count: 4,
        open_task_count: 2,
        progress: new Decimal('33.33'),
      },
    );
  });

  it('PRJ-6 are closed once nothing is open, take nothing new then, and are reopened by a manager', async () => {
    const lead = await world().person('Lea', ['project.group_user']);
    const project = await world().project({}, lead);
    const task = await world().task({ project_id: project }, lead);
    const close = () => world().call('project.project', project, 'close', lead);
    await expect(close()).rejects.toMatchObject({ code: 'USER_ERROR', message: /Finish or cancel the open tasks/ });
    await world().call('project.task', task, 'done', lead);
    await close();
    await expect(world().task({ project_id: project }, lead)).rejects.toMatchObject(invalid('The project is closed.'));
    await expect(world().call('project.task', task, 'reopen', lead)).rejects.toMatchObject(
      invalid('The project is closed.'),
    );
    await expect(world().call('project.project', project, 'reopen', lead)).rejects.toMatchObject({
      code: 'USER_ERROR',
      message: 'Only a manager can reopen a closed project.',
    });
    await world().call('project.project', project, 'reopen');
    const remove = world().work((env) => env.model('project.project').unlink([project]));
    await expect(remove).rejects.toMatchObject({ code: 'USER_ERROR' });
  });

  it('PRJ-6 open their tasks and time', async () => {
    const project = await world().project();
    const domain = encodeURIComponent(JSON.stringify([['project_id', '=', project]]));
    expect(await world().call('project.project', project, 'open_tasks')).toEqual({
      redirect: `/web?model=project.task&view_type=kanban&domain=${domain}&context=${encodeURIComponent(JSON.stringify({ default_project_id: project }))}`,
    });
    expect(await world().call('project.project', project, 'open_time')).toMatchObject({
      redirect: expect.stringContaining('model=project.time&view_type=list'),
    });
    const wrong = world().project({ date_start: '2026-05-02', date_end: '2026-05-01' });
    await expect(wrong).rejects.toMatchObject(invalid('A project cannot end before it begins.'));
  });
});

describe('who sees what', () => {
  it('PRJ-7 own, team, all', async () => {
    const [lead, member, outsider, manager, stranger] = [
      await world().person('Lou', ['project.group_user']),
      await world().person('Max', ['project.group_user']),
      await world().person('Noa', ['project.group_user']),
      await world().person('Oli', ['project.group_manager']),
      await world().person('Pat'),
    ];
    const secret = await world().project({ visibility: 'members', member_ids: [['link', member.uid]] }, lead);
    const open = await world().project({}, lead);
    const hidden = await world().task({ project_id: secret, assignee_ids: [['link', member.uid]] }, lead);
    const count = (model: string, id: number, actor: typeof lead) =>
      world().work((env) => env.model(model).count([['id', '=', id]]), actor);
    for (const [actor, seen] of [
      [lead, 1],
      [member, 1],
      [outsider, 0],
      [manager, 1],
    ] as const) {
      expect(await count('project.project', secret, actor)).toBe(seen);
      expect(await count('project.task', hidden, actor)).toBe(seen);
      expect(await count('project.project', open, actor)).toBe(1);
    }
    await expect(count('project.project', open, stranger)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(world().write('project.project', open, { name: 'Mine' }, member)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      details: { layer: 'rule' },
    });
    await world().write('project.project', open, { name: 'Ours' }, lead);
    await world().write('project.task', hidden, { name: 'Done soon' }, member);
    await world().call('project.task', await world().task({ project_id: open }, lead), 'take', outsider);
  });

  it('PRJ-7 time is seen by its owner and the one who leads the project, and changed by its owner', async () => {
    const [lead, worker, other] = [
      await world().person('Qi', ['project.group_user']),
      await world().person('Ros', ['project.group_user']),
      await world().person('Sam', ['project.group_user']),
    ];
    const project = await world().project({}, lead);
    const entry = await book({ project_id: project, hours: 3 }, worker);
    const seen = (actor: typeof lead) =>
      world().work((env) => env.model('project.time').count([['id', '=', entry]]), actor);
    expect([await seen(lead), await seen(worker), await seen(other)]).toEqual([1, 1, 0]);
    await expect(world().write('project.time', entry, { hours: 1 }, lead)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await expect(book({ project_id: project, hours: 1, user_id: worker.uid }, other)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await world().write('project.time', entry, { hours: 1 }, worker);
    await world().write('project.time', entry, { hours: 2 });
    const stage = world().create('project.stage', { name: 'X' }, worker);
    await expect(stage).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'model' } });
  });

  it('PRJ-7 projects of another company are hidden with their tasks', async () => {
    const task = await world().work(async (env) => {
      const server = env.sudo();
      const company = await server
        .model('core.company')
        .create({ name: 'Deuxième', currency_id: await env.ref('base.EUR') });
      const project = await server.model('project.project').create({ name: 'Theirs', company_id: company });
      return server.model('project.task').create({ name: 'Hidden', project_id: project });
    });
    expect(await world().work((env) => env.model('project.task').count([['id', '=', task]]))).toBe(0);
  });
});
