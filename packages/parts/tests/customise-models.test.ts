import { sql } from '@kontor/database';
import type { CustomChange } from '@kontor/kernel';
import { type Actor, toJson } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { buildBootstrap, buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseScreen, customiseState, customiseUses, describeCustomise, systemJobs } from '../index.ts';

let world: TestKernel;
let lena: Actor;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm', 'webhooks', 'mail'] });
  lena = await world.person('Lena', ['base.group_user']);
  await publish([
    addModel('x_machine', {
      ...{
        label: 'Machine',
        plural: 'Machines',
        icon: 'forklift',
        title: 'Machine name',
        board: 'x_kind',
        calendar: 'x_due',
      },
      ...{ number: { prefix: 'M', digits: 4 }, company: true, chatter: true, archive: true },
      access: [{ group: 'base.group_user' }, { group: 'base.group_system', write: true, create: true, unlink: true }],
      words: { de_DE: { Machine: 'Maschine', Machines: 'Maschinen' } },
    }),
    field('x_machine', 'x_kind', {
      ...{ type: 'selection', label: 'Kind', tracking: true },
      choices: [
        { value: 'lift', label: 'Lift', look: 'ok' },
        { value: 'saw', label: 'Saw' },
      ],
    }),
    field('x_machine', 'x_due', { type: 'date', label: 'Inspection due' }),
    field('x_machine', 'x_day_rate', { type: 'monetary', label: 'Rate per day', currency: 'company_id.currency_id' }),
    field('x_machine', 'x_customer', { type: 'many2one', label: 'With', relation: 'core.partner' }),
    field('x_machine', 'x_notes', { type: 'text', label: 'Notes' }),
    field('x_machine', 'x_is_lift', { type: 'boolean', label: 'Is a lift', formula: "x_kind = 'lift'", stored: true }),
    addModel('x_repair', {
      ...{ label: 'Repair', plural: 'Repairs', partOf: { model: 'x_machine', label: 'Repairs of it' } },
      access: [{ group: 'base.group_system', write: true, create: true, unlink: true }],
    }),
    field('x_repair', 'x_cost', { type: 'decimal', label: 'Cost' }),
    field('x_machine', 'x_repairs_cost', {
      ...{ type: 'decimal', label: 'Cost of repairs', lines: { measure: 'sum', path: 'x_repair_ids.x_cost' } },
    }),
  ]);
});
afterAll(() => world.close());

const seen = async () => {
  const { base, draft } = await customiseState(world.kernel);
  return { base, draft };
};
const publish = async (changes: readonly object[], actor: Actor = world.admin) =>
  customise(world.kernel, actor, await seen(), {
    ...{ changes: changes as readonly CustomChange[], note: '', isPublished: true },
  });
const addModel = (model: string, { words, ...spec }: { words?: object } & Record<string, unknown>) => ({
  ...{ do: 'add_model', model, spec },
  ...(words ? { words } : {}),
});
const field = (model: string, name: string, spec: object) => ({
  do: 'add_field',
  model,
  name,
  field: spec,
  inList: true,
});
const mistakes = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'published',
    ({ code, details, message }: { code: string; details: { fields?: object }; message: string }) =>
      details.fields ?? `${code} ${message}`,
  );
const everyone = [{ group: 'base.group_user', write: true, create: true, unlink: true }];
const screen = async (view: string, actor = world.admin, model = 'x_machine') => {
  const caller = { actor, csrf: '', lastWrite: null } as never;
  return buildWorkspace(world.kernel, caller, readWorkspaceQuery({ model, view_type: view }));
};

describe('an added model', () => {
  it('CUS-40 has records with numbers, a company, sums over lines, a discussion and an archive', async () => {
    const id = await world.work((env) =>
      env.model('x_machine').create({
        name: 'Drill',
        x_kind: 'lift',
        x_repair_ids: [
          ['create', { x_cost: '12.50' }],
          ['create', { x_cost: '7.50' }],
        ],
      }),
    );
    const second = await world.work((env) => env.model('x_machine').create({ name: 'Saw', x_kind: 'saw' }));
    const rows = await world.work((env) =>
      env
        .model('x_machine')
        .read([id, second], ['number', 'display_name', 'x_is_lift', 'x_repairs_cost', 'active', 'company_id']),
    );
    expect(JSON.parse(toJson(rows))).toMatchObject([
      { number: 'M0001', display_name: 'Drill (M0001)', x_is_lift: true, x_repairs_cost: 20, active: true },
      { number: 'M0002', display_name: 'Saw (M0002)', x_is_lift: false, x_repairs_cost: 0 },
    ]);
    expect(rows[0]?.company_id).toBe(world.admin.companyId);
    await world.work((env) => env.model('x_machine').write([id], { x_kind: 'saw' }));
    const messages = await world.work((env) =>
      env
        .sudo()
        .model('mail.message')
        .count([
          ['model', '=', 'x_machine'],
          ['res_id', '=', id],
        ]),
    );
    expect(messages).toBeGreaterThan(0);
  });

  it('CUS-41 is closed to everyone but the groups that its author chose', async () => {
    const read = await world.work((env) => env.model('x_machine').searchRead([], ['name']), lena);
    expect(read.map(({ name }) => name)).toEqual(['Drill', 'Saw']);
    const says = (work: Promise<unknown>) => work.catch(({ code }: { code: string }) => code);
    expect(await says(world.work((env) => env.model('x_machine').create({ name: 'No' }), lena))).toBe('ACCESS_DENIED');
    expect(await says(world.work((env) => env.model('x_repair').searchRead([], ['name']), lena))).toBe('ACCESS_DENIED');
    const other = await world.person('Other', ['base.group_portal']);
    expect(await says(world.work((env) => env.model('x_machine').searchRead([], ['name']), other))).toBe(
      'ACCESS_DENIED',
    );
    expect(await mistakes(publish([addModel('x_open', { label: 'Open', plural: 'Opens', access: [] })]))).toEqual({
      x_open: ['Choose at least one group that can see its records.'],
    });
  });

  it('CUS-40 has screens in the order of its fields, a board, a calendar, an app and translations', async () => {
    const form = await screen('form');
    const names = JSON.stringify(form.arch.form?.children);
    expect(names.indexOf('x_kind')).toBeLessThan(names.indexOf('x_due'));
    expect(names).toContain('x_repair_ids');
    expect((await screen('list')).arch.list?.columns.map(({ name }) => name)).toEqual([
      ...['number', 'name', 'x_kind', 'x_due', 'x_day_rate', 'x_customer', 'x_is_lift', 'x_repairs_cost'],
    ]);
    expect((await screen('kanban')).arch.kanban).toMatchObject({ groupField: 'x_kind' });
    expect((await screen('calendar')).arch.calendar).toMatchObject({ start: 'x_due' });
    for (const view of ['graph', 'pivot']) expect((await screen(view)).viewType).toBe(view);
    const german = { ...world.admin, lang: 'de_DE' };
    const { apps } = await buildBootstrap(world.kernel, { actor: german, csrf: '' } as never, { toasts: [] });
    expect(apps.find(({ name }) => name === 'Maschinen')).toMatchObject({
      icon: 'forklift',
      module: 'custom.x_machine_app',
    });
    const other = await world.person('Nobody', ['base.group_portal']);
    const { apps: hidden } = await buildBootstrap(world.kernel, { actor: other, csrf: '' } as never, { toasts: [] });
    expect(hidden.map(({ module }) => module)).not.toContain('custom.x_machine_app');
  });

  it('CUS-40 *Edit this screen* changes its screens, and a new field is on them by itself', async () => {
    await publish([
      {
        ...{ do: 'edit_view', model: 'x_machine', view: 'custom.x_machine_form' },
        steps: [
          { expr: "//field[@name='x_due']", position: 'attributes', attributes: { label: 'Next inspection' } },
          { expr: "//field[@name='x_kind']", position: 'before', move: "//field[@name='x_due']" },
        ],
      },
      field('x_machine', 'x_weight', { type: 'integer', label: 'Weight' }),
    ]);
    const form = JSON.stringify((await screen('form')).arch.form?.children);
    expect(form).toContain('Next inspection');
    expect(form.indexOf('x_due')).toBeLessThan(form.indexOf('x_kind'));
    expect(form).toContain('x_weight');
  });

  it('CUS-42 mistakes are shown where they were made, and nothing is published', async () => {
    const before = await seen();
    const wrong = async (spec: object, ...more: object[]) =>
      mistakes(
        publish([addModel('x_wrong', { label: 'Wrong', plural: 'Wrongs', access: everyone, ...spec }), ...more]),
      );
    expect(await wrong({ label: '' })).toEqual({
      x_wrong: ['"label" must be a text of 1 to 100 characters.', 'Give it a name for one record.'],
    });
    expect(await wrong({ board: 'x_no' })).toEqual({
      x_wrong: ['It has no field "x_no".', 'The columns of a board are a choice or a link.'],
    });
    expect(await wrong({ access: [{ group: 'base.group_usr', write: true }, ...everyone] })).toEqual({
      x_wrong: ['There is no group "base.group_usr". Did you mean "base.group_user"?'],
    });
    expect(await wrong({ partOf: { model: 'crm.nothing', label: 'Lines' } })).toEqual({
      x_wrong: ['There is no model crm.nothing.'],
    });
    expect(await wrong({ partOf: { model: 'sys.rule', label: 'Lines' } })).toMatchObject({
      x_wrong: [expect.stringContaining('cannot be added to')],
    });
    expect(await wrong({ menu: 'crm.nowhere' })).toEqual({ x_wrong: ['There is no menu "crm.nowhere".'] });
    expect(await wrong({ nonsense: 1 })).toEqual({ x_wrong: ['Unknown key "nonsense".'] });
    expect(
      await wrong({}, field('x_wrong', 'x_far', { type: 'char', label: 'Far', formula: 'x_nowhere + 1' })),
    ).toEqual({
      'x_wrong.x_far': [expect.stringContaining('x_nowhere')],
    });
    const name = addModel('sale.mine', { label: 'A', plural: 'B', access: everyone });
    expect(await mistakes(publish([name]))).toEqual({ 'sale.mine': [expect.stringContaining('begins with x_')] });
    expect(await mistakes(publish([addModel('x_machine', { label: 'A', plural: 'B', access: everyone })]))).toMatch(
      /is the name of another model/,
    );
    expect(await seen()).toEqual(before);
  });

  it('CUS-40 lines of a shipped model are at the end of its form', async () => {
    await publish([
      addModel('x_visit', {
        ...{
          label: 'Visit',
          plural: 'Visits',
          partOf: { model: 'crm.lead', label: "The customer's visits" },
          access: everyone,
        },
      }),
      field('x_visit', 'x_day', { type: 'date', label: 'Day' }),
    ]);
    const form = JSON.stringify((await screen('form', world.admin, 'crm.lead')).arch.form?.children);
    expect(form).toContain('x_visit_ids');
    const lead = await world.work((env) =>
      env.model('crm.lead').create({ name: 'A', x_visit_ids: [['create', { name: 'First', x_day: '2026-01-01' }]] }),
    );
    await world.work((env) => env.model('crm.lead').unlink([lead]));
    expect(await world.work((env) => env.model('x_visit').count([]))).toBe(0);
    await publish([{ do: 'delete_model', model: 'x_visit' }]);
    const { document } = await customiseState(world.kernel);
    expect(document.views.map(({ view }) => view)).toEqual(['custom.x_machine_form']);
  });

  it('CUS-43 a retired model has no menu, and programs can use it', async () => {
    const apps = async () => {
      const { apps: found } = await buildBootstrap(world.kernel, { actor: world.admin, csrf: '' } as never, {
        toasts: [],
      });
      return found.map(({ module }) => module);
    };
    await publish([{ do: 'retire_model', model: 'x_machine' }]);
    expect(await apps()).not.toContain('custom.x_machine_app');
    expect(await world.work((env) => env.model('x_machine').count([]))).toBe(2);
    await publish([{ do: 'use_model', model: 'x_machine' }]);
    expect(await apps()).toContain('custom.x_machine_app');
  });

  it('CUS-43 what uses a model is listed, and a link to it must go first', async () => {
    await publish([
      field('crm.lead', 'x_machine', { type: 'many2one', label: 'Machine wanted', relation: 'x_machine' }),
    ]);
    await world.work(async (env) => {
      await env.model('webhook.subscription').create({
        ...{ name: 'Machines', url: 'https://example.com/m', model: 'x_machine', payload: ['name'] },
      });
    });
    const uses = await customiseUses(world.kernel, world.admin, { model: 'x_machine', name: '' });
    expect(uses.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining(['Machine 2', 'Webhook Machines', 'Model Repair', 'Field Machine wanted']),
    );
    expect(uses.map(({ kind }) => kind)).not.toContain('Access right');
    expect(await mistakes(publish([{ do: 'delete_model', model: 'x_machine' }]))).toMatchObject({
      'crm.lead.x_machine': [expect.stringContaining('x_machine')],
    });
  });

  it('CUS-43 a deleted model is brought back with its records, fields, screens and numbers for 30 days', async () => {
    await world.work((env) =>
      env
        .model('webhook.subscription')
        .unlink([1])
        .catch(() => null),
    );
    await publish([
      { do: 'delete_field', model: 'crm.lead', name: 'x_machine' },
      { do: 'delete_model', model: 'x_repair' },
      { do: 'delete_model', model: 'x_machine' },
    ]);
    expect(world.kernel.registry.models.has('x_machine')).toBe(false);
    const { deletedModels } = await customiseScreen(world.kernel, world.admin);
    expect(deletedModels.map(({ name }) => name).sort()).toEqual(['x_machine', 'x_repair', 'x_visit']);
    await publish([{ do: 'restore_model', model: 'x_machine' }]);
    const rows = await world.work((env) =>
      env.model('x_machine').searchRead([], ['number', 'x_kind'], { order: 'id' }),
    );
    expect(rows).toMatchObject([{ number: 'M0001', x_kind: 'saw' }, { number: 'M0002' }]);
    const third = await world.work((env) => env.model('x_machine').create({ name: 'Third' }));
    const [row] = await world.work((env) => env.model('x_machine').read([third], ['number']));
    expect(row?.number).toBe('M0003');
    expect(JSON.stringify((await screen('form')).arch.form?.children)).toContain('Next inspection');
  });

  it('CUS-44 nobody opens the records of a deleted model that they could not change', async () => {
    const only = await world.person('Hidden', ['base.group_user', 'base.group_customise']);
    const change = [{ do: 'change_model', model: 'x_machine', spec: { access: everyone } }];
    expect(await mistakes(publish(change, only))).toMatchObject({
      x_machine: [expect.stringContaining('You may not change')],
    });
    await publish([{ do: 'delete_model', model: 'x_machine' }]);
    expect(await mistakes(publish([{ do: 'restore_model', model: 'x_machine' }], only))).toMatchObject({
      x_machine: expect.arrayContaining([expect.stringContaining('You may not change')]),
    });
    const again = addModel('x_machine', { label: 'Mine', plural: 'Mine', access: everyone });
    expect(await mistakes(publish([again], only))).toMatchObject({
      x_machine: [expect.stringContaining('You may not change')],
    });
    const locked = addModel('x_locked', {
      label: 'A',
      plural: 'B',
      access: [{ group: 'base.group_system', write: true }],
    });
    expect(await mistakes(publish([locked], only))).toEqual({
      x_locked: [expect.stringContaining('Let a group change')],
    });
    const formula = [
      addModel('x_spy', { label: 'Spy', plural: 'Spies', access: everyone }),
      field('x_spy', 'x_rule', { type: 'many2one', label: 'Rule', relation: 'crm.lead' }),
      field('x_spy', 'x_seen', { type: 'char', label: 'Seen', formula: 'x_rule.name', stored: true }),
    ];
    expect(await mistakes(publish(formula, only))).toMatchObject({
      'x_spy.x_rule': [expect.stringContaining('You may not read')],
      'x_spy.x_seen': [expect.stringContaining('You may not read')],
    });
  });

  it('CUS-43 after 30 days its tables are dropped', async () => {
    const { database } = world.kernel;
    await database.execute(sql`update sys_custom_revision set create_date = create_date - interval '31 days'`);
    const job = systemJobs.find(({ name }) => name === 'drop_deleted_fields');
    await job?.runAsSystem(world.kernel, new AbortController().signal);
    const rows = await database.query<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_name like 'x\\_%' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([]);
    expect((await customiseScreen(world.kernel, world.admin)).deletedModels).toEqual([]);
  });

  it('CUS-40 in a draft it already takes fields, formulas and lines', async () => {
    const state = await seen();
    const changes = [
      addModel('x_tool', { label: 'Tool', plural: 'Tools', access: everyone, company: true }),
      field('x_tool', 'x_size', { type: 'integer', label: 'Size' }),
    ] as unknown as readonly CustomChange[];
    await customise(world.kernel, world.admin, state, { changes, note: '', isPublished: false });
    const data = await describeCustomise(world.kernel, world.admin, 'x_tool');
    expect(data.added?.shown).toEqual(['x_size']);
    expect(data.modelFields?.map(({ name }) => name)).toEqual(['name', 'company_id', 'x_size']);
    expect(data.waiting).toEqual(['The model "Tool" was added.', 'The field "Size" was added to Tool.']);
    const blank = await describeCustomise(world.kernel, world.admin, '');
    expect(blank.taken).toContain('x_tool');
    expect(blank.menus?.map(({ key }) => key)).toContain('custom.x_tool_app');
  });
});
