import { defineModel, fields, inheritModel } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { composeStoredView, type StoredView } from '@kontor/views';
import { describe, expect, it } from 'vitest';
import { AddonError } from '../addons/addon-error.ts';
import { type ModuleWorld, moduleWorld } from './module-world.ts';

const lead = defineModel('deal.lead', {
  label: 'Lead',
  fields: { name: fields.char({ required: true }), state: fields.selection({ new: 'New', won: 'Won' }) },
  actions: { win: async () => {} },
});
const more = inheritModel('deal.lead', { fields: { phone: fields.char({}) } });

const list = '<list id="lead_list" model="deal.lead">\n<field name="name"/>\n<field name="state"/></list>';
const after = (expr: string, name: string) =>
  `<inherit view="deal.lead_list">\n<xpath expr="${expr}" position="after">\n<field name="${name}"/></xpath></inherit>`;

async function dealWorld(views = list): Promise<ModuleWorld> {
  const world = await moduleWorld();
  world.write('deal', { 'views/lead.xml': `<views>\n${views}\n</views>` }, { models: [lead] });
  return world;
}

async function installError(world: ModuleWorld, name: string): Promise<string> {
  const error = await world.install([name]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AddonError);
  return (error as AddonError).message;
}

async function columns(world: ModuleWorld, registry: Parameters<ModuleWorld['env']>[0]): Promise<readonly unknown[]> {
  const rows = await world
    .env(registry)
    .model('sys.view')
    .searchRead([], ['key', 'arch', 'inherit_id', 'priority', 'module', 'file', 'line']);
  const views = rows.map((row) => Object.assign({} as StoredView, row, { inheritId: row.inherit_id }));
  const base = views.find((view) => view.key === 'deal.lead_list') as StoredView;
  return composeStoredView(views, base.id, () => []).children.map((child) => child.attributes.name);
}

const mistakes: readonly (readonly [what: string, xml: string, message: string])[] = [
  [
    'an unknown field',
    list.replace('state', 'stat'),
    'views/lead.xml:4: <field>: deal.lead has no field "stat". Did you mean "state"?',
  ],
  [
    'an unknown tag',
    list.replace('<field name="state"/>', '<feild/>'),
    'views/lead.xml:4: <feild> cannot stand in <list>.',
  ],
  [
    'an unknown action of a button',
    '<form id="f" model="deal.lead">\n<header><button name="action_wn" label="W"/></header></form>',
    'views/lead.xml:3: <button>: deal.lead has no action "action_wn". Did you mean "action_win"?',
  ],
  [
    'an unknown window action',
    '<form id="f" model="deal.lead"><button name="leds" type="action" label="W"/></form><action id="leads" label="L" model="deal.lead"/>',
    'There is no action "deal.leds". Did you mean "deal.leads"?',
  ],
  [
    'an unknown group',
    '<form id="f" model="deal.lead"><field name="name" groups="base.group_usr"/></form>',
    'There is no group "base.group_usr". Did you mean "base.group_user"?',
  ],
  [
    'a domain of an action',
    `<action id="leads" label="L" model="deal.lead"\n domain='[["stat", "=", "new"]]'/>`,
    'deal.lead has no field "stat". Did you mean "state"?',
  ],
  ['a menu under nothing', '<menu id="m" label="M" parent="menu_nothing"/>', 'There is no record "deal.menu_nothing".'],
  [
    'a menu under a view',
    `${list}<menu id="m" label="M" parent="lead_list"/>`,
    '"deal.lead_list" is a record of sys.view; sys.menu.parent_id takes sys.menu.',
  ],
  [
    'an inherit of an action',
    `<action id="leads" label="L" model="deal.lead"/>${after('//field', 'x').replace('lead_list', 'leads')}`,
    '"deal.leads" is a record of sys.action.window',
  ],
  [
    'an xpath that finds nothing',
    `${list}${after("//field[@name='nmae']", 'name')}`,
    `The closest is <field name="name"> (deal: views/lead.xml:3).`,
  ],
];

describe('views at install', () => {
  long('VIEW-10 each mistake stops the install with file and line, and leaves the database as it was', async () => {
    const world = await dealWorld();
    await world.install([]);
    const before = await world.snapshot();
    for (const [what, xml, message] of mistakes) {
      world.write('deal', { 'views/lead.xml': `<views>\n${xml}\n</views>` });
      const thrown = await installError(world, 'deal');
      expect(thrown, what).toMatch(/^deal: views\/lead\.xml:\d+: /);
      expect(thrown, what).toContain(message);
    }
    expect(await world.snapshot()).toEqual(before);
  });

  it('VIEW-10 views, actions and menus keep all that their tags say, and forget what they no longer say', async () => {
    const world = await dealWorld(`${list.replace('<list', '<list label="All" priority="3" groups="base.group_user"')}
      <action id="leads" label="Leads" model="deal.lead" views="kanban,list" domain='[["state", "=", "new"]]' context='{"default_state": "new"}'
        target="dialog" limit="20" order="-name" groups="base.group_system" help="&lt;p&gt;None.&lt;/p&gt;"/>
      <menu id="m" label="Leads" action="leads" sequence="7" icon="star" groups="base.group_user"/>`);
    const { registry } = await world.install(['deal']);
    const env = world.env(registry);
    const view = ['name', 'key', 'model', 'type', 'priority', 'module', 'file', 'line', { group_ids: ['key'] }];
    expect(await env.model('sys.view').searchRead([], view)).toMatchObject([
      {
        name: 'All',
        key: 'deal.lead_list',
        type: 'list',
        priority: 3,
        file: 'views/lead.xml',
        line: 2,
        group_ids: [{ key: 'base.group_user' }],
      },
    ]);
    const action = [
      'name',
      'view_mode',
      'domain',
      'context',
      'target',
      'limit',
      'order',
      'help',
      { group_ids: ['key'] },
    ];
    expect(await env.model('sys.action.window').searchRead([], action)).toMatchObject([
      {
        name: 'Leads',
        view_mode: 'kanban,list',
        domain: [['state', '=', 'new']],
        context: { default_state: 'new' },
        target: 'dialog',
        limit: 20,
        order: '-name',
        help: '<p>None.</p>',
        group_ids: [{ key: 'base.group_system' }],
      },
    ]);
    const menu = ['name', 'sequence', 'icon', 'action_id.name', { group_ids: ['key'] }];
    expect(await env.model('sys.menu').searchRead([], menu)).toMatchObject([
      { name: 'Leads', sequence: 7, icon: 'star', 'action_id.name': 'Leads', group_ids: [{ key: 'base.group_user' }] },
    ]);

    const plain = `${list}<action id="leads" label="Leads" model="deal.lead"/><menu id="m" label="Leads"/>`;
    world.write('deal', { 'views/lead.xml': `<views>\n${plain}\n</views>` });
    const upgraded = world.env((await world.upgrade(['deal'])).registry);
    expect(await upgraded.model('sys.view').searchRead([], view)).toMatchObject([
      { name: 'deal.lead_list', priority: 16, group_ids: [] },
    ]);
    expect(await upgraded.model('sys.action.window').searchRead([], action)).toMatchObject([
      {
        view_mode: 'list,form',
        domain: null,
        context: null,
        target: 'current',
        limit: null,
        order: null,
        help: null,
        group_ids: [],
      },
    ]);
    expect(await upgraded.model('sys.menu').searchRead([], menu)).toMatchObject([
      { sequence: 10, icon: null, 'action_id.name': null, group_ids: [] },
    ]);
  });

  long('VIEW-10 a module changes the views of another; an uninstall takes the changes away, twice', async () => {
    const world = await dealWorld();
    const { registry } = await world.install(['deal']);
    const before = await world.snapshot();
    expect(await columns(world, registry)).toEqual(['name', 'state']);
    world.write(
      'deal_more',
      { manifest: { depends: ['deal'] }, 'views/more.xml': after("//field[@name='name']", 'phone') },
      { models: [more] },
    );
    for (let round = 0; round < 2; round++) {
      const installed = await world.install(['deal_more']);
      expect(await columns(world, installed.registry)).toEqual(['name', 'phone', 'state']);
      const { registry: left } = await world.uninstall('deal_more');
      expect(await columns(world, left)).toEqual(['name', 'state']);
      const { sys_module: _, ...rest } = await world.snapshot();
      const { sys_module: __, ...was } = before;
      expect(rest.sys_view).toEqual(was.sys_view);
    }
  });

  long(
    'VIEW-10 an upgrade that takes away what another module builds on is refused, unless that one is upgraded with it',
    async () => {
      const world = await dealWorld();
      world.write('deal_more', {
        manifest: { depends: ['deal'] },
        'views/more.xml': after("//field[@name='state']", 'id'),
      });
      await world.install(['deal_more']);
      const without = list.replace('<field name="state"/>', '<field name="display_name"/>');
      world.write('deal', { 'views/lead.xml': `<views>\n${without}\n</views>` });
      await expect(world.upgrade(['deal'])).rejects.toThrow(
        `deal_more: views/more.xml:2: //field[@name='state'] finds nothing in deal.lead_list.`,
      );
      world.write('deal_more', { 'views/more.xml': after("//field[@name='name']", 'id') });
      const { registry } = await world.upgrade(['deal', 'deal_more']);
      expect(await columns(world, registry)).toEqual(['name', 'id', 'display_name']);
    },
  );

  it('VIEW-10 a field that vanishes is missed in the views of modules that build on it', async () => {
    const world = await dealWorld();
    world.write('deal_more', {
      manifest: { depends: ['deal'] },
      'views/own.xml': '<form id="own" model="deal.lead">\n<field name="state"/></form>',
    });
    await world.install(['deal_more']);
    const { state: _, ...kept } = lead.fields;
    const only = list.replace('<field name="state"/>', '');
    world.write('deal', { 'views/lead.xml': `<views>\n${only}\n</views>` }, { models: [{ ...lead, fields: kept }] });
    await expect(world.upgrade(['deal'])).rejects.toThrow(
      'deal_more: views/own.xml:2: <field>: deal.lead has no field "state".',
    );
  });

  it('VIEW-10 a change for one group must not be what a change for everyone builds on', async () => {
    const world = await dealWorld();
    const forSome = after("//field[@name='name']", 'id').replace(
      '<inherit',
      '<inherit id="some" groups="base.group_system"',
    );
    const forAll = after("//field[@name='id']", 'display_name').replace('<inherit', '<inherit id="all" priority="20"');
    world.write('deal_more', {
      manifest: { depends: ['deal'] },
      'views/more.xml': `<views>\n${forSome}\n${forAll}</views>`,
    });
    expect(await installError(world, 'deal_more')).toContain(`//field[@name='id'] finds nothing in deal.lead_list.`);
  });

  it('VIEW-10 widgets that an addon declares may be used', async () => {
    const world = await dealWorld(list.replace('name="name"', 'name="name" widget="barcode"'));
    expect(await installError(world, 'deal')).toContain('There is no widget "barcode".');
    world.write('deal', {}, { models: [lead], widgets: { barcode: { types: ['char'], doc: 'Bars.' } } });
    await world.install(['deal']);
  });

  it('VIEW-10 modules of one install may build on each other', async () => {
    const world = await dealWorld();
    world.write(
      'deal_more',
      { manifest: { depends: ['deal'] }, 'views/a.xml': after("//field[@name='name']", 'phone') },
      { models: [more] },
    );
    world.write('deal_most', {
      manifest: { depends: ['deal_more'] },
      'views/b.xml': after("//field[@name='phone']", 'id').replace('<inherit', '<inherit priority="1"'),
    });
    const { registry } = await world.install(['deal_most']);
    const rows = await world.env(registry).model('sys.view').searchRead([], ['key'], { order: 'id' });
    expect(rows.map((row) => row.key)).toEqual([
      'deal.lead_list',
      'deal_more.deal_lead_list_inherit',
      'deal_most.deal_lead_list_inherit',
    ]);
  });
});
