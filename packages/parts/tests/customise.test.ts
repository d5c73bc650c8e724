import { sql } from '@kontor/database';
import type { CustomChange } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseState, discardDraft, returnTo } from '../index.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
});
afterAll(() => world.close());

const seen = async () => {
  const { base, draft } = await customiseState(world.kernel);
  return { base, draft };
};
const publish = async (changes: readonly CustomChange[], actor: Actor = world.admin) =>
  customise(world.kernel, actor, await seen(), { changes, note: '', isPublished: true });
const save = async (changes: readonly CustomChange[]) =>
  customise(world.kernel, world.admin, await seen(), { changes, note: '', isPublished: false });
const add = (name: string, field: object, more: object = {}): CustomChange =>
  ({ do: 'add_field', model: 'crm.lead', name, field, inList: true, ...more }) as CustomChange;
/** What each part of the document is told, or the message. */
const mistakes = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'published',
    ({ code, details, message }: { code: string; details: { fields?: object }; message: string }) =>
      details.fields ?? `${code} ${message}`,
  );
const lead = () => world.kernel.registry.model('crm.lead');
const columns = async (table: string) => {
  const rows = await world.kernel.database.query<{ name: string; value: string | null; nullable: string }>(
    sql`select column_name as name, column_default as value, is_nullable as nullable from information_schema.columns
      where table_name = ${table} and column_name like 'x\\_%' order by column_name`,
  );
  return rows.map(({ name, value, nullable }) => `${name} ${value ?? '-'} ${nullable}`);
};
const fileOf = async (table: string) => {
  const [row] = await world.kernel.database.query<{ file: string }>(
    sql`select relfilenode::text as file from pg_class where oid = ${table}::regclass`,
  );
  return row?.file;
};

describe('publishing', () => {
  it('CUS-1 CUS-3 a field is added without a rewrite, with its default on existing records and for processes that do not know it', async () => {
    await world.work((env) => env.model('crm.lead').create({ name: 'Before' }));
    const before = await fileOf('crm_lead');
    const { base } = await publish([
      add('x_floor', { type: 'integer', label: 'Floor', required: true, default: 3 }),
      add('x_note', { type: 'char', label: 'Site note' }),
    ]);
    expect(base).toBe(1);
    expect(await fileOf('crm_lead')).toBe(before);
    expect(await columns('crm_lead')).toEqual(['x_floor 3 NO', 'x_note - YES']);
    const rows = await world.work((env) => env.model('crm.lead').searchRead([['x_floor', '=', 3]], ['name', 'x_note']));
    expect(rows.map((row) => row.name)).toEqual(['Before']);
  });

  it('CUS-1 labels, help and choices are translated, and the views have the field', async () => {
    await publish([
      add(
        'x_lift',
        {
          type: 'selection',
          label: 'Lift on site',
          help: 'Asked by the fitters.',
          choices: [
            { value: 'none', label: 'No lift', look: 'mute' },
            { value: 'goods', label: 'Goods lift', look: 'ok' },
          ],
        },
        { words: { de_DE: { 'Lift on site': 'Aufzug vor Ort', 'Goods lift': 'Lastenaufzug' } }, after: 'phone' },
      ),
    ]);
    const german = world.kernel.loaded.registryIn('de_DE').model('crm.lead').fields.get('x_lift');
    expect([german?.label, [...(german?.selection ?? [])]]).toEqual([
      'Aufzug vor Ort',
      [
        ['none', 'No lift'],
        ['goods', 'Lastenaufzug'],
      ],
    ]);
    const rows = await world.work((env) =>
      env
        .sudo()
        .model('sys.view')
        .searchRead([['module', '=', 'custom']], ['key', 'arch'], { order: 'key' }),
    );
    expect(rows.map(({ key }) => key)).toEqual(['custom.crm_lead_form_inherit', 'custom.crm_lead_list_inherit']);
    expect(rows[0]?.arch).toContain(
      `<xpath expr="//field[@name='phone']" position="after"><field name="x_lift" widget="badge"`,
    );
  });

  long('CUS-1 a field with a source starts with its value, on existing records too', async () => {
    const partner = await world.work((env) => env.model('core.partner').create({ name: 'Cedar', city: 'Kiel' }));
    const id = await world.work((env) => env.model('crm.lead').create({ name: 'Sourced', partner_id: partner }));
    await publish([add('x_town', { type: 'char', label: 'Town', from: 'partner_id.city' })]);
    const values = async (of: number) => (await world.work((env) => env.model('crm.lead').read([of], ['x_town'])))[0];
    expect(await values(id)).toMatchObject({ x_town: 'Kiel' });
    const later = await world.work((env) => env.model('crm.lead').create({ name: 'Later', partner_id: partner }));
    expect(await values(later)).toMatchObject({ x_town: 'Kiel' });
    const wrong = publish([add('x_wrong', { type: 'char', label: 'Wrong', from: 'partner_id.nowhere' })]);
    expect(await mistakes(wrong)).toEqual({ 'crm.lead.x_wrong': [expect.stringContaining('nowhere')] });
  });

  long('CUS-2 a mistake is reported at its field and nothing is published', async () => {
    const before = [(await seen()).base, await columns('crm_lead')];
    const wrong = async (name: string, field: object, more?: object) => mistakes(publish([add(name, field, more)]));
    expect(await wrong('x_size', { type: 'integer', label: 'Size', default: 'ten' })).toEqual({
      'crm.lead.x_size': [expect.stringContaining('its default does not fit')],
    });
    expect(await wrong('x_size', { type: 'integer', label: 'Size', required: true })).toEqual({
      'crm.lead.x_size': ['It is required, and existing records have no value for it. Give it a default.'],
    });
    expect(await wrong('x_to', { type: 'many2one', label: 'To', relation: 'crm.nothing' })).toEqual({
      'crm.lead.x_to': [expect.stringContaining('there is no model crm.nothing')],
    });
    expect(await wrong('x_seen', { type: 'char', label: 'Seen', groups: ['base.group_usr'] })).toEqual({
      'crm.lead.x_seen': ['There is no group "base.group_usr". Did you mean "base.group_user"?'],
    });
    expect(await wrong('x_far', { type: 'char', label: 'Far' }, { after: 'nowhere' })).toEqual({
      'crm.lead_form': [expect.stringContaining("//field[@name='nowhere'] finds nothing")],
    });
    expect(await wrong('x_floor', { type: 'char', label: 'Again' })).toMatch(/is the name of another field/);
    expect([(await seen()).base, await columns('crm_lead')]).toEqual(before);
  });

  it('CUS-2 of two people who publish at once, one gets CONFLICT', async () => {
    const state = await seen();
    const both = ['x_one', 'x_two'].map((name) =>
      customise(world.kernel, world.admin, state, {
        ...{ changes: [add(name, { type: 'char', label: name })], note: '', isPublished: true },
      }).then(
        () => 'published',
        (error: { code: string }) => error.code,
      ),
    );
    expect((await Promise.all(both)).sort()).toEqual(['CONFLICT', 'published']);
    expect((await seen()).base).toBe(state.base + 1);
  });

  it('CUS-4 a draft collects changes until it is published or discarded, and is optimistic', async () => {
    const before = await seen();
    const first = await save([add('x_draft_a', { type: 'char', label: 'A' })]);
    expect(first).toEqual({ base: before.base, draft: 1 });
    expect(lead().fields.has('x_draft_a')).toBe(false);
    const late = { changes: [], note: '', isPublished: true };
    expect(await mistakes(customise(world.kernel, world.admin, before, late))).toMatch(/^CONFLICT/);
    await save([add('x_draft_b', { type: 'char', label: 'B' })]);
    await publish([]);
    expect(['x_draft_a', 'x_draft_b'].map((name) => lead().fields.has(name))).toEqual([true, true]);
    await save([add('x_draft_c', { type: 'char', label: 'C' })]);
    expect(await discardDraft(world.kernel, world.admin, await seen())).toMatchObject({ draft: 0 });
    expect(await mistakes(publish([]))).toBe('USER_ERROR There is nothing to publish.');
  });

  it('CUS-5 a return to an earlier revision parks columns, and a return to a later one brings the data back', async () => {
    const now = (await seen()).base;
    const [id = 0] = await world.work((env) => env.model('crm.lead').search([]));
    await world.work((env) => env.model('crm.lead').write([id], { x_floor: 7 }));
    await returnTo(world.kernel, world.admin, await seen(), 0);
    expect([...lead().fields.keys()].filter((name) => name.startsWith('x_'))).toEqual([]);
    await world.work((env) => env.model('crm.lead').create({ name: 'Without the column' }));
    await returnTo(world.kernel, world.admin, await seen(), now);
    const [row] = await world.work((env) => env.model('crm.lead').read([id], ['x_floor']));
    expect(row?.x_floor).toBe(7);
    const { base } = await seen();
    expect(base).toBe(now + 2);
  });
});
