import { sql } from '@kontor/database';
import {
  type AddonDefinition,
  type CustomChange,
  customisationBreaks,
  type InstallContext,
  upgradeModules,
} from '@kontor/kernel';
import { inEnglish } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customise, customiseState } from '../index.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
});
afterAll(() => world.close());

const publish = async (...changes: object[]) => {
  const { base, draft } = await customiseState(world.kernel);
  const request = { changes: changes as CustomChange[], note: '', isPublished: true };
  await customise(world.kernel, world.admin, { base, draft }, request);
};
const add = (name: string, field: object, more: object = {}) => ({
  ...{ do: 'add_field', model: 'crm.lead', name, field },
  ...more,
});
const breaks = async (change: (context: InstallContext) => InstallContext = (context) => context) => {
  const found = await world.kernel.inspectModules((context) => customisationBreaks(change(context), ['crm']));
  return found.map(({ at, message }) => `${at}: ${inEnglish(message)}`);
};
/** As if the next version of the addon had no such field. */
const withoutField = (definition: AddonDefinition, field: string): AddonDefinition => ({
  ...definition,
  models: definition.models.map((model) => {
    const { [field]: _, ...fields } = model.fields;
    return model.name === 'crm.lead' && model.kind === 'model' ? { ...model, fields } : model;
  }),
});

it('CUS-49 before an upgrade the added fields that a shipped field takes with it are named', async () => {
  await publish(
    add('x_site_length', { type: 'integer', label: 'Length of the site', formula: 'length(website)' }, { after: null }),
    add('x_note', { type: 'char', label: 'Note' }, { after: null }),
  );
  expect(await breaks()).toEqual([]);
  const next = (context: InstallContext): InstallContext => ({
    ...context,
    codeOf: async (addon) => {
      const code = await context.codeOf(addon);
      return addon.name === 'crm' ? withoutField(code, 'website') : code;
    },
  });
  expect(await breaks(next)).toEqual([expect.stringMatching(/^crm\.lead\.x_site_length: .*website/)]);
});

long(
  'CUS-49 before an upgrade the steps that a changed view leaves out are named, and those that never fitted are not',
  async () => {
    // The version that runs has a part that the one on disk has not.
    await world.kernel.database.execute(
      sql`update sys_view set arch = regexp_replace(arch, '</form>\\s*$', '<group label="Old part"><field name="website"/></group></form>')
      where key = 'crm.lead_form'`,
    );
    await publish(
      {
        ...{ do: 'edit_view', model: 'crm.lead', view: 'crm.lead_form' },
        steps: [
          { expr: "//group[@label='Old part']", position: 'inside', fields: [{ name: 'x_note' }] },
          { expr: "//field[@name='phone']", position: 'attributes', attributes: { label: 'Phone at the site' } },
        ],
      },
      { do: 'reset_view', model: 'crm.lead', view: 'crm.lead_list' },
    );
    expect(await breaks()).toEqual([expect.stringMatching(/^crm\.lead_form: .*Old part/)]);
    await world.kernel.database.execute(
      sql`update sys_view set arch = replace(arch, '<group label="Old part"><field name="website"/></group>', '')
      where key = 'crm.lead_form'`,
    );
    await world.kernel.changeModules((context) => upgradeModules(context, ['crm']));
    expect(await breaks()).toEqual([]);
    const rows = await world.work((env) =>
      env
        .sudo()
        .model('sys.view')
        .searchRead([['module', '=', 'custom']], ['arch']),
    );
    expect(rows.map(({ arch }) => String(arch).includes('Phone at the site'))).toEqual([true]);
  },
);
