import { sql } from '@kontor/database';
import { addDays, type DayData, dateIn, type HomeScreenData } from '@kontor/protocol';
import { noon, statementsOfRequest } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { eventually, openBus } from './bus-socket.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let tom: TestUser;
let mia: TestUser;
let stranger: TestUser;
let project: number;
let customer: number;
const { tz, today } = noon();
const inDays = (days: number) => addDays(today, days);

beforeAll(async () => {
  world = await startTestServer({ modules: ['sale', 'project'] });
  const groups = ['base.group_user', 'sale.group_user', 'project.group_user'];
  tom = await world.user('Tom', groups, { tz });
  mia = await world.user('Mia', groups, { tz: 'Pacific/Kiritimati' });
  stranger = await world.user('Rolf');
  customer = await make('core.partner', { name: 'Brightwater Logistics' });
  project = await make('project.project', { name: 'Harbour hotel', user_id: tom.id });
  await world.work((env) => env.model('project.project').call([project], 'start'));
});
afterAll(() => world.close());

const make = (model: string, values: object) => world.work((env) => env.model(model).create({ ...values }));
const write = (model: string, id: number, values: object) =>
  world.work((env) => env.model(model).write([id], { ...values }));
const task = (name: string, days: number, values: object = {}) =>
  make('project.task', {
    name,
    project_id: project,
    date_deadline: inDays(days),
    assignee_ids: [['set', [tom.id]]],
    ...values,
  });
const quotation = (days: number, values: object = {}) =>
  make('sale.order', {
    partner_id: customer,
    user_id: tom.id,
    date_order: `${inDays(-60)}T08:00:00Z`,
    validity_date: inDays(days),
    ...values,
  });
const activity = async (name: string, days: number, values: object = {}) =>
  make('mail.activity', {
    ...{ name, model: 'project.project', res_id: project, user_id: tom.id, due_date: inDays(days) },
    type_id: await world.work((env) => env.ref('mail.type_call')),
    ...values,
  });
async function dayOf({ browser }: { readonly browser: Browser }): Promise<DayData> {
  const answer = await browser.get('/web/home', { accept: 'application/json' });
  return ((await answer.json()) as { result: HomeScreenData }).result.day;
}
const titles = (day: DayData) => day.items.map((item) => item.title);
async function sqlCount(statement: ReturnType<typeof sql>): Promise<number> {
  const [row] = await world.kernel.database.query<{ n: number }>(statement);
  return row?.n ?? -1;
}

describe('a day', () => {
  it('DAY-1 has late and due activities, tasks and expiring quotations, the most urgent first, as SQL counts them', async () => {
    await task('Approve the plan', -1);
    await task('Measure', 0);
    await task('Next month', 30);
    await task('Of somebody else', 0, { assignee_ids: [['set', [mia.id]]] });
    await activity('Call about the window', -2);
    await activity('Follow up', 2);
    await activity('Of Mia', 0, { user_id: mia.id });
    const order = await quotation(5);
    await quotation(-3);
    await quotation(-40);
    const day = await dayOf(tom);
    expect(day.today).toBe(today);
    expect(titles(day)).toEqual([
      expect.stringMatching(/ has expired$/),
      'Call about the window',
      'Approve the plan',
      'Measure',
      'Follow up',
      expect.stringMatching(/ expires$/),
    ]);
    const [tasks, orders, activities] = await Promise.all([
      sqlCount(sql`select count(*)::int4 as n from project_task t
        join project_task_assignee_rel r on r.task_id = t.id and r.user_id = ${tom.id}
        where t.state = 'open' and t.date_deadline <= ${today}::date + 3`),
      sqlCount(sql`select count(*)::int4 as n from sale_order where user_id = ${tom.id} and state in ('draft', 'sent')
        and validity_date between ${today}::date - 14 and ${today}::date + 7`),
      sqlCount(sql`select count(*)::int4 as n from mail_activity
        where user_id = ${tom.id} and not done and due_date <= ${today}::date + 3`),
    ]);
    const counts = Object.fromEntries(day.kinds.map((kind) => [kind.label, kind.count]));
    expect(counts).toEqual({ Activities: activities, Tasks: tasks, Quotations: orders });
    expect(day.items.find((item) => item.id === order && item.model === 'sale.order')).toMatchObject({
      about: ['Brightwater Logistics'],
      amount: { value: 0, currency: 'USD' },
      icon: 'file-clock',
      acts: [{ name: 'action_confirm', label: 'Confirm', isDone: false }],
    });
    expect(day.items[1]).toMatchObject({
      about: ['Harbour hotel'],
      icon: 'phone',
      href: `/web?model=project.project&view_type=form&id=${project}`,
      acts: [{ name: 'action_done', label: 'Done', isDone: true }],
    });
    expect(Object.fromEntries(day.kinds.map((kind) => [kind.label, kind.dateField]))).toEqual({
      Activities: 'due_date',
      Tasks: 'date_deadline',
      Quotations: null,
    });
  });

  it('DAY-2 shows nobody what they may not read', async () => {
    const other = await make('core.company', { name: 'Südlicht', currency_id: await currency() });
    const hidden = await world.work((env) =>
      env
        .sudo()
        .model('sale.order')
        .create({
          ...{ partner_id: customer, user_id: tom.id, company_id: other, validity_date: inDays(1) },
        }),
    );
    const day = await dayOf(tom);
    expect(day.items.some((item) => item.model === 'sale.order' && item.id === hidden)).toBe(false);
    const theirs = await dayOf(stranger);
    expect(theirs.kinds.map((kind) => kind.label)).toEqual(['Activities']);
    expect(theirs).toMatchObject({ items: [], next: null, recent: [], followed: [] });
  });

  it('DAY-3 is one request whose statements do not grow with what is due', async () => {
    const cost = () => statementsOfRequest(world.kernel.database, () => dayOf(tom));
    await dayOf(tom);
    const few = await cost();
    for (let n = 0; n < 12; n++) await task(`More ${n}`, 0);
    expect(await cost()).toBe(few);
    expect(few).toBeLessThanOrEqual(16);
    for (const item of (await dayOf(tom)).items)
      if (item.title.startsWith('More')) await write('project.task', item.id, { assignee_ids: [['clear']] });
  });

  it('DAY-4 goes by the day in the person’s time zone, and tells what is next when nothing is due', async () => {
    const far = await world.user('Fay', ['base.group_user'], { tz: 'Etc/GMT+12' });
    const hers = dateIn('Etc/GMT+12', new Date());
    await activity('Water the plants', 0, { user_id: far.id, due_date: addDays(hers, 4) });
    expect(await dayOf(far)).toMatchObject({
      today: hers,
      items: [],
      next: { title: 'Water the plants', date: addDays(hers, 4) },
    });
    await activity('Lock the door', 0, { user_id: far.id, due_date: addDays(hers, 3) });
    expect(titles(await dayOf(far))).toEqual(['Lock the door']);
    expect((await dayOf(mia)).today).toBe(dateIn('Pacific/Kiritimati', new Date()));
    expect((await dayOf(mia)).today > hers).toBe(true);
  });

  it('DAY-5 takes what is done away, and brings it back where that is taken back, which the chatter tells', async () => {
    const id = await activity('Ring the bell', 0);
    const done = await tom.browser.call({ model: 'mail.activity', method: 'call', args: [id, 'action_done'] });
    expect(titles(await dayOf(tom))).not.toContain('Ring the bell');
    const set = Number(done.headers.get('x-change-set'));
    await tom.browser.rpc('sys.change.set', 'call', [set, 'action_revert']);
    expect(titles(await dayOf(tom))).toContain('Ring the bell');
    const said = await tom.browser.get(`/web/wc/chatter?model=project.project&id=${project}`);
    const { messages } = (await said.json()) as { messages: { body: string }[] };
    expect(messages[0]?.body).toContain('Call was reopened:');
    await write('mail.activity', id, { user_id: mia.id });
  });

  it('DAY-6 tells what others did to records that a person follows, and of no others', async () => {
    const mine = await task('Check the fabric', 20);
    const theirs = await task('Of nobody we know', 20, { assignee_ids: [['set', [mia.id]]] });
    const say = (id: number, body: string, who = mia) =>
      who.browser.json('/web/chatter/post', { model: 'project.task', id, body });
    await say(mine, 'The **blue** one & no other');
    await say(theirs, 'Nothing for Tom');
    const before = await dayOf(tom);
    expect(before.followed[0]).toMatchObject({
      ...{ model: 'project.task', id: mine, name: 'Check the fabric', by: 'Mia', kind: 'comment' },
      text: 'The blue one & no other',
    });
    expect(before.followed.some((change) => change.id === theirs)).toBe(false);
    await say(theirs, `Ask @[Tom](user:${tom.id})`);
    expect((await dayOf(tom)).followed[0]).toMatchObject({ id: theirs, kind: 'mention' });
    await world.work((env) => env.model('project.task').write([mine], { priority: '1', name: 'Check all fabrics' }));
    const after = await dayOf(tom);
    expect(after.followed[0]).toMatchObject({
      id: mine,
      kind: 'change',
      by: 'Ada Lindqvist',
      name: 'Check all fabrics',
    });
    expect(after.followed[0]?.changes).toEqual([{ label: 'Task', value: 'Check all fabrics' }]);
    const order = await quotation(40);
    await world.work((env) => env.model('sale.order').write([order], { user_id: mia.id }));
    expect((await dayOf(tom)).followed.some((change) => change.model === 'sale.order')).toBe(false);
  });

  it('DAY-15 follows what a person chose to follow, not what they chose to leave, and only what they may read', async () => {
    const mine = await task('Mute me', 20);
    const theirs = await task('Watch me', 20, { assignee_ids: [['set', [mia.id]]] });
    const say = (id: number, body: string) =>
      mia.browser.json('/web/chatter/post', { model: 'project.task', id, body });
    const state = async (id: number) => {
      const answer = await tom.browser.get(`/web/wc/activities?model=project.task&id=${id}`);
      return ((await answer.json()) as { isFollowed: boolean }).isFollowed;
    };
    const call = async (who: TestUser, method: string, ...args: unknown[]) => {
      const answer = await who.browser.json('/api/rpc', { model: 'mail.follow', method, args });
      return answer.status === 200 ? ((await answer.json()) as { result: unknown }).result : answer.status;
    };
    const follow = (id: number, is_on: boolean, who = tom) =>
      call(who, 'create', { model: 'project.task', res_id: id, is_on });
    expect([await state(mine), await state(theirs)]).toEqual([true, false]);
    await follow(mine, false);
    await follow(theirs, true);
    expect([await state(mine), await state(theirs)]).toEqual([false, true]);
    await say(mine, 'Nobody listens');
    await say(theirs, 'Tom listens');
    const told = async () => (await dayOf(tom)).followed.map(({ name, text }) => `${name}: ${text}`);
    expect((await told())[0]).toBe('Watch me: Tom listens');
    expect((await told()).join()).not.toContain('Mute me');
    await say(mine, `But @[Tom](user:${tom.id}) does`);
    expect((await told())[0]).toBe('Mute me: But @Tom does');
    // Choosing again takes the place of the first choice.
    await follow(theirs, false);
    expect(await state(theirs)).toBe(false);
    expect((await told()).join()).not.toContain('Watch me');
    expect(await follow(mine, true, stranger)).toBe(403);
    const rows = (who: TestUser) => call(who, 'search_read', [['why', '=', 'chose']], ['res_id', 'is_on']);
    expect(await rows(tom)).toMatchObject([
      { res_id: mine, is_on: false },
      { res_id: theirs, is_on: false },
    ]);
    expect(await rows(mia)).toEqual([]);
    await world.work((env) => env.model('project.task').unlink([mine]));
    expect(await rows(tom)).toHaveLength(1);
  });

  it('DAY-7 knows which records a person had open, as long as they may read them', async () => {
    const [first, second] = [await task('First', 20), await task('Second', 20)];
    const bus = await openBus(tom.browser);
    bus.watch({ model: 'project.task', id: first });
    await eventually(async () => expect((await dayOf(tom)).recent.map(({ name }) => name)).toEqual(['First']));
    bus.watch({ model: 'project.task', id: second }, { model: 'core.partner', id: customer });
    await eventually(async () => expect((await dayOf(tom)).recent).toHaveLength(3));
    expect((await dayOf(tom)).recent[2]).toMatchObject({ name: 'First', kind: 'Task', module: 'project' });
    await bus.close();
    await world.work((env) => env.model('project.task').unlink([second]));
    expect((await dayOf(tom)).recent.map(({ name }) => name)).toEqual(['Brightwater Logistics', 'First']);
    expect((await dayOf(mia)).recent).toEqual([]);
  });
});

function currency(): Promise<number> {
  return world.work(async (env) => (await env.model('core.currency').search([], { limit: 1 }))[0] as number);
}
