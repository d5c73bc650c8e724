import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** A program of Debian's, and what its environment needs. */
export interface DebianProgram {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

const cache = join(import.meta.dirname, '../../.cache/debian');
const limitMs = 120_000;

export interface Wanted {
  readonly program: string;
  /** The package that it is in. */
  readonly from: string;
  /** Its package is unpacked under `.cache` where it is not installed; nothing of the machine is changed, no service started. */
  readonly mayFetch: boolean;
}

/** Where the program is; the test is skipped, and says what is missing, where there is none. */
export function needProgram(context: TestContext, { program, from, mayFetch }: Wanted): DebianProgram {
  const path = `${process.env.PATH}:/usr/sbin:/sbin`;
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
  if (status === 0) return { path: stdout.trim(), env: process.env };
  const found = unpacked(program, from) ?? (mayFetch && fetchPackage(from) ? unpacked(program, from) : null);
  if (!found) return context.skip(`${program} is not here (Debian: apt-get install ${from})`);
  return found;
}

function unpacked(program: string, from: string): DebianProgram | null {
  const root = join(cache, from);
  const path = ['usr/sbin', 'usr/bin', 'sbin', 'bin'].map((folder) => join(root, folder, program)).find(existsSync);
  if (!path) return null;
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => {
    const place = join(root, folder);
    const names = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('-linux-gnu')) : [];
    return names.map((name) => join(place, name));
  });
  const modules = join(root, 'usr/lib/python3/dist-packages');
  return { path, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':'), PYTHONPATH: modules } };
}

/** The package and what it needs that is not installed. False where there is no apt, no network or no such package. */
function fetchPackage(name: string): boolean {
  const partial = join(cache, `${name}-${process.pid}`);
  const debs = join(partial, '.debs');
  mkdirSync(debs, { recursive: true });
  try {
    const lists = knownLists(name) ?? ownLists(name);
    if (!lists) return false;
    const wanted = [...lists.plan.matchAll(/^Inst (\S+)/gm)].map(([, each = '']) => each);
    const options = { cwd: debs, timeout: limitMs };
    if (spawnSync('apt-get', [...lists.flags, 'download', '-qq', ...wanted], options).status !== 0) return false;
    for (const deb of readdirSync(debs)) spawnSync('dpkg-deb', ['-x', join(debs, deb), partial]);
    rmSync(debs, { recursive: true });
    if (!existsSync(join(cache, name))) renameSync(partial, join(cache, name));
    return true;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

interface Lists {
  readonly flags: readonly string[];
  /** What apt would install. */
  readonly plan: string;
}

function knownLists(name: string, flags: readonly string[] = []): Lists | null {
  const args = [...flags, 'install', '--simulate', '--no-install-recommends', name];
  const { status, stdout } = spawnSync('apt-get', args, { encoding: 'utf8', timeout: limitMs });
  return status === 0 && stdout.includes('\nInst ') ? { flags, plan: stdout } : null;
}

/** The machine has no lists of packages, or old ones: some of our own, which need no rights. */
function ownLists(name: string): Lists | null {
  const state = join(cache, 'lists');
  mkdirSync(join(state, 'partial'), { recursive: true });
  const flags = ['-o', `Dir::State::lists=${state}`, '-o', `Dir::Cache=${join(cache, 'apt')}`];
  mkdirSync(join(cache, 'apt/archives/partial'), { recursive: true });
  const { status } = spawnSync('apt-get', [...flags, 'update', '-qq'], { timeout: limitMs });
  return status === 0 ? knownLists(name, flags) : null;
}
