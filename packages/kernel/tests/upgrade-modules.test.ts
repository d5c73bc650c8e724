import { sql } from '@kontor/database';
import { defineModel, fields, inheritModel } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { describe, expect, it } from 'vitest';
import { outdatedModules } from '../addons/model-rows.ts';
import { type ModuleWorld, moduleWorld } from './module-world.ts';

const stageFields = { name: fields.char({ required: true }), sequence: fields.integer({ default: 10 }) };
const stage = defineModel('crm.stage', { label: 'Stage', order: 'id', fields: stageFields });
const lead = defineModel('crm.lead', {
  label: 'Lead',
  fields: { name: fields.char({}), stage_id: fields.many2one('crm.stage', { required: true, ondelete: 'restrict' }) },
});
const code = { models: [stage, lead] };

function data(records: Readonly<Record<string, string>>, options = ''): { readonly 'data/stage.xml': string } {
  const lines = Object.entries(records).map(
    ([id, name]) => `<record id="${id}" model="crm.stage"><field name="name">${name}</field></record>`,
  );
  return { 'data/stage.xml': `<data ${options}>${lines.join('\n')}</data>` };
}

async function names(world: ModuleWorld): Promise<readonly string[]> {
  const rows = await world.database.query<{ name: string }>(sql`select name from crm_stage order by id`);
  return rows.map((row) => row.name);
}

describe('upgrade', () => {
  long('MOD-2 updates what changed, makes what is new, removes what vanished, leaves the rest', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ new: 'New', open: 'Open', old: 'Old', used: 'Used' }), code);
    const { registry } = await world.install(['crm']);
    const env = world.env(registry);
    const [kept, used] = [await env.ref('crm.new'), await env.ref('crm.used')];
    await env.model('crm.lead').create({ name: 'Lead', stage_id: used });
    await env.model('crm.stage').write([kept], { name: 'Changed by a person' });

    world.write('crm', data({ new: 'New', open: 'Opened', won: 'Won' }));
    const { reports } = await world.upgrade(['crm']);
    expect(reports).toMatchObject([
      {
        module: 'crm',
        done: 'upgraded',
        created: 1,
        updated: 1,
        unchanged: 1,
        removed: ['crm.old'],
        kept: [{ id: 'crm.used' }],
      },
    ]);
    expect(await names(world)).toEqual(['Changed by a person', 'Opened', 'Used', 'Won']);
    expect((await world.upgrade(['crm'])).reports).toMatchObject([
      { created: 0, updated: 0, unchanged: 3, removed: [] },
    ]);
  });

  long('MOD-2 noupdate records are made once and then belong to people', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ a: 'A', b: 'B' }, 'noupdate="1"'), code);
    const { registry } = await world.install(['crm']);
    // As a cascade in the database does it.
    await world.database.execute(sql`delete from crm_stage where id = ${await world.env(registry).ref('crm.b')}`);
    world.write('crm', data({ a: 'A2', b: 'B2', c: 'C' }, 'noupdate="1"'));
    await world.upgrade(['crm']);
    expect(await names(world)).toEqual(['A', 'C']);
    world.write('crm', data({ c: 'C' }, 'noupdate="1"'));
    expect((await world.upgrade(['crm'])).reports[0]?.removed).toEqual([]);
    expect(await names(world)).toEqual(['A', 'C']);
  });

  it('MOD-2 a noupdate record that a person deleted stays away, until the module is installed anew', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ a: 'A', b: 'B' }, 'noupdate="1"'), code);
    const { registry } = await world.install(['crm']);
    const env = world.env(registry);
    await env.model('crm.stage').unlink([await env.ref('crm.b')]);
    await expect(env.ref('crm.b')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await world.upgrade(['crm']);
    expect(await names(world)).toEqual(['A']);
  });

  it('MOD-2 leaves links that a later module or a person made, and takes back its own', async () => {
    const world = await moduleWorld();
    const tagged = inheritModel('crm.stage' as string, {
      fields: { next_ids: fields.many2many('crm.stage') },
    });
    const file = (name: string, refs: string) =>
      `<data><record id="c" model="crm.stage"><field name="name">C</field></record>
      <record id="b" model="crm.stage"><field name="name">B</field></record>
      <record id="a" model="crm.stage"><field name="name">${name}</field><field name="next_ids" refs="${refs}"/></record></data>`;
    world.write('crm', { 'data/stage.xml': file('A', 'b,c') }, { models: [stage, lead, tagged] });
    world.write('later', { manifest: { depends: ['crm'] }, ...data({ x: 'X' }) }, { models: [] });
    const { registry } = await world.install(['later']);
    const env = world.env(registry);
    const [a, c, x] = [await env.ref('crm.a'), await env.ref('crm.c'), await env.ref('later.x')];
    const own = await env.model('crm.stage').create({ name: 'Own' });
    await env.model('crm.stage').write([a], {
      next_ids: [
        ['link', x],
        ['link', own],
      ],
    });
    world.write('crm', { 'data/stage.xml': file('A2', 'c') });
    const after = world.env((await world.upgrade(['crm'])).registry);
    const [row] = await after.model('crm.stage').read([a], ['name', 'next_ids']);
    expect(row).toMatchObject({ name: 'A2', next_ids: [c, x, own] });
  });

  it('CMP-10 a new editable compute is worked out once on what is there, and never again', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ a: 'A', b: 'Bb' }), code);
    const first = world.env((await world.install(['crm'])).registry);
    const stages = [await first.ref('crm.a'), await first.ref('crm.b')] as const;
    const [lead1, lead2] = (await first.model('crm.lead').createMany(stages.map((stage_id) => ({ stage_id })))) as [
      number,
      number,
    ];
    const editable = { computed: true, stored: true, editable: true } as const;
    const more = inheritModel('crm.lead' as string, {
      fields: {
        size: fields.integer({ ...editable, required: true }),
        title: fields.char(editable),
        near_ids: fields.many2many('crm.stage', editable),
        shout: fields.char({ computed: true, stored: true }),
      },
      computes: {
        size: {
          depends: ['stage_id.name'],
          value: ({ stage_id }) => String((stage_id as { name?: string } | null)?.name ?? '').length,
        },
        title: { depends: ['size', 'name'], value: ({ size, name }) => name ?? `Size ${size}` },
        near_ids: { depends: ['stage_id'], value: ({ stage_id }) => (stage_id ? [stage_id] : []) },
        shout: { depends: ['title'], value: ({ title }) => `${title}!` },
      },
    });
    world.write('crm', data({ a: 'A', b: 'Bb' }), { models: [stage, lead, more] });
    const after = world.env((await world.upgrade(['crm'])).registry);
    const look = () => after.model('crm.lead').read([lead1, lead2], ['size', 'title', 'near_ids', 'shout']);
    expect(await look()).toMatchObject([
      { size: 1, title: 'Size 1', near_ids: [stages[0]], shout: 'Size 1!' },
      { size: 2, title: 'Size 2', near_ids: [stages[1]], shout: 'Size 2!' },
    ]);
    await after.model('crm.lead').write([lead1], { size: 40, title: null, near_ids: [['clear']] });
    await world.upgrade(['crm']);
    expect((await look())[0]).toMatchObject({ size: 40, title: null, near_ids: [] });
  });

  it('MOD-2 code that knows more than the database is found, by module and field', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ a: 'A' }), code);
    const { registry } = await world.install(['crm']);
    expect(await outdatedModules(world.database, registry)).toEqual([]);
    await world.database.execute(sql`alter table crm_stage drop column sequence`);
    await world.database.execute(sql`drop table crm_lead`);
    const [found, ...others] = await outdatedModules(world.database, registry);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      module: 'crm',
      fields: expect.arrayContaining(['crm.stage.sequence', 'crm.lead.name']),
    });
    expect(found?.fields).not.toContain('crm.stage.name');
  });

  it('MOD-2 a deleted record that is not noupdate comes back', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ a: 'A', b: 'B' }), code);
    const { registry } = await world.install(['crm']);
    const env = world.env(registry);
    const gone = await env.ref('crm.a');
    await env.model('crm.stage').unlink([gone]);
    await world.upgrade(['crm']);
    expect(await names(world)).toEqual(['B', 'A']);
    expect(await env.ref('crm.a')).not.toBe(gone);
  });

  it('MOD-2 adds columns, runs migrations around the sync, fills new stored computes, installs new dependencies', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ a: 'a', b: 'b' }), code);
    await world.install(['crm']);
    const loud = inheritModel('crm.stage' as string, {
      fields: { loud: fields.char({ computed: true, stored: true }), extra: fields.char({}) },
      computes: { loud: { depends: ['name'], value: (record) => String(record.name).toUpperCase() } },
    });
    let upgraded = 0;
    world.write('helper', {}, { models: [] });
    world.write(
      'crm',
      {
        manifest: { version: '1.1', depends: ['helper'] },
        'migrations/0001-rename.pre.sql': "update crm_stage set name = name || '!' where name = 'a';",
        'migrations/0002-fill.sql': "update crm_stage set extra = 'filled';",
      },
      { models: [stage, lead, loud], hooks: { afterUpgrade: async () => void upgraded++ } },
    );
    const { reports, states } = await world.upgrade(['crm']);
    expect(reports.map(({ module, done }) => `${module} ${done}`)).toEqual(['helper installed', 'crm upgraded']);
    expect(reports[1]?.migrations).toEqual(['0001-rename.pre.sql', '0002-fill.sql']);
    expect(states.get('helper')).toBe('installed');
    expect(upgraded).toBe(1);
    expect(await world.database.query(sql`select name, loud, extra from crm_stage order by id`)).toEqual([
      { name: 'a!', loud: 'A!', extra: 'filled' },
      { name: 'b', loud: 'B', extra: 'filled' },
    ]);
    expect(await world.database.query(sql`select version from sys_module where name = 'crm'`)).toEqual([
      { version: '1.1' },
    ]);
    expect((await world.upgrade(['crm'])).reports[0]?.migrations).toEqual([]);
  });

  it('MOD-2 refuses what is not installed, and an id that changes its model', async () => {
    const world = await moduleWorld();
    world.write('crm', data({ a: 'A' }), code);
    await world.install([]);
    await expect(world.upgrade(['crm'])).rejects.toThrow('The module "crm" is not installed.');
    await expect(world.upgrade(['crmm'])).rejects.toThrow('Did you mean "crm"?');
    await world.install(['crm']);
    world.write('crm', {
      'data/stage.xml': '<data><record id="a" model="core.group"><field name="name">A</field></record></data>',
    });
    await expect(world.upgrade(['crm'])).rejects.toThrow('crm: data/stage.xml:1: "crm.a" was a record of crm.stage');
  });
});
