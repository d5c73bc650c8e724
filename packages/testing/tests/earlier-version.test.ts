import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EditableText } from '@kontor/orm/author';
import { renderText } from '@kontor/parts';
import { long } from '@kontor/testing/long';
import { expect, onTestFinished } from 'vitest';
import { addonTarball } from '../make-tarball.ts';
import { createTestKernel } from '../test-kernel.ts';

const code = (fields: string, more = '') => `import { defineAddon, defineModel, fields } from '@kontor/addon';
const shelfFields = { ${fields} };
export default defineAddon({ models: [defineModel('shelves.shelf', { label: 'Shelf', fields: shelfFields })], ${more} });
`;
const access = `id,name,model,group,read,write,create,unlink\naccess_shelf,Users,shelves.shelf,base.group_user,1,1,1,1\n`;

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

long(
  'LAN-12 a test installs the packed version before, makes data in it and upgrades to the version of the folder',
  async () => {
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
    writeFiles(join(folder, 'shelves'), files);

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
  },
);

long(
  'TXT-4 TXT-8 an upgrade brings new words to texts that nobody changed, keeps the changed ones, and removes those that are gone',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-upgrade-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const texts = (...written: readonly string[]) => `import { defineAddon, defineText } from '@kontor/addon';
const values = { reader: { label: 'Reader', sample: 'Ada' } };
export default defineAddon({ texts: [${written.map((each) => `defineText('shelves.${each} })`).join(', ')}] });
`;
    const label = "label: 'Text', values";
    const one = texts(
      `due', { ${label}, subject: 'Due', body: ['Dear {reader},', 'bring it back.']`,
      `late', { ${label}, subject: 'Late', body: ['You are late, {reader}.']`,
      `gone', { ${label}, body: ['Gone, {reader}.']`,
      `short', { ${label}, body: ['In short.'], note: 'Small print'`,
    );
    const tarball = join(folder, 'shelves-1.0.0.tgz');
    writeFileSync(
      tarball,
      addonTarball(
        'shelves',
        { version: '1.0.0' },
        { 'addon.ts': one, 'security/access.csv': `${access.split('\n')[0]}\n` },
      ),
    );
    const german = 'msgid ""\nmsgstr "Language: de_DE\\n"\n\nmsgid "Hello {reader},"\nmsgstr "Hallo {reader},"\n';
    const manifest = { name: 'shelves', label: 'Shelves', version: '1.1.0', kontor: '^0.1', depends: ['base'] };
    writeFiles(join(folder, 'shelves'), {
      'manifest.json': JSON.stringify({ ...manifest, application: true }),
      'addon.ts': texts(
        `due', { ${label}, subject: 'Due', body: ['Hello {reader},', 'bring it back.']`,
        `late', { ${label}, subject: 'Late', body: ['Please hurry, {reader}.'], button: 'Open', note: 'Sent by {reader}.'`,
        `short', { ${label}, body: ['In short.'], note: 'Smaller print'`,
      ),
      'i18n/de_DE.po': german,
    });

    const world = await createTestKernel({ addonsPath: [join(folder, 'shelves')], from: tarball });
    try {
      const said = (name: string, lang = 'en_US') =>
        world.work((env) => {
          const text = env.registry.texts.get(`shelves.${name}`) as EditableText;
          return renderText(env, text, { lang }, { reader: 'Ada' });
        });
      const edits = await world.work(async (env) => {
        const own = await env.model('sys.text').search([['module', '=', 'shelves']], { order: 'key' });
        const [, gone, late, short] = own;
        const body = 'Hurry up, {reader}!';
        await env.model('sys.text.edit').create({ text_id: short as number, lang: 'en_US', body, note: null });
        return env.model('sys.text.edit').createMany([late, gone].map((text_id) => ({ text_id, lang: 'en_US', body })));
      });
      expect((await said('due')).paragraphs).toEqual(['Dear Ada,', 'bring it back.']);
      expect(await said('late')).toMatchObject({ body: 'Hurry up, Ada!', button: '' });
      await world.upgrade();
      expect((await said('due')).paragraphs).toEqual(['Hello Ada,', 'bring it back.']);
      expect((await said('due', 'de_DE')).paragraphs).toEqual(['Hallo Ada,', 'bring it back.']);
      expect(await said('late')).toMatchObject({ body: 'Hurry up, Ada!', button: 'Open', note: 'Sent by Ada.' });
      // What somebody emptied stays empty.
      expect(await said('short')).toMatchObject({ body: 'Hurry up, Ada!', note: '' });
      await world.work(async (env) => {
        const shown = ['is_outdated', 'shipped_now', 'preview'] as const;
        const left = await env.model('sys.text.edit').searchRead([['id', 'in', edits]], [...shown]);
        const shipped = 'Late\n\nPlease hurry, {reader}.\n\nOpen\n\nSent by {reader}.';
        const preview = expect.stringContaining('<small>Sent by Ada.</small>');
        expect(left).toEqual([{ id: edits[0], is_outdated: true, shipped_now: shipped, preview }]);
        await env.model('sys.text.edit').call([edits[0] as number], 'reset');
      });
      expect((await said('late')).body).toBe('Please hurry, Ada.');
    } finally {
      await world.close();
    }
  },
);
