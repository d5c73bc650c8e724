import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from '@kontor/database';
import { type CustomChange, installModules, newName, readChange, readPublished } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { checkAddon, createTestKernel, findLeaks, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addonFiles, customise, customiseState, exportAddon, returnTo } from '../index.ts';

const addon = 'acme';
const folder = mkdtempSync(join(tmpdir(), 'kontor-export-'));
let custom: TestKernel;
let coded: TestKernel;
const nasty = `"/> '); drop table x; -- \${process.exit()} \\" <b>&amp;</b> \u2028`;

const field = (name: string, spec: object, more: object = {}) =>
  ({
    do: 'add_field',
    model: 'crm.lead',
    name,
    field: { personal: false, ...spec },
    inList: true,
    ...more,
  }) as CustomChange;
const ofMachine = (name: string, spec: object) => ({ ...field(name, spec), model: 'x_machine' }) as CustomChange;
const changes: readonly CustomChange[] = [
  field(
    'x_site',
    { type: 'char', label: 'Site', help: nasty.replace('\u2028', ''), size: 40, default: 'Kiel' },
    { words: { de_DE: { Site: 'Ort "hier"' } }, after: 'phone' },
  ),
  field('x_floor', { type: 'integer', label: 'Floor', required: true, default: 3 }, { after: 'x_site' }),
  field('x_lift', {
    ...{ type: 'selection', label: 'Lift', tracking: true, default: 'goods' },
    choices: [
      { value: 'none', label: 'No lift', look: 'mute' },
      { value: 'goods', label: 'Goods lift', look: 'ok' },
    ],
  }),
  field('x_budget', { type: 'monetary', label: 'Budget', currency: 'currency_id', groups: ['crm.group_manager'] }),
  field('x_visit', { type: 'date', label: 'Visit', default: { source: 'today' } }),
  field('x_country', {
    type: 'many2one',
    label: 'Country of the site',
    relation: 'core.country',
    domain: [['code', '!=', 'XX']],
  }),
  field('x_partner_ids', { type: 'many2many', label: 'Neighbours', relation: 'core.partner' }),
  field('x_notes', { type: 'html', label: 'Notes on the site' }),
  field('x_urgent', { type: 'boolean', label: 'Urgent' }),
  field('x_fee', {
    ...{ type: 'decimal', label: 'Fee', stored: true },
    formula: "if(x_lift = 'goods' and partner_id.name != 'x_lift', x_floor * 1.5, 0)",
  }),
  {
    ...field('x_people', { type: 'integer', label: 'People', lines: { measure: 'count', path: 'child_ids' } }),
    model: 'core.partner',
  } as CustomChange,
  { ...field('x_size', { type: 'decimal', label: 'Size' }), model: 'core.partner' } as CustomChange,
  readChange({
    ...{ do: 'edit_view', view: 'crm.lead_form', model: 'crm.lead', words: { de_DE: { 'On site': 'Vor Ort' } } },
    steps: [
      { expr: "//field[@name='phone']", position: 'before', move: "//field[@name='x_floor']" },
      { expr: "//field[@name='phone']", position: 'after', element: { tag: 'group', label: 'On site' } },
      { expr: "//group[@label='On site']", position: 'inside', move: "//field[@name='x_lift']" },
      {
        ...{ expr: "//field[@name='x_visit']", position: 'attributes' },
        attributes: {
          label: 'Visit "it"',
          invisible: '[["x_lift", "=", "none"]]',
          required: '[["x_urgent", "=", true]]',
        },
      },
      { expr: "//group[field/@name='x_lift']", position: 'inside', fields: [{ name: 'create_date' }] },
    ],
  }),
  readChange({
    ...{ do: 'add_model', model: 'x_machine', words: { de_DE: { Machine: 'Maschine', Machines: 'Maschinen' } } },
    spec: {
      ...{
        label: 'Machine',
        plural: 'Machines',
        icon: 'forklift',
        title: 'Machine "name"',
        board: 'x_kind',
        calendar: 'x_due',
      },
      ...{ number: { prefix: 'EQ-<', digits: 4 }, company: true, chatter: true, archive: true },
      access: [
        { group: 'base.group_user' },
        { group: 'crm.group_manager', write: true, create: true },
        { group: 'base.group_system', write: true, create: true, unlink: true },
      ],
    },
  }),
  ofMachine('x_kind', {
    ...{ type: 'selection', label: 'Kind', tracking: true, default: 'lift' },
    choices: [
      { value: 'lift', label: 'Lift', look: 'ok' },
      { value: 'saw', label: 'Saw' },
    ],
  }),
  ofMachine('x_due', { type: 'date', label: 'Inspection due' }),
  ofMachine('x_rate', { type: 'monetary', label: 'Rate per day', currency: 'company_id.currency_id' }),
  ofMachine('x_mail', { type: 'char', label: 'Mail', format: 'email' }),
  ofMachine('x_notes', { type: 'text', label: 'Notes' }),
  readChange({
    ...{ do: 'add_model', model: 'x_repair' },
    spec: {
      ...{ label: 'Repair', plural: 'Repairs', partOf: { model: 'x_machine', label: 'Repairs' } },
      access: [{ group: 'base.group_system', write: true, create: true, unlink: true }],
    },
  }),
  { ...ofMachine('x_cost', { type: 'decimal', label: 'Cost' }), model: 'x_repair' } as CustomChange,
  ofMachine('x_spent', { type: 'decimal', label: 'Spent', lines: { measure: 'sum', path: 'x_repair_ids.x_cost' } }),
  readChange({
    ...{ do: 'add_model', model: 'x_visit' },
    spec: {
      ...{ label: 'Visit', plural: 'Visits', partOf: { model: 'crm.lead', label: 'Visits on site' } },
      access: [
        { group: 'crm.group_user', write: true, create: true, unlink: true },
        { group: 'base.group_system', write: true },
      ],
    },
  }),
  readChange({
    ...{ do: 'add_model', model: 'x_key' },
    spec: {
      ...{ label: 'Key', plural: 'Keys', menu: 'custom.x_machine_app' },
      access: [
        { group: 'crm.group_user', only: 'x_keeper' },
        { group: 'base.group_system', write: true, create: true },
      ],
    },
  }),
  {
    ...field('x_keeper', { type: 'many2one', label: 'Keeper', relation: 'core.user' }),
    model: 'x_key',
  } as CustomChange,
  field('x_machine', { type: 'many2one', label: 'Machine wanted', relation: 'x_machine' }),
  readChange({
    ...{ do: 'edit_view', view: 'crm.lead_list', model: 'crm.lead' },
    steps: [{ expr: "//field[@name='x_floor']", position: 'attributes', attributes: { optional: 'show' } }],
  }),
];

const names = [
  'x_site',
  'x_floor',
  'x_lift',
  'x_budget',
  'x_visit',
  'x_country',
  'x_partner_ids',
  'x_notes',
  'x_urgent',
  'x_fee',
];
const codedName = (name: string) => newName(name, addon);

beforeAll(async () => {
  custom = await createTestKernel({ modules: ['crm'] });
  await exportTo(custom, join(folder, addon), changes);
  coded = await createTestKernel({ modules: ['crm', addon], addonsPath: [folder] });
});
afterAll(async () => {
  await custom?.close();
  await coded?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Publishes changes, and writes the addon that is exported of them. */
async function exportTo(
  { kernel, admin }: TestKernel,
  place: string,
  published: readonly CustomChange[],
): Promise<void> {
  const { base, draft } = await customiseState(kernel);
  await customise(kernel, admin, { base, draft }, { changes: published, note: 'All of it', isPublished: true });
  const { document } = await readPublished(kernel.database);
  for (const [path, content] of addonFiles(kernel, document, basename(place))) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), content);
  }
}

/** With the names of the customisation. */
const asCustom = (text: string) =>
  text
    .replaceAll(/"generated_/g, '"')
    .replaceAll(/\bacme[._]/g, 'x_')
    .replaceAll(/(?<=_)acme_/g, 'x_');

describe('CUS-15 CUS-45 the test that is exported with it', () => {
  const place = join(folder, 'tested', 'firm');
  beforeAll(async () => {
    const world = await createTestKernel({ modules: ['crm'] });
    await exportTo(
      world,
      place,
      changes.filter((change) => !('name' in change && (change.name === 'x_people' || change.name === 'x_fee'))),
    );
    await world.close();
  });

  checkAddon(pathToFileURL(join(place, 'tests/addon.test.ts')).href);

  it('names what everybody sees of records that they may not read, for an author to decide', async () => {
    const leaks = (await findLeaks(coded)).filter(({ module }) => module === addon);
    expect(leaks.map(({ field }) => field)).toEqual(['core.partner.acme_people', 'crm.lead.acme_fee']);
  });
});

it('CUS-15 the exported addon has the same fields, in every language', () => {
  const specs = ({ kernel }: TestKernel, lang: string, rename: (name: string) => string) =>
    names.map((name) => {
      const found = kernel.loaded.registryIn(lang).model('crm.lead').fields.get(rename(name));
      const { was: _, ...given } = found?.spec ?? { was: '' };
      const spec = JSON.parse(asCustom(JSON.stringify(given))) as object;
      return { name, spec, label: found?.label, selection: [...(found?.selection ?? [])], required: found?.required };
    });
  for (const lang of ['en_US', 'de_DE'])
    expect(specs(coded, lang, codedName)).toEqual(specs(custom, lang, (name) => name));
  expect(specs(coded, 'de_DE', codedName)[0]?.label).toBe('Ort "hier"');
});

it('CUS-45 its models have the same fields, rights and screens', async () => {
  for (const [name, other] of [
    ['x_machine', 'acme.machine'],
    ['x_repair', 'acme.repair'],
    ['x_visit', 'acme.visit'],
    ['x_key', 'acme.key'],
  ] as const) {
    const own = ({ kernel }: TestKernel, model: string) => {
      const { fields, label, chatter, partOf, hasCompany, hasActive } = kernel.loaded.registryIn('de_DE').model(model);
      const specs = [...fields.values()].map(
        ({ name: field, label: said, required, selection, spec: { was: _, default: __, ...spec } }) => [
          field,
          { said, required, selection: [...(selection ?? [])], spec },
        ],
      );
      const sorted = specs.sort(([a], [b]) => (asCustom(String(a)) < asCustom(String(b)) ? -1 : 1));
      return JSON.parse(
        asCustom(JSON.stringify({ sorted, label, chatter: chatter !== null, partOf, hasCompany, hasActive })),
      ) as object;
    };
    expect(own(coded, other)).toEqual(own(custom, name));
    const rights = async (world: TestKernel, model: string) => {
      const paths = ['group_id.key', 'perm_read', 'perm_write', 'perm_create', 'perm_unlink'];
      const rows = await world.work((env) =>
        env
          .sudo()
          .model('sys.access')
          .searchRead([['model', '=', model]], paths),
      );
      return rows.map(({ id: _, ...row }) => JSON.stringify(row)).sort();
    };
    expect(await rights(coded, other)).toEqual(await rights(custom, name));
    expect((await rights(custom, name)).length).toBeGreaterThan(0);
    const rules = async (world: TestKernel, of: string) => {
      const all = world.work((env) => env.model('sys.rule').searchRead([['model', '=', of]], ['name', 'domain']));
      return (await all).map(({ id: _, ...row }) => asCustom(JSON.stringify(row))).sort();
    };
    expect(await rules(coded, other)).toEqual(await rules(custom, name));
    expect(await rules(custom, name)).toHaveLength(name === 'x_key' ? 2 : 0);
    for (const view of ['form', 'list', 'kanban', 'calendar']) {
      if (view !== 'form' && view !== 'list' && name !== 'x_machine') continue;
      const arch = async ({ kernel, admin }: TestKernel, model: string) => {
        const caller = { actor: admin, csrf: '', lastWrite: null } as never;
        const { arch: built } = await buildWorkspace(kernel, caller, readWorkspaceQuery({ model, view_type: view }));
        const { list, form, kanban, calendar, search } = built;
        return JSON.parse(
          asCustom(JSON.stringify({ columns: list?.columns, form: form?.children, kanban, calendar, search })),
        ) as object;
      };
      expect(await arch(coded, other)).toEqual(await arch(custom, name));
    }
  }
});

it('CUS-45 its models behave the same: numbers, sums over lines, companies, apps', async () => {
  const story = async (world: TestKernel, model: string, rename: (name: string) => string) => {
    const lines = [['create', { [rename('x_cost')]: '12.5' }]];
    const id = await world.work((env) => env.model(model).create({ name: 'Drill', [rename('x_repair_ids')]: lines }));
    const [row] = await world.work((env) =>
      env.model(model).read([id], ['number', 'display_name', 'company_id', rename('x_kind'), rename('x_spent')]),
    );
    const mail = await world
      .work((env) => env.model(model).write([id], { [rename('x_mail')]: 'nobody' }))
      .catch((error: Error) => asCustom(error.message));
    return [asCustom(toJson(row)), mail];
  };
  expect(await story(coded, 'acme.machine', codedName)).toEqual(await story(custom, 'x_machine', (name) => name));
  const menus = async (world: TestKernel, module: string) => {
    const rows = await world.work((env) =>
      env
        .sudo()
        .model('sys.menu')
        .searchRead([['module', '=', module]], ['name', 'icon', 'parent_id.name'], { order: 'name, -parent_id' }),
    );
    return rows.map(({ name, icon, 'parent_id.name': parent }) => [name, icon, parent]);
  };
  expect(await menus(coded, addon)).toEqual(await menus(custom, 'custom'));
});

it('CUS-15 it has the same columns and keys', async () => {
  const schema = async ({ kernel }: TestKernel, prefix: string) => {
    const rows = await kernel.database.query<{ line: string }>(sql`
      select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where column_name like ${`${prefix}\\_%`} or table_name like ${`%\\_${prefix}\\_%`} or table_name like ${`${prefix}\\_%`} order by 1`);
    return rows.map(({ line }) => asCustom(line)).sort();
  };
  const own = await schema(custom, 'x');
  expect(own.length).toBeGreaterThan(9);
  expect(await schema(coded, addon)).toEqual(own);
});

it('CUS-15 it has the same views', async () => {
  const arch = async ({ kernel, admin }: TestKernel, view: string) => {
    const caller = { actor: admin, csrf: '', lastWrite: null } as never;
    const { arch: built } = await buildWorkspace(
      kernel,
      caller,
      readWorkspaceQuery({ model: 'crm.lead', view_type: view }),
    );
    const text = asCustom(
      JSON.stringify({ columns: built.list?.columns, children: built.form?.children, fields: built.fields }),
    );
    return JSON.parse(text) as { fields: { name: string }[] };
  };
  for (const view of ['form', 'list']) {
    const [own, other] = [await arch(custom, view), await arch(coded, view)];
    expect(other).toEqual(own);
    expect(own.fields.map(({ name }) => name)).toContain('x_lift');
    if (view === 'form') expect(JSON.stringify(own)).toContain('"label":"On site"');
  }
});

it('CUS-15 it behaves the same: defaults, required values, choices, rights', async () => {
  const story = async (world: TestKernel, rename: (name: string) => string) => {
    const lena = await world.person('Lena', ['base.group_user', 'crm.group_user']);
    const shown = names.filter((name) => name !== 'x_visit' && name !== 'x_budget').map(rename);
    const id = await world.work((env) => env.model('crm.lead').create({ name: 'A' }), lena);
    const [row] = await world.work((env) => env.model('crm.lead').read([id], shown), lena);
    const says = (work: Promise<unknown>) =>
      work.then(
        () => 'OK',
        (error: Error) => asCustom(error.message),
      );
    return [
      asCustom(JSON.stringify({ ...row, id: 0 })),
      await says(world.work((env) => env.model('crm.lead').write([id], { [rename('x_lift')]: 'roof' }), lena)),
      await says(world.work((env) => env.model('crm.lead').write([id], { [rename('x_floor')]: null }), lena)),
      await says(world.work((env) => env.model('crm.lead').read([id], [rename('x_budget')]), lena)),
    ];
  };
  expect(await story(coded, codedName)).toEqual(await story(custom, (name) => name));
});

long('CUS-15 on the same database, data move from the customisation to the addon', async () => {
  const world = await createTestKernel({ modules: ['crm'], addonsPath: [folder] });
  try {
    const seen = async () => {
      const { base, draft } = await customiseState(world.kernel);
      return { base, draft };
    };
    await customise(world.kernel, world.admin, await seen(), { changes, note: '', isPublished: true });
    const id = await world.work((env) => env.model('crm.lead').create({ name: 'A', x_site: 'Moved' }));
    const drill = await world.work((env) => env.model('x_machine').create({ name: 'Drill', x_kind: 'saw' }));
    await returnTo(world.kernel, world.admin, await seen(), 0);
    await world.kernel.changeModules((context) => installModules(context, [addon]));
    const [row] = await world.work((env) => env.model('crm.lead').read([id], ['acme_site', 'acme_floor']));
    expect(row).toMatchObject({ acme_site: 'Moved', acme_floor: 3 });
    const next = await world.work((env) => env.model('acme.machine').create({ name: 'Next' }));
    const machines = await world.work((env) => env.model('acme.machine').read([drill, next], ['number', 'acme_kind']));
    expect(machines).toMatchObject([{ number: 'EQ-<0001', acme_kind: 'saw' }, { number: 'EQ-<0002' }]);
  } finally {
    await world.close();
  }
});

it('CUS-15 CUS-8 the file is for customisers, under a name that no addon has', async () => {
  const lena = await custom.person('Other', ['base.group_user']);
  await expect(exportAddon(custom.kernel, lena, addon)).rejects.toThrow('members of the group');
  for (const name of ['crm', 'custom', '../up', 'X', 'a'.repeat(21), 'x_mine'])
    await expect(exportAddon(custom.kernel, custom.admin, name)).rejects.toThrow('The name of the addon');
  const file = await exportAddon(custom.kernel, custom.admin, addon);
  for (const path of [
    'manifest.json',
    'models/crm-lead.ts',
    'views/crm-lead-form.xml',
    'i18n/de_DE.po',
    'tests/addon.test.ts',
  ])
    expect(file.includes(`${addon}/${path}`)).toBe(true);
});
