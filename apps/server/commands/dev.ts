import { watch } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Config, discoverAddons, installModules, upgradeModules } from '@kontor/kernel';
import { type Application, openApplication } from '../open-application.ts';
import { checkAddonFolder } from './check-addon.ts';
import { type Command, UsageError } from './command.ts';

export const dev: Command = {
  name: 'dev',
  takes: '[DIR]',
  help: 'Runs a server for the author of the addon in DIR, or here, and follows every change of its files.',
  details: `Models, views, data, words and browser code are upgraded in place when a file is saved; a mistake is said with all others, and
what ran before goes on. The embedded database is kept in DIR/.kontor/data unless --data-dir or --database names another.`,
  words: [0, 1],
  options: [{ name: 'demo', help: 'Installs with demonstration data.' }],
  async run({ config, words, has }) {
    const folder = resolve(words[0] ?? '.');
    const names = [...(await discoverAddons([{ folder, isShipped: false }])).keys()];
    if (names.length === 0) throw new UsageError(`There is no addon in ${folder}.`);
    const isUsual = config.dataDir === resolve('data');
    const addonsPath = [...new Set([...config.addonsPath, folder])];
    const dataDir = isUsual ? join(folder, '.kontor/data') : config.dataDir;
    await follow({ ...config, addonsPath, dataDir, devMode: true }, folder, names, has('demo'));
  },
};

async function follow(config: Config, folder: string, names: readonly string[], withDemo: boolean): Promise<void> {
  let application: Application | null = null;
  let isEnding = false;
  const round = async (): Promise<void> => {
    const began = performance.now();
    try {
      if (application) await bringUp(application, names, withDemo);
      else application = await open(config, names, withDemo);
      console.log(`${names.join(', ')}: ready in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      // Everything that is wrong at once; what the check does not see is said by itself.
      const options = { asJson: false, withTypes: false, schema: undefined };
      const isFine = await checkAddonFolder(config, folder, options);
      if (isFine) console.log((error as Error).message);
    }
  };
  await round();
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    watcher.close();
    await application?.close();
    process.exit(0);
  };
  const watcher = watchFolder(folder, round);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
}

async function open(config: Config, names: readonly string[], withDemo: boolean): Promise<Application> {
  const application = await openApplication(config);
  try {
    await bringUp(application, names, withDemo);
    console.log(`Kontor is ready: ${await application.listen()}`);
    return application;
  } catch (error) {
    await application.close();
    throw error;
  }
}

/** Installs what is not yet, and brings the rest to what its files say now. */
async function bringUp({ kernel }: Application, names: readonly string[], withDemo: boolean): Promise<void> {
  await kernel.refreshCatalogue();
  const present = names.filter((name) => kernel.registry.modules.includes(name));
  const missing = names.filter((name) => !present.includes(name));
  if (missing.length > 0) await kernel.changeModules((context) => installModules(context, missing), { withDemo });
  if (present.length > 0) await kernel.changeModules((context) => upgradeModules(context, present));
}

const left = /(?:^|\/)(?:node_modules|tests|\.[^/]*)(?:\/|$)|\.tgz$|~$/;

/** One round at a time; what is saved meanwhile makes one more. */
function watchFolder(folder: string, round: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  const begin = () => {
    if (running) {
      timer = setTimeout(begin, 50);
      return;
    }
    running = round().finally(() => {
      running = null;
    });
  };
  return watch(folder, { recursive: true }, (_event, file) => {
    if (!file || left.test(relative(folder, resolve(folder, file)))) return;
    clearTimeout(timer);
    timer = setTimeout(begin, 60);
  });
}
