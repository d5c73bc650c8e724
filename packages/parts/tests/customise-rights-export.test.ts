import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openZip } from '@kontor/exchange';
import { readChange } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customise, customiseState, exportAddon, importAddon } from '../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-rights-'));
let custom: TestKernel;
let coded: TestKernel;
let zipped: Buffer;
let files: ReadonlyMap<string, string>;

const filesOf = async (file: Buffer) => {
  const zip = openZip(file, 8_000_000);
  const found = new Map<string, string>();
  for (const name of zip.names) {
    let content = '';
    for await (const part of zip.text(name)) content += part;
    found.set(name, content);
  }
  return found;
};
const rights = { perm_read: true, perm_write: true, perm_create: false, perm_unlink: false };

beforeAll(async () => {
  custom = await createTestKernel({ modules: ['crm'] });
  const { base, draft } = await customiseState(custom.kernel);
  const changes = [
    readChange({
      ...{ do: 'add_field', model: 'crm.lead', name: 'x_urgent' },
      field: { type: 'boolean', label: 'Urgent', personal: false },
    }),
  ];
  await customise(custom.kernel, custom.admin, { base, draft }, { changes, note: '', isPublished: true });
  await custom.act(async (env) => {
    const [users, sellers] = [await env.ref('base.group_user'), await env.ref('crm.group_user')];
    const own = await env.model('core.group').create({ name: 'Night shift', key: 'night' });
    const [company] = await env.model('core.company').search([]);
    await env.model('sys.access').createMany([
      { ...rights, name: 'Countries <for> "all"', model: 'core.country', group_id: users },
      { ...rights, name: 'Countries of the night', model: 'core.country', group_id: own },
    ]);
    const rule = { model: 'crm.lead', group_ids: [['set', [sellers]]] };
    await env.model('sys.rule').createMany([
      { ...rule, name: 'Urgent ones', domain: [['x_urgent', '=', true]] },
      { ...rule, name: 'Of one company', domain: ['|', ['x_urgent', '=', true], ['company_id', 'in', [company]]] },
      { ...rule, name: 'One record', domain: [['partner_id.id', '=', 1]] },
      { name: 'No XX', model: 'core.country', domain: [['code', '!=', 'XX']], active: false },
    ] as never);
  });
  zipped = await exportAddon(custom.kernel, custom.admin, 'acme');
  files = await filesOf(zipped);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  coded = await createTestKernel({ modules: ['crm', 'acme'], addonsPath: [folder] });
});
afterAll(async () => {
  await Promise.all([custom?.close(), coded?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

it('CUS-96 rights and rules that administrators made leave with the addon, and hold where it is installed', async () => {
  const operations = ['perm_read', 'perm_write', 'perm_create', 'perm_unlink'];
  const access = await coded.act((env) =>
    env
      .model('sys.access')
      .searchRead([['name', 'like', 'Countries']], ['name', 'model', 'group_id.key', ...operations] as never),
  );
  expect(access).toEqual([
    expect.objectContaining({
      name: 'Countries <for> "all"',
      model: 'core.country',
      'group_id.key': 'base.group_user',
      ...rights,
    }),
  ]);
  const rules = await coded.act((env) =>
    env
      .model('sys.rule')
      .searchRead(
        [['name', 'in', ['Urgent ones', 'No XX']]],
        ['name', 'domain', 'active'] as never,
        { order: 'name', context: { active_test: false } } as never,
      ),
  );
  expect(rules).toMatchObject([
    { name: 'No XX', active: false, domain: [['code', '!=', 'XX']] },
    { name: 'Urgent ones', active: true, domain: [['acme_urgent', '=', true]] },
  ]);
  const lena = await coded.person('Lena', ['base.group_user', 'crm.group_user']);
  const country = await coded.act((env) => env.ref('base.country_DE'));
  const rename = (world: TestKernel, who: Actor) =>
    world.work((env) => env.model('core.country').write([country], { code: 'DE' }), who);
  await rename(coded, lena);
  const other = await createTestKernel({ modules: ['crm'] });
  const ben = await other.person('Ben', ['base.group_user', 'crm.group_user']);
  await expect(rename(other, ben)).rejects.toThrow('change');
  await other.close();
});

it('CUS-96 those that name records or groups of this database stay, and are listed', () => {
  const text = files.get('acme/data/30-rights.xml') ?? '';
  const left = files.get('acme/NOT-EXPORTED.md') ?? '';
  for (const name of ['Countries of the night', 'Of one company', 'One record']) {
    expect(text).not.toContain(name);
    expect(left).toContain(`- ${name}`);
  }
  // What addons bring is not exported again.
  expect([...text.matchAll(/<record/g)]).toHaveLength(3);
});

it('CUS-96 an import in the browser gives nobody rights', async () => {
  const world = await createTestKernel({ modules: ['crm'] });
  try {
    const known = () => world.act((env) => env.model('sys.access').search([]));
    const before = await known();
    const { base, draft } = await customiseState(world.kernel);
    const taken = await importAddon(world.kernel, world.admin, { base, draft }, zipped);
    expect(taken).toMatchObject({ hasRights: true });
    expect(await known()).toEqual(before);
  } finally {
    await world.close();
  }
});

it('CUS-96 a customiser who may not read rights exports none', async () => {
  const lena = await custom.person('Nora', ['base.group_user', 'base.group_customise']);
  const found = await filesOf(await exportAddon(custom.kernel, lena, 'acme'));
  expect(found.has('acme/data/30-rights.xml')).toBe(false);
  expect([...found.values()].join('\n')).not.toMatch(/Urgent ones|Of one company|Countries/);
});
