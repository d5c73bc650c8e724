import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isLong } from '@kontor/testing';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** A folder outside of this repository, with the packages for authors as npm packs them; in a long run from the tarballs themselves. */
export interface Outside {
  /** Checks files as those of one addon. Returns the errors, empty if there are none. */
  compile(files: Readonly<Record<string, string>>): Promise<string>;
  /** Runs `kontor check` in the folder of an addon with these files. Returns what it prints, line by line. */
  check(name: string, files: Readonly<Record<string, string>>): Promise<readonly string[]>;
  /** The same for browser code. */
  compileClient(files: Readonly<Record<string, string>>): Promise<string>;
  /** The pages that come with the packages, by name. */
  pages(): Promise<ReadonlyMap<string, string>>;
  remove(): Promise<void>;
}

export async function openOutside(): Promise<Outside> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-outside-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  // Vitest comes with @kontor/testing.
  for (const name of ['@types', 'typescript', '@typescript', 'vitest'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  const staged = isLong ? join(folder, 'staged') : join(modules, '@kontor');
  const stage = `import('./scripts/packages/pack-all.mjs').then(({ stageAddon, stageTesting, stageClient }) => {
    stageAddon(${JSON.stringify(join(staged, 'addon'))});
    stageTesting(${JSON.stringify(join(staged, 'testing'))});
    stageClient(${JSON.stringify(join(staged, 'client'))});
  })`;
  await run(process.execPath, ['-e', stage], { cwd: root });
  if (isLong)
    for (const name of ['addon', 'testing', 'client'])
      await installTarball(join(staged, name), join(modules, '@kontor', name));
  let count = 0;
  return {
    compile: (files) => compile(join(folder, `addon-${count++}`), files, '@kontor/addon/tsconfig.json'),
    compileClient: (files) => compile(join(folder, `addon-${count++}`), files, '@kontor/addon/tsconfig.client.json'),
    pages: () => readPages(join(modules, '@kontor/addon/docs')),
    check: (name, files) => check(join(folder, name), files),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What is not in the tarball is not there: a long run compiles against exactly what an author downloads. */
async function installTarball(source: string, target: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: source });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await mkdir(target, { recursive: true });
  await run('tar', ['xzf', join(source, filename), '-C', target, '--strip-components', '1']);
}

/** Pictures are there, without a text. */
async function readPages(docs: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(docs, { recursive: true })).filter((name) => /\.(md|png)$/.test(name));
  const read = async (name: string) => (name.endsWith('.md') ? readFile(join(docs, name), 'utf8') : '');
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}

async function check(folder: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await write(folder, files);
  const { stdout, stderr } = await run(process.execPath, [join(root, 'bin/kontor.mjs'), 'check'], {
    cwd: folder,
    env: { PATH: process.env.PATH, KONTOR_ADDONS_PATH: '', KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN },
  }).catch((error) => error);
  return `${stdout}${stderr}`.trimEnd().split('\n');
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function compile(folder: string, files: Readonly<Record<string, string>>, base: string): Promise<string> {
  const config = { extends: base, compilerOptions: { noUnusedLocals: false } };
  await write(folder, { ...files, 'tsconfig.json': JSON.stringify(config) });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch((error) => error);
  return stdout;
}
