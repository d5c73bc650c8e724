import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import {
  AddonError,
  type Catalogue,
  type Config,
  discoverAddons,
  installModules,
  keepCompiler,
  knownNames,
  placeOfError,
  upgradeModules,
} from '@kontor/kernel';
import type { DevMistake } from '@kontor/protocol';
import { addonRoots } from '../addon-code.ts';
import { type DevPage, openDevPage } from '../development/dev-page.ts';
import { createDevRounds } from '../development/dev-rounds.ts';
import { watchFolders } from '../development/watch-folders.ts';
import { type Application, openApplication } from '../open-application.ts';
import { checkAddonFolder, writeSchema } from './check-addon.ts';
import { type Command, UsageError } from './command.ts';

export const dev: Command = {
  name: 'dev',
  takes: '[DIR]',
  help: 'Runs a development server for the addon in DIR, or here, and reloads it when its files change.',
  details: `Models, views, data, translations and browser code are upgraded in place when a file is saved, also those of other addons in addons_path and of
shipped ones (npm run dev reloads the code of shipped ones). All mistakes are shown together, here and in the
page, and the previous version keeps running. The embedded database is in DIR/.kontor/data unless --data-dir or --database names another.`,
  words: [0, 1],
  options: [{ name: 'demo', help: 'Install demonstration data.' }],
  async run({ config, words, has }) {
    const folder = resolve(words[0] ?? '.');
    if ((await ownNames(folder)).length === 0) throw new UsageError(`There is no addon in ${folder}.`);
    const isUsual = config.dataDir === resolve('data');
    const addonsPath = [...new Set([...config.addonsPath, folder])];
    const dataDir = isUsual ? join(folder, '.kontor/data') : config.dataDir;
    await follow({ config: { ...config, addonsPath, dataDir, devMode: true }, folder, withDemo: has('demo') });
  },
};

interface Followed {
  readonly config: Config;
  readonly folder: string;
  readonly withDemo: boolean;
}

async function ownNames(folder: string): Promise<readonly string[]> {
  return [...(await discoverAddons([{ folder, isShipped: false }])).keys()];
}

async function follow(followed: Followed): Promise<void> {
  const { config, folder } = followed;
  const rounds = createDevRounds();
  const releaseCompiler = keepCompiler();
  let application: Application | null = null;
  let page: DevPage | null = null;
  /** Addons whose files are newer than the served version. */
  const waiting = new Set<string>(await ownNames(folder));

  async function bringUp(files: readonly string[]): Promise<readonly string[]> {
    if (!application) {
      await page?.close();
      page = null;
      application = await openApplication(config, { rounds });
      console.log(`Kontor is ready: ${await application.listen()}`);
    }
    const catalogue = await application.kernel.refreshCatalogue();
    for (const name of addonsOf(files, catalogue)) waiting.add(name);
    const names = await bringModules(application, followed, [...waiting]);
    waiting.clear();
    return names;
  }

  async function round(files: readonly string[]): Promise<void> {
    const began = performance.now();
    try {
      const names = await bringUp(files);
      rounds.tell([]);
      if (names.length === 0) return;
      if (application) writeSchema(join(folder, '.kontor/views.xsd'), namesOf(application));
      console.log(`${names.join(', ')}: ready in ${((performance.now() - began) / 1000).toFixed(2)} s`);
    } catch (error) {
      rounds.tell(await mistakesOf(followed, error));
      if (application || page) return;
      page = await openDevPage(config, () => rounds.last);
      console.log(`Errors are shown on ${page.url}`);
    }
  }

  const watcher = watchFolders(watchedFolders(config), round);
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    watcher.close();
    await page?.close();
    await application?.close();
    await releaseCompiler();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
  await watcher.first;
}

function namesOf({ kernel: { registry, loaded } }: Application) {
  return knownNames(registry, loaded.definitions);
}

/** Installs new addons of the folder, and upgrades the given ones to their current files. */
async function bringModules(
  { kernel }: Application,
  { folder, withDemo }: Followed,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const isPresent = (name: string) => kernel.registry.modules.includes(name);
  const present = wanted.filter(isPresent);
  const missing = (await ownNames(folder)).filter((name) => !isPresent(name));
  if (missing.length > 0) await kernel.changeModules((context) => installModules(context, missing), { withDemo });
  if (present.length > 0) await kernel.changeModules((context) => upgradeModules(context, present));
  return [...missing, ...present];
}

/** Those of addons_path, and those of the source tree, whose data, views and translations are read from it. */
function watchedFolders(config: Config): readonly string[] {
  const folders = addonRoots(config)
    .filter(({ isAdded, folder }) => !isAdded && !folder.split(sep).includes('node_modules') && existsSync(folder))
    .map(({ folder }) => resolve(folder));
  return [...new Set(folders)].filter((folder) => !folders.some((other) => folder.startsWith(`${other}${sep}`)));
}

const partOfBuild = /\.(?:ts|tsx|css)$/;

/** The addons of the given files; shipped code is served from the build. */
function addonsOf(files: readonly string[], catalogue: Catalogue): readonly string[] {
  const addons = [...catalogue.values()];
  const owners = files.flatMap((file) =>
    addons.filter(
      ({ folder, isShipped }) => file.startsWith(`${folder}${sep}`) && !(isShipped && partOfBuild.test(file)),
    ),
  );
  return [...new Set(owners.map(({ name }) => name))];
}

/** All mistakes at once; errors that the check does not find are reported separately. */
async function mistakesOf({ config, folder }: Followed, error: unknown): Promise<readonly DevMistake[]> {
  const options = { asJson: false, withTypes: false, schema: undefined, from: undefined };
  const found = await checkAddonFolder(config, folder, options);
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(({ path, line, message, fix }) => ({ path, line, message, fix }));
  const mistake = mistakeOf(error);
  console.log([`${mistake.path}:${mistake.line}: ${mistake.message}`, mistake.fix].filter(Boolean).join('\n    '));
  return [mistake];
}

function mistakeOf(error: unknown): DevMistake {
  if (error instanceof AddonError) {
    const { addon, file = 'manifest.json', line = 1 } = error.place;
    return { path: join(addon, file), line, message: error.problem, fix: error.hint };
  }
  const place = placeOfError(error);
  const message = error instanceof Error ? error.message : String(error);
  return { path: place ? relative('', place.file) : 'kontor', line: place?.line ?? 1, message, fix: '' };
}
