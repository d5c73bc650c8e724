import { sql } from '@kontor/database';
import { type GanttArch, type GroupRow, ganttQuestion } from '@kontor/protocol';
import { expectQueries } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interfaceIn } from '../interface/load-interface.ts';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;
let ids: readonly number[];

beforeAll(async () => {
  desk = await openDesk();
  const { New, Doing } = desk.stages;
  const [bright, nord] = desk.partners;
  const agent = desk.agent.uid;
  ids = await desk.create([
    {
      ...{ name: 'One', kind: 'bug', stage_id: New, partner_id: bright, hours: '1.25', user_id: agent },
      ...{ deadline: '2026-11-10', closed_on: '2026-12-01', start_at: '2026-11-03T09:00:00Z' },
      ...{ stop_at: '2026-11-04T17:00:00Z', latitude: 48.2, longitude: 16.4 },
    },
    {
      ...{ name: 'Two', kind: 'bug', stage_id: Doing, partner_id: nord, hours: '2.50' },
      ...{ deadline: '2026-11-20', start_at: '2026-10-01T09:00:00Z', stop_at: '2026-12-24T17:00:00Z' },
      ...{ latitude: 60.4, longitude: 5.3 },
    },
    { name: 'Three', kind: 'idea', deadline: '2026-12-05', start_at: '2026-11-30T23:30:00Z' },
    { name: 'Four', kind: 'question', is_private: true, stage_id: New },
  ]);
});
afterAll(() => desk.close());

const names = (records: readonly object[]) => records.map((record) => (record as { name: string }).name);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code: string; status: number }) => `${error.status} ${error.code}`,
  );

describe('workspace of a form', () => {
  it('WSP-13 a form holds that record alone, with what the view shows', async () => {
    const payload = await desk.open(`action=desk.tickets&view_type=form&id=${ids[0]}`);
    expect(payload).toMatchObject({ viewType: 'form', recordId: ids[0], formEdit: false });
    expect(payload.records).toHaveLength(1);
    expect(payload.records[0]).toMatchObject({
      id: ids[0],
      name: 'One',
      'partner_id.display_name': 'Brightwater',
      'user_id.display_name': 'Agent Smith',
    });
    expect(String(payload.records[0]?.double_hours)).toBe('2.5');
    expect(payload.records[0]).not.toHaveProperty('note');
    expect(payload.breadcrumbs).toEqual([
      { label: 'Tickets', href: expect.stringContaining('view_type=list') },
      { label: 'One' },
    ]);
    expect(new URLSearchParams(payload.formBaseQuery).get('id')).toBe(String(ids[0]));
    expect(payload.arch.header.buttons.map(({ name }) => name)).toEqual(['action_close']);
    expect(payload.viewTabs.find(({ active }) => active)?.mode).toBe('form');
  });

  it('WSP-13 edit mode is for those who may write', async () => {
    const query = `action=desk.tickets&view_type=form&id=${ids[0]}&edit=1`;
    expect((await desk.open(query)).formEdit).toBe(true);
    expect((await desk.open(query, desk.reader)).formEdit).toBe(false);
  });

  it('WSP-13 a record hidden by a rule is 403, one that does not exist 404', async () => {
    expect(await codeOf(desk.open(`action=desk.tickets&id=${ids[3]}`))).toBe('403 ACCESS_DENIED');
    expect(await codeOf(desk.open('action=desk.tickets&id=999999'))).toBe('404 NOT_FOUND');
    expect(await codeOf(desk.open('action=desk.tickets&id=x'))).toBe('400 INVALID_ARGS');
    expect(await codeOf(desk.open('action=desk.tickets&view_type=form', desk.reader))).toBe('403 ACCESS_DENIED');
  });

  it('WSP-2 a new form opens with the defaults of the action and of the model', async () => {
    const payload = await desk.open('action=desk.tickets&view_type=form');
    expect(payload).toMatchObject({ recordId: 0, formEdit: true, records: [] });
    expect(payload.defaults).toEqual({ kind: 'bug', user_id: desk.agent.uid });
    expect(payload.arch.form?.values).toMatchObject({ kind: 'bug', user_id: desk.agent.uid, active: true, cost: 100 });
    expect(payload.breadcrumbs.at(-1)).toEqual({ label: 'New' });
    const list = await desk.open('action=desk.tickets');
    expect(list.defaults).toEqual({ kind: 'bug', user_id: desk.agent.uid });
    const context = JSON.stringify({ default_kind: 'idea', default_nothing: 1, default_note: 'x' });
    const given = await desk.open({ action: 'desk.tickets', view_type: 'form', context });
    expect(given.defaults).toEqual({ kind: 'idea', user_id: desk.agent.uid });
    expect(given.arch.form?.values).toMatchObject({ kind: 'idea', active: true });
    const stored = await desk.open(`action=desk.tickets&view_type=form&id=${ids[0]}`);
    expect(stored.arch.form).not.toHaveProperty('values');
  });

  it('WSP-14 the pager tells where the record stands in the list that it came from', async () => {
    const { arch } = await desk.open(`action=desk.tickets&view_type=form&id=${ids[1]}`);
    expect(arch.pager).toEqual({ position: 2, total: 3, previous: ids[0], next: ids[2] });
    const turned = await desk.open(`action=desk.tickets&view_type=form&id=${ids[1]}&sort=-name`);
    expect(turned.arch.pager).toEqual({ position: 1, total: 3, previous: null, next: ids[2] });
    const paged = await desk.open(`action=desk.tickets&view_type=form&id=${ids[2]}&limit=1`);
    expect(paged.arch.pager).toMatchObject({ position: 3, total: 3 });
    expect(new URLSearchParams(paged.formBaseQuery).get('offset')).toBe('2');
    const outside = await desk.open(`action=desk.tickets&view_type=form&id=${ids[2]}&filter=bugs`);
    expect(outside.arch.pager).toBeUndefined();
  });
});

describe('workspace of a kanban', () => {
  it('WSP-15 has every stage in its order, with counts, sums and fold, and the cards of all in one statement', async () => {
    await desk.open('action=desk.tickets&view_type=kanban');
    const payload = await expectQueries(desk.kernel.database, 3, () =>
      desk.open('action=desk.tickets&view_type=kanban'),
    );
    const { kanban } = payload.arch;
    expect(kanban).toMatchObject({ groupField: 'stage_id', draggable: true, quickCreate: true });
    expect(kanban?.columns.map(({ label, fold, count }) => ({ label, fold, count }))).toEqual([
      { label: 'None', fold: false, count: 1 },
      { label: 'New', fold: false, count: 1 },
      { label: 'Doing', fold: false, count: 1 },
      { label: 'Done', fold: true, count: 0 },
    ]);
    expect(kanban?.columns.map(({ sums }) => String(sums.hours))).toEqual(['0', '1.25', '2.5', '0']);
    expect(payload.listTotal).toBe(3);
    expect(String(payload.arch.totals?.hours)).toBe('3.75');
    expect(names(payload.records).sort()).toEqual(['One', 'Three', 'Two']);
    expect(payload.records.find((card) => card.name === 'One')).toMatchObject({ stage_id: desk.stages.New });
    expect((await desk.open('action=desk.tickets&view_type=kanban', desk.reader)).arch.kanban).toMatchObject({
      draggable: false,
      quickCreate: false,
    });
  });

  it('WSP-15 can be grouped by another field, and by none', async () => {
    const byKind = await desk.open('action=desk.tickets&view_type=kanban&group_by=kind');
    expect(byKind.arch.kanban?.columns.map(({ value, label, count }) => [value, label, count])).toEqual([
      ['bug', 'Defect', 2],
      ['question', 'Question', 0],
      ['idea', 'Idea', 1],
    ]);
    expect(byKind.records.every((card) => 'kind' in card)).toBe(true);
    const byPartner = await desk.open('action=desk.tickets&view_type=kanban&group_by=partner_id');
    expect(byPartner.arch.kanban?.columns.map(({ label }) => label)).toEqual(['None', 'Brightwater', 'Nordlys']);
    const byMonth = await desk.open('action=desk.tickets&view_type=kanban&group_by=deadline:month');
    expect(byMonth.arch.kanban).toMatchObject({ draggable: false });
    expect(byMonth.arch.kanban?.columns.map(({ label }) => label)).toEqual(['2026-11', '2026-12']);
    expect(await codeOf(desk.open('action=desk.tickets&view_type=kanban&group_by=tag_ids'))).toBe('400 INVALID_ARGS');
    expect(await codeOf(desk.open('action=desk.tickets&view_type=kanban&group_by=kind,stage_id'))).toBe(
      '400 INVALID_ARGS',
    );
    const few = await desk.open('action=desk.tickets&view_type=kanban&group_by=kind&limit=1');
    expect(few.records).toHaveLength(2);
    const found = await desk.open('action=desk.tickets&view_type=kanban&q=nordlys');
    expect(names(found.records)).toEqual(['Two']);
  });
});

describe('workspaces of the other views', () => {
  it('WSP-16 graph, pivot and cohort come as rows of read_group', async () => {
    const graph = await desk.open('action=desk.tickets&view_type=graph');
    expect(graph.records).toEqual([]);
    expect(graph.listTotal).toBe(3);
    const [measure] = graph.arch.graph?.measures ?? [];
    const bugs = graph.arch.graph?.rows.find((row) => row.kind === 'bug');
    expect(String(bugs?.[measure?.name ?? ''])).toBe('3.75');
    expect(bugs).toMatchObject({ __count: 2, __domain: expect.any(Array) });
    const regrouped = await desk.open('action=desk.tickets&view_type=graph&group_by=deadline:month');
    expect(regrouped.arch.graph?.groupBy).toEqual(['deadline:month']);
    const [whole, ...months] = regrouped.arch.graph?.rows ?? [];
    expect(whole).not.toHaveProperty('deadline:month');
    expect(whole?.__count).toBe(3);
    expect(months.map((row) => row['deadline:month'])).toEqual(['2026-11', '2026-12']);

    const pivot = await desk.open('action=desk.tickets&view_type=pivot');
    expect(pivot.arch.pivot).toMatchObject({ rowGroups: ['kind'], columnGroups: ['deadline:month'] });
    const inner = pivot.arch.pivot?.rows.filter((row) => 'kind' in row && 'deadline:month' in row);
    expect(inner).toHaveLength(2);

    const cohort = await desk.open('action=desk.tickets&view_type=cohort');
    expect(cohort.arch.cohort?.rows).toHaveLength(3);
    expect(cohort.arch.cohort?.rows[0]).toMatchObject({ 'deadline:month': '2026-11', 'closed_on:month': '2026-12' });
  });

  it('FIG-4 a pivot has the totals of every level of its axes, and a cohort its cells, in few statements', async () => {
    const load = (type: string) => desk.open(`action=desk.tickets&view_type=${type}`);
    await Promise.all([load('pivot'), load('cohort')]);
    const pivot = await expectQueries(desk.kernel.database, 1, () => load('pivot'));
    const { rows = [], levels } = pivot.arch.pivot ?? {};
    expect(levels).toEqual({ rows: 1, columns: 1 });
    const told = rows.map((row) => [
      row.kind ?? '-',
      row['deadline:month'] ?? '-',
      String(row['hours:sum']),
      row.__count,
    ]);
    expect(told).toEqual([
      ['-', '-', '3.75', 3],
      ['-', '2026-11', '3.75', 2],
      ['-', '2026-12', '0', 1],
      ['bug', '-', '3.75', 2],
      ['idea', '-', '0', 1],
      ['bug', '2026-11', '3.75', 2],
      ['idea', '2026-12', '0', 1],
    ]);
    const cohort = await expectQueries(desk.kernel.database, 3, () => load('cohort'));
    expect(cohort.arch.cohort?.cells.every((cell) => typeof cell.__age === 'number')).toBe(true);
  });

  it('FIG-22 list, kanban, graph and pivot are grouped by a field of a relation, with its name', async () => {
    const by = 'partner_id.is_company';
    const open = (type: string, group = by) => desk.open({ action: 'desk.tickets', view_type: type, group_by: group });
    const [list, kanban, graph, pivot] = await Promise.all(
      ['list', 'kanban', 'graph', 'pivot'].map((type) => open(type)),
    );
    const counts = (rows: readonly GroupRow[] | undefined) =>
      Object.fromEntries((rows ?? []).filter((row) => by in row).map((row) => [String(row[by]), row.__count]));
    const found = counts(list?.arch.groups);
    expect(Object.values(found).reduce((sum, count) => sum + count, 0)).toBe(list?.listTotal);
    expect(counts(graph?.arch.graph?.rows)).toEqual(found);
    expect(pivot?.arch.pivot?.rowGroups).toEqual([by]);
    const columns = kanban?.arch.kanban?.columns.filter(({ count }) => count > 0);
    expect(Object.fromEntries(columns?.map(({ value, count }) => [String(value), count]) ?? [])).toEqual(found);
    expect(kanban?.arch.kanban?.draggable).toBe(false);
    for (const { arch } of [list, kanban, graph, pivot] as NonNullable<typeof list>[])
      expect(arch.fields.find(({ name }) => name === by)).toMatchObject({ type: 'boolean', groupable: true });
    await expect(open('list', 'partner_id.nothing')).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(open('kanban', 'note.length')).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('FIG-21 a calendar above its limit has the count of each day, and a map above its places the whole', async () => {
    await desk.kernel.database.execute(sql`insert into desk_ticket (name, kind, start_at, stop_at, latitude, longitude, create_date, write_date)
      select 'Many', 'bug', timestamptz '2031-05-05 10:00Z' + (n % 3) * interval '1 day', timestamptz '2031-05-05 11:00Z' + (n % 3) * interval '1 day',
        (n % 71)::float8, (n / 71)::float8, now(), now() from generate_series(1, 5400) n`);
    const month = await desk.open('action=desk.tickets&view_type=calendar&from=2031-05-01&to=2031-06-01');
    expect([month.records.length, month.listTotal]).toEqual([2000, 5400]);
    expect(month.arch.calendar?.dayCounts).toEqual({ '2031-05-05': 1800, '2031-05-06': 1800, '2031-05-07': 1800 });
    const few = await desk.open('action=desk.tickets&view_type=calendar&from=2031-05-07&to=2031-05-08');
    expect([few.records.length, few.listTotal, few.arch.calendar?.dayCounts]).toEqual([1800, 1800, undefined]);
    const map = await desk.open({ action: 'desk.tickets', view_type: 'map', domain: '[["name","=","Many"]]' });
    expect([map.arch.map?.rows.length, map.listTotal]).toEqual([5000, 5400]);
    await desk.kernel.database.execute(sql`delete from desk_ticket where name = 'Many'`);
  });

  it('WSP-17 calendar and gantt load the visible range', async () => {
    const month = 'from=2026-11-01&to=2026-12-01';
    const calendar = await desk.open(`action=desk.tickets&view_type=calendar&${month}`);
    expect(names(calendar.records).length).toBe(calendar.listTotal);
    expect(calendar.records.map(({ display_name: name }) => name)).toEqual(['Two', 'One', 'Three']);
    expect(calendar.arch.calendar).toMatchObject({ from: '2026-11-01', to: '2026-12-01' });
    const october = await desk.open('action=desk.tickets&view_type=calendar&from=2026-10-05&to=2026-10-12');
    expect(october.records.map(({ display_name: name }) => name)).toEqual(['Two']);
    const usual = await desk.open('action=desk.tickets&view_type=calendar');
    expect(usual.arch.calendar?.from).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const week = await desk.open('action=desk.tickets&view_type=calendar&date=2026-11-18&scale=week&color=kind');
    // Whole, whichever day a week begins on.
    const days = { mode: 'week', date: '2026-11-18', from: '2026-11-12', to: '2026-11-25', color: 'kind' };
    expect(week.arch.calendar).toMatchObject(days);
    expect(week.viewTabs.find(({ mode }) => mode === 'gantt')?.href).toContain('date=2026-11-18');
    expect(await codeOf(desk.open('action=desk.tickets&view_type=calendar&date=soon'))).toBe('400 INVALID_ARGS');
    expect(await codeOf(desk.open('action=desk.tickets&view_type=calendar&color=hue'))).toBe('400 INVALID_ARGS');
    expect(await codeOf(desk.open('action=desk.tickets&view_type=calendar&from=soon'))).toBe('400 INVALID_ARGS');
    expect(await codeOf(desk.open('action=desk.tickets&view_type=calendar&from=2026-12-01&to=2026-11-01'))).toBe(
      '400 INVALID_ARGS',
    );

    const gantt = await desk.open(`action=desk.tickets&view_type=gantt&${month}&group_by=kind`);
    expect(gantt.arch.gantt).toMatchObject({ groupBy: ['kind'], from: '2026-11-01', to: '2026-12-01' });
    expect(gantt.records.every((record) => 'kind' in record)).toBe(true);
    expect(gantt.records).toHaveLength(3);
    // Weeks begin on Sunday where the reader lives: the rows of the gantt cover what it draws, not what was loaded.
    const drawn = { from: '2026-11-01', to: '2026-12-13' };
    const { gantt: arch, domain = [], fields, answers } = gantt.arch;
    expect(answers?.map(({ spec }) => spec)).toEqual([
      ganttQuestion({ domain, arch: arch as GanttArch, fields, days: drawn }),
    ]);
    const groups = answers?.[0]?.rows.map(({ kind, __count }) => [kind, __count]);
    expect(groups).toEqual([
      [undefined, 3],
      ['bug', 2],
      ['idea', 1],
    ]);
    const quarter = await desk.open('action=desk.tickets&view_type=gantt&date=2026-11-18&scale=quarter');
    expect(quarter.arch.gantt).toMatchObject({ scale: 'quarter', from: '2026-10-01', to: '2027-01-01' });
    const unknown = await desk.open('action=desk.tickets&view_type=gantt&date=2026-11-18&scale=agenda');
    expect(unknown.arch.gantt).toMatchObject({ date: '2026-11-18' });
    expect(unknown.arch.gantt?.scale).not.toBe('agenda');
  });

  it('WSP-18 a map loads what has a place, inside its corners', async () => {
    const world = await desk.open('action=desk.tickets&view_type=map');
    expect(world.records).toHaveLength(2);
    const north = await desk.open('action=desk.tickets&view_type=map&from=55,0&to=70,20');
    expect(north.records.map(({ display_name: name }) => name)).toEqual(['Two']);
    expect(await codeOf(desk.open('action=desk.tickets&view_type=map&from=95,0&to=0,0'))).toBe('400 INVALID_ARGS');
  });

  it('WSP-18 a map counts what is at each place and what has none, in three statements and under the rules', async () => {
    const load = (query = '') => desk.open(`action=desk.tickets&view_type=map${query}`);
    await load();
    const world = await expectQueries(desk.kernel.database, 3, () => load());
    const { rows = [], unplaced, domains } = world.arch.map ?? {};
    expect(rows.map((row) => row.__count)).toEqual([1, 1]);
    expect([world.listTotal, unplaced]).toEqual([2, 1]);
    const count = (domain: unknown) =>
      desk.kernel.read(desk.agent, (env) => env.model('desk.ticket').count(domain as []));
    expect([await count(domains?.placed), await count(domains?.unplaced)]).toEqual([2, 1]);
    const north = await load('&area=55,0,70,20');
    expect([north.listTotal, north.arch.map?.rows.length, north.arch.map?.unplaced]).toEqual([1, 1, 1]);
    expect(await codeOf(load('&area=70,0,55,20'))).toBe('400 INVALID_ARGS');
    // Over the date line: from 170 east to 170 west.
    expect((await load('&area=-90,170,90,-170')).listTotal).toBe(0);
  });
});

it('WSP-1 every action of every module opens in each of its views', async () => {
  const { actions } = await interfaceIn(desk.kernel, 'en_US');
  expect(actions.size).toBeGreaterThan(20);
  for (const { key, modes } of actions.values()) {
    for (const mode of modes.filter((each) => each !== 'form')) {
      const payload = await desk.open(`action=${key}&view_type=${mode}`, desk.admin);
      expect(payload.arch.type, key).toBe(mode);
    }
  }
});
