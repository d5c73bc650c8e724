import { sql } from '@kontor/database';
import { defineModel, fields, looseEnv } from '@kontor/orm';
import { expectQueries } from '@kontor/testing';
import { describe, expect, it } from 'vitest';
import { moduleWorld } from './module-world.ts';

const stage = defineModel('crm.stage', {
  label: 'Stage',
  order: 'sequence, id',
  fields: {
    name: fields.char({ required: true, size: 50 }),
    code: fields.char({ unique: true }),
    sequence: fields.integer({ default: 10 }),
    is_won: fields.boolean({}),
    share: fields.decimal({ precision: [5, 2] }),
    options: fields.json({}),
    parent_id: fields.many2one('crm.stage'),
    group_ids: fields.many2many('core.group'),
    about: fields.html({}),
    target: fields.reference({}),
  },
});
const crm = { models: [stage] };

describe('install', () => {
  it('MOD-2 installs from an empty database and describes itself', async () => {
    const world = await moduleWorld({ isEmpty: true });
    world.write('crm', { manifest: { application: true, summary: 'Leads' } }, crm);
    const { registry, states, reports } = await world.install(['crm']);
    expect([...states]).toEqual([
      ['base', 'installed'],
      ['crm', 'installed'],
    ]);
    expect(reports.map(({ module, done }) => [module, done])).toEqual([
      ['base', 'installed'],
      ['crm', 'installed'],
    ]);
    const env = world.env(registry);
    expect(
      await env.model('sys.module').searchRead([['name', '=', 'crm']], ['state', 'application', 'summary']),
    ).toEqual([{ id: expect.any(Number), state: 'installed', application: true, summary: 'Leads' }]);
    const [field] = await env.model('sys.field').searchRead(
      [
        ['model', '=', 'crm.stage'],
        ['name', '=', 'parent_id'],
      ],
      ['type', 'relation', 'module', 'model_id.name', 'stored', 'computed'],
    );
    expect(field).toMatchObject({
      type: 'many2one',
      relation: 'crm.stage',
      module: 'crm',
      'model_id.name': 'crm.stage',
      stored: true,
      computed: false,
    });
  });

  it('MOD-2 loads XML and CSV by the type of each field, with references in any order within a file', async () => {
    const world = await moduleWorld();
    world.write(
      'crm',
      {
        'security/groups.xml': `<data><record id="group_lead" model="core.group"><field name="name">Leads</field></record></data>`,
        'security/access.csv':
          'id,name,model,group,read,write,create,unlink\nstage_all,Stages,crm.stage,group_lead,1,1,0,0\nstage_any,All,crm.stage,,1,0,0,0\n',
        'data/10-crm.stage.csv':
          'id,name,code,sequence,group_ids:ref,parent_id:ref\nlost,Lost,007,,"group_lead, base.group_user",won\nwon,"Won, at\nlast",008,5,,\n',
        'data/20-more.xml': `<records>
          <record id="extra" model="crm.stage">
            <field name="name">Extra &amp; more</field>
            <field name="is_won">1</field>
            <field name="share">12.50</field>
            <field name="options">{"a": [1, null]}</field>
            <field name="parent_id" ref="crm.lost"/>
            <field name="group_ids" refs="group_lead,base.group_system"/>
            <field name="about"><p>Hello <b>you</b></p></field>
            <field name="target" ref="lost"/>
            <field name="sequence" eval="7"/>
          </record>
        </records>`,
      },
      crm,
    );
    const { registry } = await world.install(['crm']);
    const env = world.env(registry);
    const rows = await env
      .model('crm.stage')
      .searchRead([], ['name', 'code', 'sequence', 'parent_id.code', 'share', 'options', 'is_won', 'about'], {
        order: 'name',
      });
    expect(rows.map(({ id, ...row }) => ({ ...row, share: row.share === null ? null : String(row.share) }))).toEqual([
      {
        name: 'Extra & more',
        code: null,
        sequence: 7,
        'parent_id.code': '007',
        share: '12.5',
        options: { a: [1, null] },
        is_won: true,
        about: '<p>Hello <b>you</b></p>',
      },
      {
        name: 'Lost',
        code: '007',
        sequence: 10,
        'parent_id.code': '008',
        share: null,
        options: null,
        is_won: false,
        about: null,
      },
      {
        name: 'Won, at\nlast',
        code: '008',
        sequence: 5,
        'parent_id.code': null,
        share: null,
        options: null,
        is_won: false,
        about: null,
      },
    ]);
    const extra = await env.ref('crm.extra');
    const [record] = await env.model('crm.stage').read([extra], ['target', { group_ids: ['key'] }]);
    expect(record?.target).toBe(`crm.stage,${await env.ref('crm.lost')}`);
    expect((record?.group_ids as { key: string }[] | undefined)?.map(({ key }) => key).sort()).toEqual([
      'base.group_system',
      'crm.group_lead',
    ]);
    const access = await env
      .model('sys.access')
      .searchRead([['model', '=', 'crm.stage']], ['group_id.key', 'perm_write'], { order: 'id' });
    expect(access).toMatchObject([
      { 'group_id.key': 'crm.group_lead', perm_write: true },
      { 'group_id.key': null, perm_write: false },
    ]);
  });

  it('MOD-2 views, actions and menus become records', async () => {
    const world = await moduleWorld();
    const views = {
      'views/stage.xml': `<views>
        <list id="stage_list" model="crm.stage"><field name="name"/></list>
        <action id="stages" label="Stages" model="crm.stage" views="list,form" context='{"default_name": "New"}'/>
        <menu id="menu_stages" label="Stages" action="stages" parent="menu_crm" groups="base.group_user"/>
        <menu id="menu_crm" label="CRM" sequence="3"/>
      </views>`,
    };
    world.write('crm', views, crm);
    world.write('crm_more', {
      manifest: { depends: ['crm'] },
      'views/more.xml': `<inherit view="crm.stage_list">\n<xpath expr="//field" position="after"><field name="code"/></xpath></inherit>`,
    });
    const { registry } = await world.install(['crm_more']);
    const env = world.env(registry);
    expect(
      await env
        .model('sys.menu')
        .searchRead([['name', '=', 'Stages']], ['parent_id.name', 'action_id.context', 'module']),
    ).toMatchObject([{ 'parent_id.name': 'CRM', 'action_id.context': { default_name: 'New' }, module: 'crm' }]);
    expect(
      await env
        .model('sys.view')
        .searchRead([], ['key', 'model', 'type', 'inherit_id.key', 'module', 'file', 'line'], { order: 'id' }),
    ).toMatchObject([
      {
        key: 'crm.stage_list',
        model: 'crm.stage',
        type: 'list',
        'inherit_id.key': null,
        file: 'views/stage.xml',
        line: 2,
      },
      {
        key: 'crm_more.crm_stage_list_inherit',
        model: 'crm.stage',
        type: 'list',
        'inherit_id.key': 'crm.stage_list',
        module: 'crm_more',
        line: 1,
      },
    ]);
  });

  it('MOD-2 demonstration data bring those of the modules below, however these were installed', async () => {
    const world = await moduleWorld();
    const record = (id: string, more = '') =>
      `<data><record id="${id}" model="crm.stage"><field name="name">${id}</field>${more}</record></data>`;
    world.write('crm', { 'demo/stage.xml': record('below') }, crm);
    const above = record('above', '<field name="parent_id" ref="crm.below"/>');
    world.write('glue', { manifest: { depends: ['crm'] }, 'demo/stage.xml': above });
    await world.install(['crm']);
    const { registry, reports } = await world.install(['glue'], { demo: true });
    expect(reports).toMatchObject([
      { module: 'crm', done: 'upgraded', created: 1 },
      { module: 'glue', done: 'installed', created: 1 },
    ]);
    const rows = await world.env(registry).model('crm.stage').searchRead([], ['name', 'parent_id.name']);
    expect(rows).toMatchObject([{ name: 'below' }, { name: 'above', 'parent_id.name': 'below' }]);
  });

  it('MOD-2 demonstration data come only when asked for', async () => {
    const world = await moduleWorld();
    const demo = {
      'demo/stage.xml': '<data><record id="d" model="crm.stage"><field name="name">Demo</field></record></data>',
    };
    world.write('crm', demo, crm);
    world.write('crm_two', demo, { models: [{ ...stage, name: 'crm.two' }] });
    const first = await world.install(['crm']);
    expect(await world.env(first.registry).model('crm.stage').count()).toBe(0);
    world.write('crm_two', {
      'demo/stage.xml': '<data><record id="d" model="crm.two"><field name="name">Demo</field></record></data>',
    });
    const second = await world.install(['crm_two'], { demo: true });
    expect(await world.env(second.registry).model('crm.two').count()).toBe(1);
  });

  it('MOD-2 loads 249 records in a handful of statements', async () => {
    const world = await moduleWorld();
    await world.install([]);
    const lines = Array.from({ length: 249 }, (_, index) => `c${index},Country ${index},${index}`);
    world.write('crm', { 'data/crm.stage.csv': `id,name,code\n${lines.join('\n')}\n` }, crm);
    await world.database.transaction(async (tx) => {
      const { installModules } = await import('../addons/install-modules.ts');
      const context = await world.context(tx);
      await expectQueries(tx, { atMost: 60 }, () => installModules(context, ['crm']));
    });
    const [row] = await world.database.query<{ n: number }>(sql`select count(*)::int4 as n from crm_stage`);
    expect(row?.n).toBe(249);
  });

  it('MOD-2 hooks run in the transaction and take it back when they throw', async () => {
    const world = await moduleWorld();
    await world.install([]);
    const before = await world.snapshot();
    world.write(
      'crm',
      {},
      {
        models: [stage],
        hooks: {
          async afterInstall({ env }) {
            await looseEnv(env).model('crm.stage').create({ name: 'Made by the hook' });
            throw new Error('no');
          },
        },
      },
    );
    await expect(world.install(['crm'])).rejects.toThrow('no');
    expect(await world.snapshot()).toEqual(before);
  });

  it('MOD-2 of two at once the second waits, then is refused', async () => {
    const world = await moduleWorld();
    await world.install([]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.write('crm', {}, { models: [stage], hooks: { afterInstall: () => held } });
    const first = world.install(['crm']);
    await expect.poll(() => lockCount(world.database)).toBe(1);
    await expect(world.install([])).rejects.toMatchObject({ code: 'CONFLICT' });
    release();
    await first;
    await expect(world.install([])).resolves.toBeDefined();
  });
});

async function lockCount(db: import('@kontor/database').Queryable): Promise<number> {
  const rows = await db.query(sql`select 1 as one from pg_locks where locktype = 'advisory' and objid = ${0x6b6f6e75}
    and database = (select oid from pg_database where datname = current_database())`);
  return rows.length;
}
