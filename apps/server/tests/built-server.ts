import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Browser } from './browser.ts';

const root = join(import.meta.dirname, '..', '..', '..');

export interface BuiltServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Lines of standard output and error so far. */
  readonly lines: readonly string[];
  browser(): Browser;
  signal(name: NodeJS.Signals): void;
  /** Exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it if it still runs. */
  stop(): Promise<void>;
}

export interface BuiltServerOptions {
  readonly dsn: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The program of another build. */
  readonly main?: string;
  /** A program that runs it. */
  readonly before?: readonly string[];
}

/** A process of its own that runs the built server, once it is ready. */
export async function startBuiltServer(options: BuiltServerOptions): Promise<BuiltServer> {
  const program = [process.execPath, 'apps/server/tests/start-built.mjs', options.main ?? (await built())];
  return whenReady(await launch(options, [...(options.before ?? []), ...program]));
}

/** As a person starts it: the process is npm's. While tests run it builds nothing, and refuses a build of other sources. */
export async function startWithNpm(options: BuiltServerOptions): Promise<BuiltServer> {
  const env = { ...options.env, KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN ?? '' };
  const started = await whenReady(await launch({ ...options, env }, ['npm', 'start', '--']));
  const stop = async (): Promise<void> => {
    // The whole group, with whatever npm has left behind.
    if (isRunning(-started.pid)) process.kill(-started.pid, 'SIGKILL');
    await started.ended;
  };
  return { ...started, stop };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function whenReady(started: Launched): Promise<BuiltServer> {
  const address = await Promise.race([started.ready, started.ended.then(() => null)]);
  if (address === null) throw new Error(`The server ended before it was ready:\n${started.lines.join('\n')}`);
  const { port } = new URL(address);
  return { ...started, url: address, port: Number(port), browser: () => new Browser(address) };
}

/** A start that is expected to fail: what it says, and its exit code. */
export async function failedStart(options: BuiltServerOptions): Promise<{ code: number | null; text: string }> {
  const started = await launch(options, [process.execPath, 'apps/server/tests/start-built.mjs', await built()]);
  const code = await started.ended;
  return { code, text: started.lines.join('\n') };
}

/** A command of the built server to its end; `input` is what stands on its standard input. */
interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

export async function runBuilt(
  args: readonly string[],
  { env = {}, input = '', cwd = root }: RunOptions = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('KONTOR_')));
  const child = spawn(process.execPath, [join(root, 'apps/server/tests/start-built.mjs'), await built(), ...args], {
    cwd,
    env: { ...clean, ...env },
  });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (piece: Buffer) => {
    texts.out += piece;
  });
  child.stderr.on('data', (piece: Buffer) => {
    texts.err += piece;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...texts };
}

/** How to start the built program as a child, with these arguments. */
export async function builtProgram(args: readonly string[]): Promise<{ file: string; args: string[] }> {
  return { file: process.execPath, args: [join(root, 'apps/server/tests/start-built.mjs'), await built(), ...args] };
}

type Launched = Awaited<ReturnType<typeof launch>>;

async function launch({ dsn, env = {}, args = [] }: BuiltServerOptions, [program = '', ...before]: readonly string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-server-'));
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('KONTOR_')));
  const child = spawn(program, [...before, '-p', '0', ...args], {
    cwd: root,
    env: { ...clean, KONTOR_DB_DSN: dsn, KONTOR_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: program === 'npm',
  });
  const lines: string[] = [];
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const [, address] = /^Kontor is ready: (\S+)$/.exec(line) ?? [];
        if (address) resolve(address);
      });
    }
  });
  const ended = endOf(child, dataDir);
  return {
    lines,
    ready,
    ended,
    pid: child.pid as number,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

function endOf(child: ChildProcess, dataDir: string): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', (code) => {
      rmSync(dataDir, { recursive: true, force: true });
      resolve(code);
    });
  });
}

/** Builds of earlier sources; not the newest of them, which another run may be using. */
function removeOld(): void {
  for (const name of readdirSync(join(root, '.cache')).filter((each) => each.startsWith('server-'))) {
    const folder = join(root, '.cache', name);
    if (Date.now() - statSync(folder).mtimeMs > 3_600_000) rmSync(folder, { recursive: true, force: true });
  }
}

let building: Promise<string> | null = null;

/** Once for all that this process starts: two builds at once would be made in the same place. */
function built(): Promise<string> {
  building ??= build();
  return building;
}

/** The usual build where it is of these sources; else one is made beside it, since somebody may be running it. */
async function build(): Promise<string> {
  const { isServerBuilt, sourceStamp } = (await import(join(root, 'scripts/source-stamp.mjs'))) as {
    isServerBuilt(root: string): boolean;
    sourceStamp(root: string): string;
  };
  if (isServerBuilt(root)) return join(root, 'dist/start/main.js');
  const folder = `.cache/server-${sourceStamp(root).slice(0, 16)}`;
  if (!existsSync(join(root, folder))) {
    const { buildServer } = (await import(join(root, 'scripts/build.mjs'))) as {
      buildServer(folder: string): Promise<void>;
    };
    const partial = `.cache/server-part-${process.pid}`;
    await buildServer(partial);
    removeOld();
    if (existsSync(join(root, folder))) rmSync(join(root, partial), { recursive: true });
    else renameSync(join(root, partial), join(root, folder));
  }
  return join(root, folder, 'main.js');
}
