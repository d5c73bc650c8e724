import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defineAddon } from '../addons/define-addon.ts';
import { discoverAddons } from '../addons/discover-addons.ts';
import { type CodeOptions, loadAddonCode } from '../addons/load-addon-code.ts';
import { type AddonFiles, addonFolder } from './addon-fixtures.ts';

const door = pathToFileURL(join(import.meta.dirname, '../addons/define-addon.ts')).href;

async function load(name: string, addons: Record<string, AddonFiles>, options: Partial<CodeOptions> = {}) {
  const folder = addonFolder(addons);
  const cacheDir = join(folder, '.cache');
  const catalogue = await discoverAddons([{ folder, isShipped: false }]);
  const addon = catalogue.get(name);
  if (!addon) throw new Error(`no addon ${name}`);
  const definition = await loadAddonCode(addon, {
    cacheDir,
    addonDoor: door,
    addonUrl: async () => null,
    shippedLoader: async () => defineAddon({}),
    ...options,
  });
  return { definition, cacheDir };
}

/** Processes of esbuild that this one has started and that still run. */
function compilers(): readonly string[] {
  const tasks = readdirSync(`/proc/${process.pid}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.filter(
    (pid) => existsSync(`/proc/${pid}/comm`) && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('esbuild'),
  );
}

describe('code of outside addons', () => {
  it('MOD-7 compiles TypeScript, keeps one instance of the door, and names the file by its content', async () => {
    const { definition, cacheDir } = await load('hello', {
      hello: {
        'addon.ts': `import { defineAddon, emptyAddon } from '@kontor/addon';
          import { greet } from './greet.ts';
          const same: unknown = emptyAddon;
          export default Object.assign({ same }, defineAddon({
            routes: [{ method: 'GET', path: '/hello/:name', auth: 'none', handler: ({ params }) => ({ body: greet(params.name!) }) }],
          }));`,
        'greet.ts': 'export const greet = (name: string): string => "Hello, ".concat(name, "!");',
      },
    });
    const [route] = definition.routes;
    expect(await route?.handler({ params: { name: 'Ada' } } as never)).toEqual({ body: 'Hello, Ada!' });
    const { emptyAddon } = await import('../addons/define-addon.ts');
    expect(Reflect.get(definition, 'same')).toBe(emptyAddon);
    expect(readdirSync(cacheDir)).toEqual([expect.stringMatching(/^hello-[0-9a-f]{20}\.mjs$/)]);
  });

  it.runIf(existsSync('/proc'))('PKG-2 the compiler ends with the last of several builds', async () => {
    const code = "import { defineAddon } from '@kontor/addon'; export default defineAddon({});";
    await load('zero', { zero: { 'addon.ts': code } });
    // What earlier files of this process still hold open is not ours.
    const before = compilers();
    await Promise.all(['one', 'two', 'three'].map((name) => load(name, { [name]: { 'addon.ts': code } })));
    await expect.poll(() => compilers().filter((pid) => !before.includes(pid))).toEqual([]);
  });

  it('MOD-7 an addon without code brings nothing', async () => {
    expect((await load('plain', { plain: {} })).definition).toMatchObject({ kind: 'addon', models: [], routes: [] });
  });

  it('MOD-7 other addons are reached by their name when they are declared', async () => {
    const source = `import { defineAddon } from '@kontor/addon';
      import { word } from '@addons/other';
      export default defineAddon({ jobs: [{ name: word, run: async () => {} }] });`;
    const other = addonFolder({ other: { 'code.mjs': "export const word = 'from other';" } });
    const addonUrl = async (name: string) => pathToFileURL(join(other, name, 'code.mjs')).href;
    const { definition } = await load(
      'mine',
      { mine: { manifest: { depends: ['other'] }, 'addon.ts': source } },
      { addonUrl },
    );
    expect(definition.jobs[0]?.name).toBe('from other');
    await expect(load('mine', { mine: { 'addon.ts': source } }, { addonUrl })).rejects.toThrow(
      'mine: addon.ts:2: The code does not compile: "other" is not among the dependencies. Add it to "depends" in manifest.json.',
    );
  });

  it.each([
    [
      "import { x } from '@kontor/orm';\nexport default x;",
      'addon.ts:1: The code does not compile: "@kontor/orm" is not',
    ],
    ['const a = 1;\nexport default {{;', 'addon.ts:2: The code does not compile'],
    ["import './nowhere.ts';", 'addon.ts:1: The code does not compile: Could not resolve "./nowhere.ts"'],
    ['\n\nthrow new Error("no luck");', 'addon.ts:3: The code fails when it is loaded: no luck'],
    ['export default { models: [] };', 'addon.ts: The default export is not made by defineAddon().'],
  ])('MOD-8 a mistake names addon, file and line: %j', async (source, message) => {
    await expect(load('bad', { bad: { 'addon.ts': source } })).rejects.toThrow(`bad: ${message}`);
  });

  it('MOD-8 names the file in which the import fails', async () => {
    const files = {
      'addon.ts': "import './deep/broken.ts';",
      'deep/broken.ts': 'const x: number[] = [];\n\nx[0]!.toFixed();',
    };
    await expect(load('bad', { bad: files })).rejects.toThrow(
      'bad: deep/broken.ts:3: The code fails when it is loaded',
    );
  });
});
