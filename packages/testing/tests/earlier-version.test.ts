import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addonTarball } from '../make-tarball.ts';
import { createTestKernel } from '../test-kernel.ts';

const code = (fields: string, more = '') => `import { defineAddon, defineModel, fields } from '@kontor/addon';
const shelfFields = { ${fields} };
export default defineAddon({ models: [defineModel('shelves.shelf', { label: 'Shelf', fields: shelfFields })], ${more} });
`;
const access = `id,name,model,group,read,write,create,unlink\naccess_shelf,Users,shelves.shelf,base.group_user,1,1,1,1\n`;

it('LAN-12 a test installs the packed version before, makes data in it and upgrades to the version of the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-upgrade-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tarball = join(folder, 'shelves-1.0.0.tgz');
  const one = code('title: fields.char({ required: true }), note: fields.text({})');
  writeFileSync(
    tarball,
    addonTarball('shelves', { version: '1.0.0' }, { 'addon.ts': one, 'security/access.csv': access }),
  );
  const two = code(
    "name: fields.char({ required: true, was: 'title' }), pages: fields.integer({ required: true })",
    `migrations: { '1.1.0': async ({ env, before, drop }) => {
      for (const { id, note } of await before('shelves.shelf', ['note'])) await env.model('shelves.shelf').write([id], { pages: note.length });
      await drop('shelves.shelf', ['note']);
    } }`,
  );
  const manifest = {
    name: 'shelves',
    label: 'Shelves',
    version: '1.1.0',
    kontor: '^0.1',
    depends: ['base'],
    application: true,
  };
  const files = { 'manifest.json': JSON.stringify(manifest), 'addon.ts': two, 'security/access.csv': access };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'shelves', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  const world = await createTestKernel({ addonsPath: [join(folder, 'shelves')], from: tarball });
  try {
    const id = await world.work((env) => env.model('shelves.shelf').create({ title: 'Sagas', note: 'four' }));
    const { reports } = await world.upgrade();
    expect(reports).toMatchObject([{ module: 'shelves', done: 'upgraded', migrations: ['1.1.0'] }]);
    expect(await world.work((env) => env.model('shelves.shelf').read([id], ['name', 'pages']))).toMatchObject([
      { name: 'Sagas', pages: 4 },
    ]);
  } finally {
    await world.close();
  }
});
