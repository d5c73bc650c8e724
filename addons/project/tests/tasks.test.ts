import { Decimal } from '@kontor/addon';
import { describe, expect, it } from 'vitest';
import { projectWorld } from './project-world.ts';

const world = projectWorld();
const refusedWith = (message: string | RegExp) => ({ code: 'USER_ERROR', message: expect.stringMatching(message) });
const invalid = (message: string) => ({ code: 'VALIDATION_ERROR', message: expect.stringContaining(message) });
const state = async (id: number) => (await world().read('project.task', id, ['state'])).state;

describe('stages', () => {
  it('PRJ-1 a task begins in the first shared stage, or in the first of the project', async () => {
    const [shared, own] = [await world().project(), await world().project()];
    const stage = await world().create('project.stage', {
      name: 'Sketch',
      sequence: 99,
      project_ids: [['set', [own]]],
    });
    const tasks = [await world().task({ project_id: shared }), await world().task({ project_id: own })];
    expect(await Promise.all(tasks.map((id) => world().read('project.task', id, ['stage_id'])))).toMatchObject([
      { stage_id: world().stages.todo },
      { stage_id: stage },
    ]);
    const wrong = world().write('project.task', tasks[0] as number, { stage_id: stage });
    await expect(wrong).rejects.toMatchObject(invalid('This stage is not for this Project.'));
    await world().write('project.task', tasks[1] as number, { project_id: shared });
    expect(await world().read('project.task', tasks[1] as number, ['stage_id'])).toMatchObject({
      stage_id: world().stages.todo,
    });
  });

  it('PRJ-2 stage and state go together: by button, by drag and back', async () => {
    const id = await world().task({ project_id: await world().project() });
    await world().call('project.task', id, 'done');
    const done = await world().read('project.task', id, ['state', 'stage_id', 'progress', 'date_closed']);
    expect(done).toMatchObject({ state: 'done', stage_id: world().stages.done, progress: new Decimal(100) });
    expect(done.date_closed).not.toBeNull();
    await world().write('project.task', id, { stage_id: world().stages.doing });
    expect(await world().read('project.task', id, ['state', 'date_closed'])).toMatchObject({
      state: 'open',
      date_closed: null,
    });
    await world().write('project.task', id, { stage_id: world().stages.done });
    expect(await state(id)).toBe('done');
    await world().call('project.task', id, 'reopen');
    expect(await world().read('project.task', id, ['state', 'stage_id'])).toMatchObject({
      state: 'open',
      stage_id: world().stages.todo,
    });
  });

  it('PRJ-2 a cancelled task is reopened before it is done', async () => {
    const id = await world().task({ project_id: await world().project() });
    await world().call('project.task', id, 'cancel');
    await expect(world().call('project.task', id, 'done')).rejects.toMatchObject(
      refusedWith('is "Cancelled" and cannot become "Done". From here it can become "Open".'),
    );
    const made = await world().task({ project_id: await world().project(), stage_id: world().stages.done });
    expect(await state(made)).toBe('done');
  });
});

describe('dependencies', () => {
  it('PRJ-3 a task waits for those it depends on, and says so', async () => {
    const project = await world().project();
    const first = await world().task({ project_id: project });
    const second = await world().task({ project_id: project, depends_on_ids: [['link', first]] });
    expect(await world().read('project.task', second, ['is_blocked'])).toMatchObject({ is_blocked: true });
    for (const values of [{ state: 'done' }, { stage_id: world().stages.done }]) {
      await expect(world().write('project.task', second, values)).rejects.toMatchObject(
        refusedWith('Finish the tasks that it depends on first.'),
      );
    }
    await world().call('project.task', first, 'done');
    expect(await world().read('project.task', second, ['is_blocked', 'depends_on_ids'])).toMatchObject({
      is_blocked: false,
    });
    expect(await world().read('project.task', first, ['blocking_ids'])).toMatchObject({ blocking_ids: [second] });
    await world().call('project.task', second, 'done');
    expect(await state(second)).toBe('done');
  });

  it('PRJ-3 a circle is refused, through others and through subtasks too', async () => {
    const project = await world().project();
    const [a, b, c] = [
      await world().task({ project_id: project }),
      await world().task({ project_id: project }),
      await world().task({ project_id: project }),
    ];
    await world().write('project.task', b, { depends_on_ids: [['link', a]] });
    await world().write('project.task', c, { depends_on_ids: [['link', b]] });
    const circle = invalid('A task cannot depend on itself');
    await expect(world().write('project.task', a, { depends_on_ids: [['link', c]] })).rejects.toMatchObject(circle);
    await expect(world().write('project.task', a, { depends_on_ids: [['link', a]] })).rejects.toMatchObject(circle);
    await expect(world().write('project.task', c, { blocking_ids: [['link', a]] })).rejects.toMatchObject(circle);
    await expect(world().write('project.task', a, { child_ids: [['link', c]] })).rejects.toMatchObject(circle);
    await expect(world().write('project.task', a, { parent_id: a })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const child = await world().task({ parent_id: a });
    await expect(world().write('project.task', child, { depends_on_ids: [['link', a]] })).rejects.toMatchObject(circle);
    await world().write('project.task', a, { depends_on_ids: [['link', child]] });
  });
});

describe('subtasks', () => {
  it('PRJ-4 belong to the project of their task, move with it, and are found below it', async () => {
    const [one, other] = [await world().project(), await world().project()];
    const task = await world().task({ project_id: one });
    const child = await world().task({ parent_id: task });
    const grandchild = await world().task({ parent_id: child });
    await expect(world().write('project.task', child, { project_id: other })).rejects.toMatchObject(
      invalid('A subtask belongs to the project of its task.'),
    );
    await world().write('project.task', task, { project_id: other });
    expect(await world().read('project.task', grandchild, ['project_id'])).toMatchObject({ project_id: other });
    const below = await world().work((env) =>
      env.model('project.task').search([['id', 'child_of', task]], { order: 'id' }),
    );
    expect(below).toEqual([task, child, grandchild]);
    await expect(world().write('project.task', task, { parent_id: grandchild })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('PRJ-4 are closed before their task is done', async () => {
    const task = await world().task({ project_id: await world().project(), child_ids: [['create', { name: 'Part' }]] });
    const [child] = (await world().read('project.task', task, ['child_ids'])).child_ids as [number];
    await expect(world().call('project.task', task, 'done')).rejects.toMatchObject(
      refusedWith('Finish or cancel its subtasks first.'),
    );
    await world().call('project.task', child, 'cancel');
    await world().call('project.task', task, 'done');
    expect(await state(task)).toBe('done');
  });

  it('PRJ-4 a task cannot end before it begins', async () => {
    const values = { date_start: '2026-05-02T08:00:00Z', date_end: '2026-05-01T08:00:00Z' };
    const create = world().task({ project_id: await world().project(), ...values });
    await expect(create).rejects.toMatchObject(invalid('A task cannot end before it begins.'));
  });
});

describe('a day with tasks', () => {
  it('SCN-37 a checklist tells how many of its steps are done', async () => {
    const id = await world().task({
      project_id: await world().project(),
      item_ids: [
        ['create', { name: 'Measure', is_done: true }],
        ['create', { name: 'Draw' }],
      ],
    });
    expect(await world().read('project.task', id, ['checklist'])).toMatchObject({ checklist: '1/2' });
  });

  it('SCN-37 a task that repeats is followed by the next when it is done, until its last day', async () => {
    const project = await world().project();
    const id = await world().task({
      name: 'Water the plants',
      project_id: project,
      date_deadline: '2027-01-31',
      repeat: 'month',
      repeat_until: '2027-03-01',
      item_ids: [['create', { name: 'Hall', is_done: true }]],
    });
    const open = () =>
      world().work((env) =>
        env.model('project.task').searchRead(
          [
            ['project_id', '=', project],
            ['state', '=', 'open'],
          ],
          ['name', 'date_deadline', 'repeat', 'checklist'],
        ),
      );
    await world().call('project.task', id, 'done');
    const [next, ...others] = await open();
    expect(next).toMatchObject({
      name: 'Water the plants',
      date_deadline: '2027-02-28',
      repeat: 'month',
      checklist: '0/1',
    });
    expect(others).toEqual([]);
    await world().call('project.task', id, 'reopen');
    await world().call('project.task', id, 'done');
    expect(await open()).toHaveLength(1);
    await world().call('project.task', Number(next?.id), 'done');
    expect(await open()).toEqual([]);
  });

  it('LAN-5 a task that repeats keeps its time of day when clocks are changed in between', async () => {
    const { person, work } = world();
    const berliner = await person('Berta Berlin', ['project.group_manager'], { tz: 'Europe/Berlin' });
    const project = await world().project({}, berliner);
    const times = { date_start: '2026-10-23T07:00:00.000Z', date_end: '2026-10-23T08:30:00.000Z' };
    const id = await world().task(
      { project_id: project, repeat: 'week', date_deadline: '2026-10-23', ...times },
      berliner,
    );
    await world().call('project.task', id, 'done', berliner);
    const [next] = await work((env) =>
      env
        .sudo()
        .model('project.task')
        .searchRead(
          [
            ['project_id', '=', project],
            ['state', '=', 'open'],
          ],
          ['date_deadline', 'date_start', 'date_end'],
        ),
    );
    // Nine in the morning, in summer and in winter.
    expect(next).toMatchObject({
      date_deadline: '2026-10-30',
      date_start: '2026-10-30T08:00:00.000Z',
      date_end: '2026-10-30T09:30:00.000Z',
    });
  });

  it('SCN-37 a clock books the time that passed on the task, one at a time', async () => {
    const project = await world().project();
    const [one, other] = [await world().task({ project_id: project }), await world().task({ project_id: project })];
    await world().call('project.task', one, 'start_timer');
    expect(await world().read('project.task', one, ['is_timed'], world().admin)).toMatchObject({ is_timed: true });
    await world().work(async (env) => {
      const server = env.sudo();
      const ids = await server.model('project.timer').search([]);
      await server
        .model('project.timer')
        .write(ids, { started_at: new Date(env.now.getTime() - 5_400_000).toISOString() });
    });
    await world().call('project.task', other, 'start_timer');
    const spent = (await world().read('project.task', one, ['hours_spent'])).hours_spent as Decimal;
    expect(spent.toString()).toBe('1.5');
    await world().call('project.task', other, 'stop_timer');
    expect((await world().read('project.task', other, ['hours_spent'])).hours_spent).toEqual(new Decimal('0.01'));
    expect(await world().read('project.task', other, ['is_timed'], world().admin)).toMatchObject({ is_timed: false });
  });
});
