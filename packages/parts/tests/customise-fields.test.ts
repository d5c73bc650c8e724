import { sql } from '@kontor/database';
import type { CustomChange } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customise, customiseScreen, customiseState, customiseUses, describeCustomise, systemJobs } from '../index.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm', 'webhooks'] });
  await publish({
    do: 'add_field',
    name: 'x_site',
    field: { type: 'char', label: 'Site', help: 'Where it is' },
    words: { de_DE: { Site: 'Ort' } },
    after: 'phone',
    inList: true,
  });
  await publish({ do: 'add_field', name: 'x_next', field: { type: 'char', label: 'Next' }, after: 'x_site' });
});
afterAll(() => world.close());

async function publish(change: object): Promise<void> {
  const { base, draft } = await customiseState(world.kernel);
  const changes = [{ model: 'crm.lead', ...change } as CustomChange];
  await customise(world.kernel, world.admin, { base, draft }, { changes, note: '', isPublished: true });
}
const field = (name = 'x_site') => world.kernel.registry.model('crm.lead').fields.get(name);
const shown = async () => {
  const rows = await world.work((env) =>
    env
      .sudo()
      .model('sys.view')
      .searchRead([['module', '=', 'custom']], ['arch'], { order: 'key' }),
  );
  return rows.map(({ arch }) => [...String(arch).matchAll(/<field name="(x_\w+)"/g)].map(([, name]) => name));
};
const describe = () => describeCustomise(world.kernel, world.admin, 'crm.lead');

it('CUS-13 a field gets another label, and translations of the old one are gone', async () => {
  await publish({
    ...{ do: 'change_field', name: 'x_site', field: { label: 'Building site', help: null } },
    words: { de_DE: { 'Building site': 'Baustelle' } },
  });
  expect([field()?.label, field()?.spec.help]).toEqual(['Building site', undefined]);
  const { document } = await customiseState(world.kernel);
  expect(document.words).toEqual({ de_DE: { 'Building site': 'Baustelle' } });
});

it('CUS-13 what uses a field is listed: filters, rules, automations, webhooks, views', async () => {
  await world.work(async (env) => {
    const domain = [['x_site', '!=', null]];
    await env.sudo().model('sys.rule').create({ name: 'Sites only', model: 'crm.lead', domain, active: false });
    await env.model('sys.automation').create({
      ...{ name: 'Tell of sites', model: 'crm.lead', trigger: 'write', action: 'publish:site', domain },
    });
    await env.model('webhook.subscription').create({
      ...{ name: 'Sites', url: 'https://example.com/sites', model: 'crm.lead', payload: ['name', 'x_site'] },
    });
  });
  const uses = await customiseUses(world.kernel, world.admin, { model: 'crm.lead', name: 'x_site' });
  expect(uses.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    'Automation Tell of sites',
    'Record rule Sites only',
    'View crm.lead_form',
    'View crm.lead_list',
    'Webhook Sites',
  ]);
});

it('CUS-14 the screen tells revisions in words, and what needs attention', async () => {
  const screen = await customiseScreen(world.kernel, world.admin);
  expect(screen.attention).toEqual([]);
  expect(screen.revisions[0]).toMatchObject({
    ...{ number: 3, author: 'Ada Lindqvist', note: '' },
    changes: [
      'The field "Site" of Lead is now called "Building site".',
      'The field "Building site" of Lead changed.',
      'Translations changed: de_DE.',
    ],
  });
  const german = { ...world.admin, lang: 'de_DE' };
  const [newest] = (await customiseScreen(world.kernel, german)).revisions;
  expect(newest?.changes[0]).toBe('Das Feld „Site“ von Lead heißt jetzt „Building site“.');
});

it('CUS-13 a retired field leaves the screens and keeps its data; what came after it stays, and it can be used again', async () => {
  const id = await world.work((env) => env.model('crm.lead').create({ name: 'Kept', x_site: 'Kiel' }));
  await publish({ do: 'retire_field', name: 'x_site' });
  expect(await shown()).toEqual([['x_next']]);
  const [row] = await world.work((env) => env.model('crm.lead').read([id], ['x_site']));
  expect(row?.x_site).toBe('Kiel');
  await publish({ do: 'use_field', name: 'x_site' });
  expect(await shown()).toEqual([['x_next', 'x_site'], ['x_site']]);
});

it('CUS-13 a deleted field is gone, and can be brought back with its data for 30 days', async () => {
  await publish({ do: 'delete_field', name: 'x_site' });
  expect(field()).toBeUndefined();
  expect((await describe()).deleted.map(({ name }) => name)).toEqual(['x_site']);
  await publish({ do: 'restore_field', name: 'x_site' });
  const rows = await world.work((env) => env.model('crm.lead').searchRead([['x_site', '=', 'Kiel']], ['name']));
  expect(rows.map(({ name }) => name)).toEqual(['Kept']);
  expect((await describe()).deleted).toEqual([]);
});

it('CUS-13 after 30 days the data of a deleted field are dropped, and no others', async () => {
  const { database } = world.kernel;
  await publish({
    ...{ do: 'add_field', name: 'x_link_ids' },
    field: { type: 'many2many', label: 'Links', relation: 'core.country' },
  });
  await publish({ do: 'delete_field', name: 'x_link_ids' });
  await publish({ do: 'delete_field', name: 'x_site' });
  const job = systemJobs.find(({ name }) => name === 'drop_deleted_fields');
  const columns = async () => {
    await job?.runAsSystem(world.kernel, new AbortController().signal);
    const rows = await database.query<{ name: string }>(
      sql`select column_name as name from information_schema.columns
        where table_name = 'crm_lead' and column_name like 'x\\_%' or table_name = 'crm_lead_x_link_ids_rel' order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  expect(await columns()).toEqual(['core_country_id', 'crm_lead_id', 'x_next', 'x_site']);
  await database.execute(sql`update sys_custom_revision set create_date = create_date - interval '31 days'`);
  expect(await columns()).toEqual(['x_next']);
  expect((await describe()).deleted).toEqual([]);
});
