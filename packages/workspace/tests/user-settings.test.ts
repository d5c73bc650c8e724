import { expectQueries } from '@kontor/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { interfaceIn } from '../interface/load-interface.ts';
import { userSettings } from '../settings/load-user-settings.ts';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
  await desk.create([
    { name: 'One', kind: 'bug', hours: 1 },
    { name: 'Two', kind: 'idea', hours: 2 },
  ]);
});
afterAll(() => desk.close());

const names = (records: readonly object[]) => records.map((record) => (record as { name: string }).name);
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code: string; details: { layer?: string } }) => `${error.code} ${error.details.layer ?? ''}`.trim(),
  );
const search = (values: object, actor = desk.agent) =>
  desk.work(
    (env) => env.model('sys.saved.search').create({ model: 'desk.ticket', query: 'filter=bugs', ...values }),
    actor,
  );

it('WSP-21 searches are one person’s own, or shared; only their owner or an administrator changes them', async () => {
  const own = await search({ name: 'Mine' });
  const shared = await search({ name: 'Everybody’s', is_shared: true, query: '?filter=ideas', action: 'desk.tickets' });
  const saved = async (actor = desk.agent) => (await desk.open('action=desk.tickets', actor)).arch.search.saved;
  expect(await saved()).toEqual([
    { id: shared, name: 'Everybody’s', isShared: true, isMine: true, isDefault: false, query: 'filter=ideas' },
    { id: own, name: 'Mine', isShared: false, isMine: true, isDefault: false, query: 'filter=bugs' },
  ]);
  expect(await saved(desk.reader)).toMatchObject([{ name: 'Everybody’s', isMine: false }]);
  expect((await desk.open('action=desk.my_tickets')).arch.search.saved.map(({ name }) => name)).toEqual(['Mine']);

  const write = (actor: typeof desk.agent, id: number) =>
    outcome(desk.work((env) => env.model('sys.saved.search').write([id], { name: `Changed ${id}` }), actor));
  expect(await write(desk.reader, shared)).toBe('ACCESS_DENIED rule');
  expect(await write(desk.reader, own)).toBe('ACCESS_DENIED rule');
  expect(await write(desk.admin, shared)).toBe('ok');
  expect(await write(desk.agent, own)).toBe('ok');
  const unlink = desk.work((env) => env.model('sys.saved.search').unlink([shared]), desk.reader);
  expect(await outcome(unlink)).toBe('ACCESS_DENIED rule');
  expect(await outcome(search({ name: 'Bad', model: 'desk.nothing' }))).toBe('VALIDATION_ERROR');
  expect(await outcome(search({ name: `Changed ${own}` }))).toBe('VALIDATION_ERROR');
});

it('WSP-22 a screen opens with the search that its person keeps for it, unless they say what to search for', async () => {
  const first = await search({
    name: 'First',
    action: 'desk.tickets',
    is_default: true,
    query: 'filter=ideas&sort=name',
  });
  const opened = await desk.open('action=desk.tickets');
  expect(names(opened.records)).toEqual(['Two']);
  expect(opened).toMatchObject({ listFilter: 'ideas', listSort: 'name' });
  expect((await desk.open('action=desk.tickets&filter=')).listTotal).toBe(2);
  expect((await desk.open('action=desk.tickets', desk.reader)).listTotal).toBe(2);
  const second = await search({ name: 'Second', action: 'desk.tickets', is_default: true });
  const rows = await desk.work(
    (env) => env.model('sys.saved.search').read([first, second], ['is_default']),
    desk.agent,
  );
  expect(rows.map((row) => row.is_default)).toEqual([false, true]);
  await desk.work((env) => env.model('sys.saved.search').unlink([first, second]), desk.agent);
  expect((await desk.open('action=desk.tickets')).listTotal).toBe(2);
});

it('FIG-11 an action opens with conditions that can be taken away, and the person’s default search goes before them', async () => {
  const opened = await desk.open('action=desk.ideas&view_type=list');
  expect(names(opened.records)).toEqual(['Two']);
  const opening = new URLSearchParams(opened.arch.search.opening);
  expect(JSON.parse(opening.get('domain') ?? '')).toEqual([['kind', '=', 'idea']]);
  expect(opening.get('compare')).toBe('year');
  const tab = opened.viewTabs.find(({ mode }) => mode === 'graph');
  expect(new URLSearchParams(tab?.href.split('?')[1]).get('domain')).toBe('[["kind","=","idea"]]');
  expect((await desk.open('action=desk.ideas&view_type=list&filter=')).listTotal).toBe(2);
  expect((await desk.open('action=desk.tickets')).arch.search.opening).toBeUndefined();
  const own = await search({ name: 'Bugs', action: 'desk.ideas', is_default: true, query: 'filter=' });
  expect((await desk.open('action=desk.ideas&view_type=list')).listTotal).toBe(2);
  await desk.work((env) => env.model('sys.saved.search').unlink([own]), desk.agent);
});

it('FIG-14 a default search keeps scale and colour of a calendar and a gantt', async () => {
  const own = await search({
    ...{ name: 'Weeks', action: 'desk.tickets', is_default: true, query: 'filter=&scale=week&color=kind' },
  });
  const calendar = await desk.open('action=desk.tickets&view_type=calendar');
  expect(calendar.arch.calendar).toMatchObject({ mode: 'week', color: 'kind' });
  const gantt = await desk.open('action=desk.tickets&view_type=gantt');
  expect(gantt.arch.gantt).toMatchObject({ scale: 'week', color: 'kind' });
  expect((await desk.open('action=desk.tickets&view_type=gantt&scale=year')).arch.gantt?.scale).toBe('year');
  await desk.work((env) => env.model('sys.saved.search').unlink([own]), desk.agent);
});

it('WSP-23 settings are one’s own; column choices come back with the list, without columns that are gone', async () => {
  const value = { order: ['stage_id', 'name', 'gone'], hidden: ['cost'], widths: { name: 240, kind: -1, gone: 80 } };
  const set = (key: string, given: unknown, actor = desk.agent) =>
    desk.work((env) => env.model('sys.user.setting').create({ key, value: given }), actor);
  const id = await set('columns:desk.tickets', value);
  const { arch } = await desk.open('action=desk.tickets');
  expect(arch.columns).toEqual({ order: ['stage_id', 'name'], hidden: ['cost'], widths: { name: 240 } });
  expect((await desk.open('action=desk.tickets', desk.reader)).arch.columns).toBeUndefined();
  expect(await outcome(set('columns:desk.tickets', {}))).toBe('VALIDATION_ERROR');
  await expect(set('theme', 'pink')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { fields: { value: ['A theme is system, light or dark.'] } },
  });
  const others = desk.work((env) => env.model('sys.user.setting').read([id], ['value']), desk.admin);
  expect(await outcome(others)).toBe('ACCESS_DENIED rule');
  const foreign = desk.kernel.transact(
    desk.reader,
    (env) => env.model('sys.user.setting').create({ key: 'x', value: 1, user_id: desk.agent.uid }),
    { isOutside: true },
  );
  expect(await outcome(foreign)).toBe('ACCESS_DENIED field');
});

it('WSP-23 folded columns come back with the kanban', async () => {
  const set = (key: string, value: unknown) =>
    desk.work((env) => env.model('sys.user.setting').create({ key, value }), desk.agent);
  const { New, Done } = desk.stages;
  await set('folds:desk.tickets', {
    [`["stage_id",${New}]`]: true,
    [`["stage_id",${Done}]`]: false,
    '["kind","bug"]': 1,
  });
  const folds = async (query: string, actor = desk.agent) =>
    (await desk.open(`action=desk.tickets&view_type=kanban${query}`, actor)).arch.kanban?.columns.flatMap(
      ({ value, label, fold }) => (value === null ? [] : [`${label} ${fold}`]),
    );
  expect(await folds('')).toEqual(['New true', 'Doing false', 'Done false']);
  expect(await folds('', desk.reader)).toEqual(['New false', 'Doing false', 'Done true']);
  expect(await folds('&group_by=kind')).toContain('Defect false');
});

it('WSP-24 settings and views are kept in each process until somebody changes them in any', async () => {
  const other = await desk.another();
  const uid = desk.agent.uid;
  await desk.open('action=desk.tickets');
  await expectQueries(desk.kernel.database, 0, () => userSettings(desk.kernel, uid));
  await expectQueries(desk.kernel.database, 0, () => interfaceIn(desk.kernel, 'en_US'));
  expect((await userSettings(other, uid)).values.get('theme')).toBeUndefined();
  const before = await interfaceIn(other, 'en_US');
  await desk.work((env) => env.model('sys.user.setting').create({ key: 'theme', value: 'dark' }), desk.agent);
  expect((await userSettings(desk.kernel, uid)).values.get('theme')).toBe('dark');
  await vi.waitFor(async () => expect((await userSettings(other, uid)).values.get('theme')).toBe('dark'), {
    timeout: 120_000,
  });
  expect(await interfaceIn(other, 'en_US')).toBe(before);
  const action = await desk.actionId('desk.tickets');
  await desk.work((env) => env.model('sys.action.window').write([action], { name: 'All tickets' }));
  expect((await desk.open('action=desk.tickets')).arch.title).toBe('All tickets');
  await vi.waitFor(
    async () => expect((await interfaceIn(other, 'en_US')).actions.get(action)?.name).toBe('All tickets'),
    {
      timeout: 120_000,
    },
  );
});
