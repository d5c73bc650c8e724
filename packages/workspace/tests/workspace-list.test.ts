import { countStatements, expectQueries } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
  const { New, Doing } = desk.stages;
  const [bright, nord] = desk.partners;
  await desk.create([
    {
      name: 'Printer on fire',
      kind: 'bug',
      stage_id: New,
      partner_id: bright,
      hours: '1.25',
      cost: 10,
      note: 'secret',
    },
    {
      name: 'Blue screen',
      kind: 'bug',
      stage_id: Doing,
      partner_id: nord,
      hours: '2.50',
      cost: 20,
      user_id: desk.agent.uid,
    },
    { name: 'How to print?', kind: 'question', stage_id: New, partner_id: nord, hours: '0.25', cost: 30 },
    { name: 'A darker theme', kind: 'idea', hours: '4', user_id: desk.agent.uid },
    { name: 'Old bug', kind: 'bug', active: false },
    { name: 'Confidential', kind: 'question', is_private: true },
  ]);
});
afterAll(() => desk.close());

const names = (records: readonly object[]) => records.map((record) => (record as { name: string }).name);

describe('workspace of a list', () => {
  it('WSP-1 has exactly the keys of the specification', async () => {
    const payload = await desk.open('action=desk.tickets');
    expect(Object.keys(payload).sort()).toEqual(
      [
        'actionId',
        'menuId',
        'viewType',
        'model',
        'recordId',
        'formEdit',
        'csrfToken',
        'arch',
        'records',
        'viewTabs',
        'breadcrumbs',
        'listSearch',
        'listTotal',
        'listSort',
        'listOffset',
        'listFilter',
        'formBaseQuery',
        'defaults',
      ].sort(),
    );
    expect(payload).toMatchObject({
      actionId: await desk.actionId('desk.tickets'),
      menuId: String(await desk.actionId('desk.menu_tickets')),
      viewType: 'list',
      model: 'desk.ticket',
      recordId: 0,
      formEdit: false,
      csrfToken: 'token',
      listTotal: 4,
      listOffset: 0,
      listSearch: '',
      listSort: '',
      listFilter: '',
      breadcrumbs: [{ label: 'Tickets' }],
    });
    expect(payload.arch).toMatchObject({ type: 'list', model: 'desk.ticket', title: 'Tickets', key: 'desk.tickets' });
    expect(payload.arch.help).toContain('No tickets yet');
  });

  it('WSP-1 opens an action by id or external id, a menu, and a model alone', async () => {
    const id = await desk.actionId('desk.tickets');
    expect((await desk.open(`action=${id}`)).actionId).toBe(id);
    expect((await desk.open(`menu_id=${await desk.actionId('desk.menu_tickets')}`)).actionId).toBe(id);
    const alone = await desk.open('model=desk.ticket');
    expect(alone).toMatchObject({ actionId: 0, viewType: 'list', listTotal: 4 });
    expect(alone.arch).toMatchObject({ title: 'Ticket', key: 'desk.ticket' });
    const generated = await desk.open('model=desk.tag');
    expect(generated.arch.list?.columns.map((column) => column.name)).toContain('name');
  });

  it('WSP-3 reads a list in at most four statements with a warm cache, of which one is the session', async () => {
    await desk.open('action=desk.tickets');
    const payload = await expectQueries(desk.kernel.database, { atMost: 3 }, () => desk.open('action=desk.tickets'));
    expect(payload.records).toHaveLength(4);
  });

  it('GEN-4 list loads may come from the replica once it has the caller’s last write, a form never', async () => {
    const read = vi.spyOn(desk.kernel, 'read');
    await desk.open('action=desk.tickets');
    await desk.open('action=desk.tickets&view_type=form');
    expect(read.mock.calls.map(([, , options]) => options?.replica)).toEqual([{ lastWrite: null }, null]);
    read.mockRestore();
  });

  it('WSP-4 leaves archived records out unless a condition on active says otherwise', async () => {
    expect(names((await desk.open('action=desk.tickets')).records)).not.toContain('Old bug');
    expect(names((await desk.open('action=desk.tickets&filter=closed')).records)).toEqual(['Old bug']);
    const domain = JSON.stringify([['active', 'in', [true, false]]]);
    expect((await desk.open({ action: 'desk.tickets', domain })).listTotal).toBe(5);
  });

  it('WSP-5 hides what the caller may not see: fields from the arch and the records, records from the list', async () => {
    const payload = await desk.open('action=desk.tickets');
    expect(payload.arch.fields.map((field) => field.name)).not.toContain('note');
    expect(payload.arch.list?.columns.map((column) => column.name)).not.toContain('note');
    expect(Object.keys(payload.records[0] ?? {})).not.toContain('note');
    expect(names(payload.records)).not.toContain('Confidential');
    const admins = await desk.open('action=desk.tickets', desk.admin);
    expect(admins.arch.list?.columns.map((column) => column.name)).toContain('note');
    expect(names(admins.records)).toContain('Confidential');
    expect(admins.records[0]).toMatchObject({ note: 'secret', 'partner_id.display_name': 'Brightwater' });
  });

  it('WSP-6 filters of one section widen each other, sections narrow each other', async () => {
    const bugs = await desk.open('action=desk.tickets&filter=bugs');
    expect(names(bugs.records)).toEqual(['Printer on fire', 'Blue screen']);
    expect(bugs.listFilter).toBe('bugs');
    const both = await desk.open('action=desk.tickets&filter=bugs,ideas');
    expect(both.listTotal).toBe(3);
    const mine = await desk.open('action=desk.tickets&filter=mine,bugs');
    expect(names(mine.records)).toEqual(['Blue screen']);
  });

  it('WSP-7 free text is looked for in the columns, in names behind them and in labels, whatever the case', async () => {
    expect(names((await desk.open('action=desk.tickets&q=PRINT')).records)).toEqual([
      'Printer on fire',
      'How to print?',
    ]);
    expect((await desk.open('action=desk.tickets&q=nordlys')).listTotal).toBe(2);
    expect((await desk.open('action=desk.tickets&q=defect')).listTotal).toBe(2);
    expect((await desk.open('action=desk.tickets&q=100%25')).listTotal).toBe(0);
    const found = await desk.open('action=desk.tickets&q=print');
    expect(found.listSearch).toBe('print');
    expect((await desk.open('action=desk.tickets&q=secret')).listTotal).toBe(0);
  });

  it('WSP-7 a number, a day, a month or a year is looked for in amounts and dates as well, in the same statements', async () => {
    const ids = await desk.work((env) => env.model('desk.ticket').search([['name', '=', 'Blue screen']]));
    const due = (deadline: string | null) =>
      desk.work((env) => env.sudo().model('desk.ticket').write(ids, { deadline }));
    const found = async (q: string, actor = desk.agent) =>
      names((await desk.open({ action: 'desk.tickets', q }, actor)).records);
    await due('2031-05-04');
    try {
      for (const q of ['2.5', '2.50', '2,5', '2,50', '20', '2031-05-04', '5/4/2031', '2031-05', '5/2031', '2031']) {
        expect([q, await found(q)]).toEqual([q, ['Blue screen']]);
      }
      // By their digits: a cost of 20, hours of 1.25.
      expect([await found('1.25'), await found('.25'), await found('1.250')]).toEqual([
        ['Printer on fire'],
        ['How to print?'],
        ['Printer on fire'],
      ]);
      expect([await found('25'), await found('1.2'), await found('1.20')]).toEqual([
        ['Printer on fire', 'How to print?'],
        ['Printer on fire'],
        [],
      ]);
      expect(await found('2031-05-05')).toEqual([]);
      const german = { ...desk.agent, lang: 'de_DE' };
      for (const q of ['2,5', '2.5', '2.50', '04.05.2031', '20,00 €'])
        expect([q, await found(q, german)]).toEqual([q, ['Blue screen']]);
      expect(await found('999999999999999999999')).toEqual([]);
      const plain = await countStatements(() => found('print'));
      expect(await countStatements(() => found('20'))).toBe(plain);
    } finally {
      await due(null);
    }
  });

  it('WSP-8 sorts, pages and adds up', async () => {
    const sorted = await desk.open('action=desk.tickets&sort=-hours&limit=2');
    expect(names(sorted.records)).toEqual(['A darker theme', 'Blue screen']);
    expect(sorted).toMatchObject({ listTotal: 4, listSort: '-hours' });
    const second = await desk.open('action=desk.tickets&sort=-hours&limit=2&offset=2');
    expect(names(second.records)).toEqual(['Printer on fire', 'How to print?']);
    expect(second.listOffset).toBe(2);
    expect(String(sorted.arch.totals?.hours)).toBe('8');
    expect(String(sorted.arch.totals?.cost)).toBe('20');
  });

  it('WSP-9 groups in the shape of read_group, with subtotals', async () => {
    const grouped = await desk.open('action=desk.tickets&group_by=kind,stage_id');
    expect(grouped.records).toEqual([]);
    expect(grouped.listTotal).toBe(4);
    expect(grouped.arch.groupBy).toEqual(['kind', 'stage_id']);
    const bugs = grouped.arch.groups?.find((group) => group.kind === 'bug');
    expect(bugs).toMatchObject({ kind: 'bug', __count: 2 });
    expect(String(bugs?.hours)).toBe('3.75');
    const behind = await desk.work((env) => env.model('desk.ticket').search(bugs?.__domain as never), desk.agent);
    expect(behind).toHaveLength(2);
    const byFilter = await desk.open('action=desk.tickets&filter=by_kind');
    expect(byFilter.arch.groupBy).toEqual(['kind']);
  });

  it('WSP-10 domain, context, limit, order and target of an action have effect', async () => {
    const mine = await desk.open('action=desk.my_tickets');
    expect(names(mine.records)).toEqual(['Blue screen']);
    expect(mine).toMatchObject({ listFilter: 'bugs', listSort: '-name' });
    expect(mine.arch.target).toBe('dialog');
    const all = await desk.open('action=desk.my_tickets&filter=');
    expect(names(all.records)).toEqual(['Blue screen', 'A darker theme']);
    expect(all.listFilter).toBe('');
    const [, nord] = desk.partners;
    const ofPartner = await desk.open(`action=desk.of_partner&active_ids=${nord}`);
    expect(ofPartner.listTotal).toBe(2);
    expect(ofPartner.defaults).toEqual({ partner_id: nord });
    expect((await desk.open('action=desk.of_partner')).listTotal).toBe(0);
  });

  it('WSP-26 an action in a dialog opens with the records that it is about, and its button says so', async () => {
    const action = await desk.actionId('desk.my_tickets');
    const [form] = await desk.work((env) =>
      env.model('sys.view').searchRead([['key', '=', 'desk.ticket_form']], ['arch']),
    );
    const { id, arch: xml } = form as { id: number; arch: string };
    const before = desk.work((env) => env.model('sys.action.window').read([action], ['context']));
    const [{ context } = { context: null }] = await before;
    const button = '<button type="action" name="desk.my_tickets" label="Tag"/>';
    const change = (values: { arch: string; context: unknown }) =>
      desk.work(async (env) => {
        await env.model('sys.view').write([id], { arch: values.arch });
        await env.model('sys.action.window').write([action], { context: values.context });
      });
    await change({ arch: xml.replace('<header>', `<header>${button}`), context: { default_tag_ids: '$active_ids' } });
    try {
      const { arch } = await desk.open('model=desk.ticket&view_type=form');
      expect(arch.header.buttons[0]).toMatchObject({ name: 'desk.my_tickets', type: 'action', target: 'dialog' });
      const tags = await desk.work((env) => env.model('desk.tag').createMany([{ name: 'Hot' }, { name: 'Cold' }]));
      const dialog = await desk.open(`action=desk.my_tickets&view_type=form&active_ids=${tags.join()}`);
      expect(dialog).toMatchObject({ viewType: 'form', recordId: 0, defaults: { tag_ids: [['set', tags]] } });
      expect(dialog.arch).toMatchObject({ target: 'dialog', title: 'My tickets' });
    } finally {
      await change({ arch: xml, context });
    }
  });

  it('WSP-11 tabs, breadcrumbs and the query of the form keep the search', async () => {
    const payload = await desk.open('action=desk.tickets&q=print&filter=bugs&sort=name');
    expect(payload.viewTabs.map(({ mode }) => mode)).toEqual([
      ...['list', 'kanban', 'graph', 'pivot', 'calendar', 'gantt', 'map', 'cohort'],
    ]);
    expect(payload.viewTabs.filter(({ active }) => active).map(({ mode }) => mode)).toEqual(['list']);
    const kanban = new URL(payload.viewTabs[1]?.href ?? '', 'http://x');
    expect(kanban.pathname).toBe('/web');
    expect(Object.fromEntries(kanban.searchParams)).toMatchObject({ q: 'print', filter: 'bugs', view_type: 'kanban' });
    const form = new URLSearchParams(payload.formBaseQuery);
    expect(Object.fromEntries(form)).toMatchObject({ view_type: 'form', q: 'print', filter: 'bugs', sort: 'name' });
    expect(form.has('id')).toBe(false);
  });

  it('WSP-12 names that do not exist are errors, never an empty screen', async () => {
    const code = (query: string) =>
      desk.open(query).then(
        () => 'ok',
        (error: { code: string; status: number }) => `${error.status} ${error.code}`,
      );
    expect(await code('action=desk.nothing')).toBe('404 NOT_FOUND');
    expect(await code('action=999999')).toBe('404 NOT_FOUND');
    expect(await code('model=desk.nothing')).toBe('404 MODEL_NOT_FOUND');
    expect(await code('')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&model=core.user')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&menu_id=999999')).toBe('404 NOT_FOUND');
    expect(await code('action=desk.tickets&menu_id=x')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&view_type=flower')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.my_tickets&view_type=kanban')).toBe('404 NOT_FOUND');
    expect(await code('model=desk.tag&view_type=calendar')).toMatch(/^(ok|404 NOT_FOUND)$/);
    expect(await code('action=desk.tickets&filter=nothing')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&sort=nothing')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&sort=tag_ids')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&group_by=nothing')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&group_by=kind:month')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&domain=[["nothing","=",1]]')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&domain={')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&domain={}')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&offset=-1')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&limit=many')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&limit=100000')).toBe('ok');
    expect(await code('action=desk.tickets&edit=maybe')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&context=[]')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&active_ids=1,x')).toBe('400 INVALID_ARGS');
    expect(await code('action=desk.tickets&domain=[["note","=","secret"]]')).toBe('403 ACCESS_DENIED');
    expect(await code('action=desk.tickets&sort=note')).toBe('403 ACCESS_DENIED');
    expect(await code('action=desk.stages')).toBe('403 ACCESS_DENIED');
    expect(await code('model=sys.rule')).toBe('403 ACCESS_DENIED');
  });
});
