import { sql } from '@kontor/database';
import { defineModel, fields, findRecord, inheritModel, looseEnv, nextNumbers, type Registry } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { describe, expect, it } from 'vitest';
import { activateModule, deactivateModule } from '../addons/install-modules.ts';
import { previewUninstall } from '../addons/uninstall-module.ts';
import { type ModuleWorld, moduleWorld } from './module-world.ts';

const lead = defineModel('crm.lead', {
  label: 'Lead',
  fields: {
    name: fields.char({ required: true }),
    partner_id: fields.many2one('core.partner', { required: true, ondelete: 'restrict' }),
    group_ids: fields.many2many('core.group'),
  },
});
const partner = inheritModel('core.partner', {
  fields: {
    lead_score: fields.integer({ required: true, default: 5 }),
    lead_ids: fields.one2many('crm.lead', 'partner_id'),
  },
});
const files = {
  'security/groups.xml': `<data><record id="group_lead" model="core.group">
    <field name="name">Leads</field><field name="implied_ids" refs="base.group_user"/></record></data>`,
  'security/access.csv': 'id,name,model,group,read,write,create,unlink\nlead,Leads,crm.lead,group_lead,1,1,1,1\n',
  'data/partner.xml': `<data>
    <record id="partner" model="core.partner"><field name="name">Our partner</field></record>
    <record id="first" model="crm.lead"><field name="name">First</field><field name="partner_id" ref="partner"/></record>
  </data>`,
  'views/lead.xml': `<views><list id="lead_list" model="crm.lead"><field name="name"/></list>
    <action id="leads" label="Leads" model="crm.lead"/><menu id="menu_leads" label="Leads" action="leads"/></views>`,
  'migrations/0001-note.sql': "update crm_lead set name = name || '!';",
};

async function crmWorld(): Promise<ModuleWorld> {
  const world = await moduleWorld();
  world.write('crm', files, { models: [lead, partner] });
  return world;
}

/** Parked tables and columns aside. */
function withoutParked(shot: Readonly<Record<string, unknown>>): unknown {
  const kept = Object.entries(shot).filter(([table]) => !/^(crm_lead|kontor_parked)/.test(table));
  return JSON.parse(
    JSON.stringify(Object.fromEntries(kept), (key, value: unknown) =>
      key === 'columns' ? (value as string[]).filter((column) => !column.startsWith('lead_score')) : value,
    )
      .replaceAll('[\\"lead_score\\",5],', '')
      .replaceAll(',[\\"lead_score\\",5]', ''),
  );
}

describe('uninstall', () => {
  long('MOD-4 twice in and out ends where it began, and a reinstall brings the data back', async () => {
    const world = await crmWorld();
    await world.install([]);
    await world.database.execute(sql`insert into core_partner (name) values ('Somebody')`);
    const before = withoutParked(await world.snapshot());
    await world.install(['crm']);
    const installed = await world.snapshot();
    await world.database.execute(sql`update crm_lead set name = 'Changed by a person'`);
    const { registry, reports } = await world.uninstall('crm');
    expect(registry.models.has('crm.lead')).toBe(false);
    expect(reports).toMatchObject([{ module: 'crm', done: 'uninstalled', kept: [] }]);
    expect(withoutParked(await world.snapshot())).toEqual(before);
    // Others can be written and deleted meanwhile, whatever the parked table holds.
    const env = world.env(registry);
    await env.model('core.partner').unlink([await env.model('core.partner').create({ name: 'Passing' })]);

    await world.install(['crm']);
    const leads = await world.database.query(sql`
      select l.name, p.name as partner from crm_lead l join core_partner p on p.id = l.partner_id`);
    expect(leads).toEqual([{ name: 'Changed by a person', partner: 'Our partner' }]);
    expect(withoutParked(await world.snapshot())).toEqual(withoutParked(installed));
    await world.uninstall('crm');
    expect(withoutParked(await world.snapshot())).toEqual(before);

    const asEarlier = sql`update kontor_parked_row set source = 'sys_model_data' where source = 'external_ids'`;
    expect(await world.database.execute(asEarlier)).toBe(1);
    await world.install(['crm']);
    expect(await world.database.query(sql`select name from crm_lead`)).toEqual([{ name: 'Changed by a person' }]);
  });

  it('FLT-2 a reinstall goes on with the numbers and has the same people in its groups', async () => {
    const world = await crmWorld();
    world.write('crm', {
      'data/sequence.xml': `<data noupdate="1"><record id="numbers" model="sys.sequence">
        <field name="name">Leads</field><field name="code">crm.lead</field><field name="prefix">L</field></record></data>`,
    });
    const number = async (registry: Registry) => (await nextNumbers(world.env(registry), 'crm.lead', 1))[0];
    const installed = (await world.install(['crm'])).registry;
    const env = world.env(installed);
    const group = await findRecord(env, 'crm.group_lead');
    const currency = await env.model('core.currency').create({ name: 'Euro', code: 'EUR' });
    const company = await env.model('core.company').create({ name: 'Acme', currency_id: currency });
    const groups = [group, await findRecord(env, 'base.group_system')];
    const person = (login: string) =>
      env.model('core.user').create({ name: login, login, company_id: company, group_ids: [['set', groups]] });
    const [stays, goes] = [await person('ada'), await person('bob')];
    await env.model('sys.sequence').write([await findRecord(env, 'crm.numbers')], { prefix: 'Lead ' });
    expect([await number(installed), await number(installed)]).toEqual(['Lead 1', 'Lead 2']);

    await world.uninstall('crm');
    await env.model('core.user').unlink([goes]);
    const again = (await world.install(['crm'])).registry;
    expect(await number(again)).toBe('Lead 3');
    const fresh = world.env(again);
    const [back] = await fresh.model('core.group').read([await findRecord(fresh, 'crm.group_lead')], ['user_ids']);
    expect(back?.user_ids).toEqual([stays]);
    expect(await world.database.query(sql`select to_regclass('kontor_parked_row') as parked`)).toEqual([
      { parked: null },
    ]);

    await world.uninstall('crm');
    expect(await number((await world.install(['crm'])).registry)).toBe('Lead 4');
  });

  long('MOD-4 a dry run tells what would go and changes nothing', async () => {
    const world = await crmWorld();
    await world.install(['crm']);
    const before = await world.snapshot();
    const preview = await world.database.transaction(async (tx) => previewUninstall(await world.context(tx), 'crm'), {
      rollback: true,
    });
    expect(preview.tables).toEqual([
      { table: 'crm_lead', rows: 1 },
      { table: expect.stringMatching(/^crm_lead_.*rel$/), rows: 0 },
    ]);
    expect(preview.columns).toEqual([{ table: 'core_partner', column: 'lead_score' }]);
    expect(Object.fromEntries(preview.records.map(({ model, count }) => [model, count]))).toEqual({
      'core.group': 1,
      'core.partner': 1,
      'sys.access': 1,
      'sys.view': 1,
      'sys.action.window': 1,
      'sys.menu': 1,
    });
    expect(await world.snapshot()).toEqual(before);
  });

  long('MOD-4 is refused while others depend on it, for required modules and for what is not there', async () => {
    const world = await crmWorld();
    world.write('crm_more', { manifest: { depends: ['crm'] } });
    await world.install(['crm_more']);
    await expect(world.uninstall('crm')).rejects.toMatchObject({
      message: '"crm" cannot be uninstalled while these depend on it: crm_more.',
      details: { dependents: ['crm_more'] },
    });
    await expect(world.uninstall('base')).rejects.toThrow('"base" is required and cannot be uninstalled.');
    await world.uninstall('crm_more');
    await expect(world.uninstall('crm_more')).rejects.toThrow('is not installed');
    await expect(world.uninstall('crm')).resolves.toBeDefined();
  });

  long('MOD-4 the hook runs while the models are still there; throwing keeps everything', async () => {
    const world = await moduleWorld();
    const seen: number[] = [];
    let fails = true;
    world.write('crm', files, {
      models: [lead, partner],
      hooks: {
        async beforeUninstall({ env }) {
          seen.push(await looseEnv(env).model('crm.lead').count());
          if (fails) throw new Error('not now');
        },
      },
    });
    await world.install(['crm']);
    await expect(world.uninstall('crm')).rejects.toThrow('not now');
    fails = false;
    await world.uninstall('crm');
    expect(seen).toEqual([1, 1]);
  });

  long('MOD-4 deactivate and activate change the state only; required modules stay active', async () => {
    const world = await crmWorld();
    await world.install(['crm']);
    const off = await world.change((context) => deactivateModule(context, 'crm'));
    expect(off.states.get('crm')).toBe('inactive');
    expect(off.registry.models.has('crm.lead')).toBe(true);
    expect((await world.install([])).states.get('crm')).toBe('inactive');
    const on = await world.change((context) => activateModule(context, 'crm'));
    expect(on.states.get('crm')).toBe('installed');
    await expect(world.change((context) => deactivateModule(context, 'base'))).rejects.toThrow('is required');
    await expect(world.change((context) => activateModule(context, 'nothing'))).rejects.toThrow('There is no addon');
  });
});
