import { sql } from '@kontor/database';
import { type CustomChange, installModules, uninstallModule, upgradeModules } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customise, customiseScreen, customiseState } from '../index.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
});
afterAll(() => world.close());

const publish = async (changes: readonly object[]) => {
  const { base, draft } = await customiseState(world.kernel);
  const request = { changes: changes as readonly CustomChange[], note: '', isPublished: true };
  return customise(world.kernel, world.admin, { base, draft }, request);
};
const add = (name: string, field: object, more: object = {}) => ({
  ...{ do: 'add_field', model: 'crm.lead', name, field, inList: true },
  ...more,
});
const customViews = async () => {
  const rows = await world.work((env) =>
    env
      .sudo()
      .model('sys.view')
      .searchRead([['module', '=', 'custom']], ['key', 'arch'], { order: 'key' }),
  );
  return rows.map(({ key, arch }) => [
    key,
    [...String(arch).matchAll(/<field name="(x_\w+)"/g)].map(([, name]) => name),
  ]);
};

it('CUS-6 another process serves each new field at once, and no request of it fails meanwhile', async () => {
  const other = await world.another();
  const failures: unknown[] = [];
  let isRunning = true;
  let done = 0;
  const load = async (at: number) => {
    while (isRunning) {
      await other
        .transact(world.admin, async (env) => {
          const id = await env.model('crm.lead').create({ name: `Load ${at}` });
          await env.model('crm.lead').write([id], { city: 'Kiel' });
          return env.model('crm.lead').searchRead([['city', '=', 'Kiel']], ['name', 'display_name'], { limit: 5 });
        })
        .then(() => done++)
        .catch((error: unknown) => failures.push(error));
    }
  };
  const loads = [load(1), load(2)];
  const fields = [
    { type: 'char', label: 'Text' },
    { type: 'integer', label: 'Number', required: true, default: 1 },
    { type: 'many2one', label: 'Link', relation: 'core.country' },
    { type: 'many2many', label: 'Links', relation: 'core.country' },
  ];
  for (const [at, field] of fields.entries()) {
    let leave = () => {};
    const heard = new Promise<void>((resolve) => {
      leave = other.on('modules', () => resolve());
    });
    await publish([add(`x_load_${at}`, field)]);
    await heard;
    leave();
    expect(other.registry.model('crm.lead').fields.has(`x_load_${at}`)).toBe(true);
  }
  isRunning = false;
  await Promise.all(loads);
  expect(failures).toEqual([]);
  expect(done).toBeGreaterThan(4);
});

long(
  'CUS-7 an uninstall leaves out what does not fit any more, everything starts, and an install brings it back',
  async () => {
    await publish([
      { ...add('x_lead', { type: 'many2one', label: 'Lead', relation: 'crm.lead' }), model: 'core.partner' },
      { ...add('x_size', { type: 'integer', label: 'Size' }), model: 'core.partner' },
    ]);
    const before = await customViews();
    const partner = await world.work((env) => env.model('core.partner').create({ name: 'Cedar & Pine' }));
    const leadId = await world.work((env) => env.model('crm.lead').create({ name: 'Kept', x_load_0: 'Here' }));
    await world.work((env) => env.model('core.partner').write([partner], { x_lead: leadId }));
    await world.kernel.changeModules((context) => uninstallModule(context, 'crm'));
    const partnerFields = () =>
      [...world.kernel.registry.model('core.partner').fields.keys()].filter((name) => name.startsWith('x_'));
    expect(partnerFields()).toEqual(['x_size']);
    expect((await customViews()).filter(([key]) => String(key).startsWith('custom.crm_'))).toEqual([]);
    expect(world.kernel.loaded.custom.skipped.map(({ at }) => at)).toContain('core.partner.x_lead');
    const other = await world.another();
    expect(other.registry.model('core.partner').fields.has('x_size')).toBe(true);
    // What is left out does not prevent the next change.
    await publish([{ ...add('x_more', { type: 'char', label: 'More' }), model: 'core.partner' }]);
    await world.kernel.changeModules((context) => installModules(context, ['crm']));
    expect(partnerFields().sort()).toEqual(['x_lead', 'x_more', 'x_size']);
    expect((await customViews()).map(([key]) => key)).toEqual(before.map(([key]) => key));
    const [row] = await world.work((env) => env.model('crm.lead').read([leadId], ['x_load_0']));
    expect(row?.x_load_0).toBe('Here');
  },
);

it('CUS-7 a step whose anchor an upgrade took away is left out, the others stay and the view opens', async () => {
  await publish([
    add('x_gone', { type: 'char', label: 'Gone' }, { after: 'website' }),
    add('x_kept', { type: 'char', label: 'Kept' }, { after: 'phone' }),
  ]);
  // As if the next version of the module had its form without the field.
  await world.kernel.database.execute(
    sql`update sys_view set arch = replace(arch, '<field name="website" widget="url"/>', '') where key = 'crm.lead_form'`,
  );
  await world.kernel.changeModules((context) => upgradeModules(context, ['mail']));
  const [form] = (await customViews()).filter(([key]) => key === 'custom.crm_lead_form_inherit');
  expect(form?.[1]).toContain('x_kept');
  expect(form?.[1]).not.toContain('x_gone');
  const { attention } = await customiseScreen(world.kernel, world.admin);
  expect(attention).toEqual([
    { at: 'crm.lead_form', message: expect.stringContaining("//field[@name='website'] finds nothing") },
  ]);
});
