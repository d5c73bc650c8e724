import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** A folder outside of this repository, with the packages for authors installed as from their tarballs. */
export interface Outside {
  /** Checks files as those of one addon. Returns the errors, empty if there are none. */
  compile(files: Readonly<Record<string, string>>): Promise<string>;
  /** Runs `kontor check` in the folder of an addon with these files. Returns what it prints, line by line. */
  check(name: string, files: Readonly<Record<string, string>>): Promise<readonly string[]>;
  /** The same for browser code. */
  compileClient(files: Readonly<Record<string, string>>): Promise<string>;
  remove(): Promise<void>;
}

export async function openOutside(): Promise<Outside> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-outside-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of ['@types', 'typescript', '@typescript'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  const stage = `import('./scripts/packages/pack-all.mjs').then(({ stageAddon, stageTesting, stageClient }) => {
    stageAddon(${JSON.stringify(join(modules, '@kontor/addon'))});
    stageTesting(${JSON.stringify(join(modules, '@kontor/testing'))});
    stageClient(${JSON.stringify(join(modules, '@kontor/client'))});
  })`;
  await run(process.execPath, ['-e', stage], { cwd: root });
  let count = 0;
  return {
    compile: (files) => compile(join(folder, `addon-${count++}`), files, '@kontor/addon/tsconfig.json'),
    compileClient: (files) => compile(join(folder, `addon-${count++}`), files, '@kontor/addon/tsconfig.client.json'),
    check: (name, files) => check(join(folder, name), files),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
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
