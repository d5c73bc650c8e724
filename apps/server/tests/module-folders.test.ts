import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@kontor/database';
import { installModules, systemActor } from '@kontor/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../create-server.ts';
import { createLog } from '../logging/create-log.ts';
import type { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const root = mkdtempSync(join(tmpdir(), 'kontor-addons-'));

/** An addon with a model, a screen and a job, and one that needs it. */
function writeCrates(moreFields = ''): void {
  write(
    'crates',
    'manifest.json',
    JSON.stringify({ name: 'crates', label: 'Crates', version: '1.0.0', depends: ['base'], application: true }),
  );
  write(
    'crates',
    'addon.ts',
    `import { defineAddon, defineModel, fields } from '@kontor/addon';
    const crate = defineModel('crates.crate', { label: 'Crate', fields: { name: fields.char({ required: true }), ${moreFields} } });
    export default defineAddon({ models: [crate] });`,
  );
  write(
    'crates',
    'security/access.csv',
    'id,name,model,group,read,write,create,unlink\naccess_crate,Crates,crates.crate,base.group_user,1,1,1,1\n',
  );
  write(
    'crates',
    'views/crate.xml',
    `<views>
    <list id="crate_list" model="crates.crate"><field name="name"/></list>
    <action id="crates" label="Crates" model="crates.crate" views="list"/>
    <menu id="menu_crates" label="Crates" action="crates"/>
  </views>`,
  );
  write(
    'crates',
    'i18n/de_DE.po',
    'msgid ""\nmsgstr "Language: de_DE\\n"\n\nmsgid "A wooden box"\nmsgstr "Eine Holzkiste"\n',
  );
  write(
    'pallets',
    'manifest.json',
    JSON.stringify({ name: 'pallets', label: 'Pallets', version: '1.0.0', depends: ['crates'] }),
  );
}

function write(addon: string, file: string, text: string): void {
  const path = join(root, addon, file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  writeCrates();
  world = await startTestServer({ addonsPath: [root] });
  // Once when they are installed, and again when the process hears its own signal.
  const told = toldOfModules(2);
  await world.kernel.changeModules((context) => installModules(context, ['pallets']));
  await told;
  admin = await world.signedIn();
});
afterAll(async () => {
  await world?.close();
  rmSync(root, { recursive: true, force: true });
});

/** When the kernel has told so many times that its modules are others. */
function toldOfModules(times: number): Promise<void> {
  let count = 0;
  return new Promise((resolve) => {
    const stop = world.kernel.on('modules', () => {
      count++;
      if (count < times) return;
      stop();
      resolve();
    });
  });
}

/** As another process that changed modules would have it done. */
async function reload(): Promise<void> {
  const { kernel } = world;
  const told = toldOfModules(1);
  await kernel.database.execute(sql`update sys_signal set generation = generation + 1 where name = 'modules'`);
  kernel.ring();
  await told;
}

describe('folders of addons that change while the server runs', () => {
  it('MOD-17 code that is newer than the database is not loaded before its upgrade', async () => {
    const { kernel } = world;
    await admin.rpc('crates.crate', 'create', [{ name: 'Apples' }]);
    writeCrates(`weight: fields.float({ label: 'Weight' }),`);
    await kernel.refreshCatalogue();
    await reload();
    expect(kernel.registry.model('crates.crate').fields.has('weight')).toBe(false);
    expect(await admin.rpc('crates.crate', 'search_read', [[]])).toMatchObject([{ name: 'Apples' }]);
  });

  it('FLT-4 a process goes on with what it loaded while a folder is away, and says so', async () => {
    const ready = async () => (await fetch(`${world.url}/api/health/ready`)).json();
    renameSync(join(root, 'crates'), join(root, '.away'));
    await reload();
    await world.kernel.refreshCatalogue();
    await reload();
    expect(await admin.rpc('crates.crate', 'search_read', [[]])).toMatchObject([{ name: 'Apples' }]);
    expect(world.kernel.wordsIn('de_DE')('A wooden box')).toBe('Eine Holzkiste');
    const told = 'The folder of "crates" is not there: what was loaded goes on until the next start.';
    expect(await ready()).toEqual({ ok: true, warnings: [told] });
    const change = world.kernel.changeModules((context) => installModules(context, []));
    await expect(change).rejects.toThrow('crates: It is installed, but its folder is not there. Put it back');

    renameSync(join(root, '.away'), join(root, 'crates'));
    await reload();
    expect(await ready()).toEqual({ ok: true });
  });

  it('MOD-18 a module whose folder is gone is left out with those that need it, the others are served, and nothing is changed', async () => {
    renameSync(join(root, 'crates'), join(root, '.gone'));
    const lame = await world.another();
    expect(lame.registry.models.has('crates.crate')).toBe(false);
    expect([lame.loaded.states.get('crates'), lame.loaded.states.get('pallets')]).toEqual(['inactive', 'inactive']);
    const server = await createServer(
      lame,
      createLog({ logLevel: 'error', logFile: '' }, { lines: { write: () => {} } }),
    );
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of ['/web/home', '/web/apps', '/web/settings']) {
      const answer = await server.inject({ url: path, headers: { cookie } });
      expect([path, answer.statusCode]).toEqual([path, 200]);
      expect(answer.body).not.toContain('menu_crates');
    }
    await server.close();
    const change = lame.changeModules((context) => installModules(context, []));
    await expect(change).rejects.toThrow('crates: It is installed, but its folder is not there. Put it back');

    renameSync(join(root, '.gone'), join(root, 'crates'));
    writeCrates();
    const back = await world.another();
    expect(back.loaded.states.get('crates')).toBe('installed');
    const count = back.read(systemActor, (env) => env.model('crates.crate').count([]), { isSudo: true });
    expect(await count).toBe(1);
  });
});
