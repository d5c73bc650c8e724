import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { addonsOfRun, kontorRoot } from '../place.ts';
import { preparedDatabase, testAdmin } from '../prepared-database.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestPage, type TestPage } from './test-page.ts';
import { openWindows, type WindowOptions, type Windows } from './windows.ts';

/** The default user of a window. */
export const admin = { login: testAdmin.email, password: testAdmin.password } as const;

/** The server of a test file, and browser windows. */
export interface TestApp {
  readonly url: string;
  /** The database of the server, for what no interface creates. */
  readonly database: TestDatabase['database'];
  /** A separate window, signed in as the administrator or as given; `null` signs in nobody. */
  open(options?: OpenOptions): Promise<TestPage>;
  /** RPC as the administrator, for preparing a test. */
  rpc<T = unknown>(model: string, method: string, args: readonly unknown[], kwargs?: object): Promise<T>;
  /** Ends the server, as if the network were gone; `resume` starts it again on the same port and data. */
  stopServer(): Promise<void>;
  resumeServer(): Promise<void>;
  close(): Promise<void>;
}

/** User, place and screen of a window. */
export interface OpenOptions extends WindowOptions {
  readonly as?: { readonly login: string; readonly password: string } | null;
  readonly path?: string;
}

/** Options of the server: apps, demonstration data, settings. */
export interface AppOptions {
  readonly apps?: readonly string[];
  readonly demo?: boolean;
  /** Events over the WebSocket; off unless a test is about them. */
  readonly hasBus?: boolean;
  /**
   * A closed page goes home and waits, with its client, for the next one of the same user, which continues in it (`open` with a
   * path, or `visit`) instead of loading the client again. For files whose tests do not depend on what a client remembers; it
   * reloads data that were changed behind it.
   */
  readonly keepsClient?: boolean;
  /** False: as before the first-run setup. */
  readonly isSetUp?: boolean;
  /** Folders with further addons, or of further addons. */
  readonly addonsPath?: readonly string[];
  /** Further settings of the server, as environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The first two open an internal page of the browser with every window, which takes half a second of a core. The others are those
 * that Playwright disables: the last list on a command line counts.
 */
const unusedFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...[
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
  ],
  ...['NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  ...['ThirdPartyStoragePartitioning'],
];

const flags = [
  `--disable-features=${unusedFeatures.join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let sharedBrowser: Promise<Browser> | undefined;

/** One browser for all files of a worker, which ends with it; what files share of it is only its process. */
async function browserOfWorker(): Promise<Browser> {
  const running = await sharedBrowser;
  if (running?.isConnected()) return running;
  sharedBrowser = chromium.launch({ executablePath: chromiumPath(), args: flags });
  return sharedBrowser;
}

/** The real, built server as a separate process on a new database, and a browser. */
export async function openTestApp(options: AppOptions = {}): Promise<TestApp> {
  const { apps: modules = [], demo = false, isSetUp = true, addonsPath = addonsOfRun() } = options;
  // First, so that no server is left when there is no browser.
  const browser = await browserOfWorker();
  const template = await preparedDatabase({ modules, demo, isSetUp, addonsPath });
  const { dsn, database, drop } = await createTestDatabase({ template });
  const hasBus = options.hasBus ?? false;
  const env = { KONTOR_ADDONS_PATH: addonsPath.join(','), ...options.env };
  const place = await startAtHome(dsn, { hasBus, env });
  let server = place.server;
  const { url } = server;
  const windows = await openWindows(browser, url);
  const pages: TestPage[] = [];
  const resting = options.keepsClient ? new Map<string, Resting[]>() : null;
  const session = options.isSetUp === false ? null : await signIn(url);
  return {
    url,
    database,
    async open(wanted = {}) {
      const page = await openPage({ windows, url, resting }, wanted);
      pages.push(page);
      return page;
    },
    async rpc<T>(model: string, method: string, args: readonly unknown[], kwargs: object = {}) {
      return call<T>(url, session, { model, method, args, kwargs });
    },
    stopServer: () => stop(server.process),
    async resumeServer() {
      server = await startServer(dsn, { port: Number(new URL(url).port), hasBus, env });
    },
    async close() {
      const problems = pages.map((page) => [...page.problems]);
      await windows.closeAll();
      // No client is served any more: an orderly stop would wait half a second for pending requests.
      await stop(server.process, 'SIGKILL');
      place.leave();
      await drop();
      for (const found of problems) expect(found, 'console errors and warnings').toEqual([]);
    },
  };
}

const chromiumPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function chromiumPath(): string {
  const named = process.env.KONTOR_TEST_CHROMIUM;
  const found = (named ? [named] : [...chromiumPlaces, chromium.executablePath()]).find((place) => existsSync(place));
  if (found) return found;
  throw new Error(
    `Screen tests need Chromium${named ? `, and KONTOR_TEST_CHROMIUM names ${named}, which is not there` : ''}. Install it (Debian: apt-get install chromium; elsewhere: npx playwright-core install chromium), or name another one in KONTOR_TEST_CHROMIUM.`,
  );
}

interface Place {
  readonly windows: Windows;
  readonly url: string;
  /** Pages with a client that waits at home, by user; null if none shall wait. */
  readonly resting: Map<string, Resting[]> | null;
}

interface Resting {
  readonly page: Page;
  readonly cookie: string;
}

async function openPage(place: Place, { path, ...whose }: OpenOptions): Promise<TestPage> {
  const { windows, resting } = place;
  const key = JSON.stringify(whose);
  const waiting = resting?.get(key)?.pop();
  const { page, cookie } = waiting ?? (await takeWindow(place, whose));
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    if (!resting || !(await windows.rest(page, () => goHome(test, cookie)))) return windows.giveBack(page);
    resting.set(key, [...(resting.get(key) ?? []), { page, cookie }]);
  };
  const test = createTestPage(page, { close });
  if (path) await (waiting ? test.visit(path) : test.go(path));
  return test;
}

/** A window for a user who signs in while it is opened. */
async function takeWindow({ windows, url }: Place, whose: Omit<OpenOptions, 'path'>): Promise<Resting> {
  const [page, session] = await Promise.all([windows.take(whose), whose.as === null ? null : signIn(url, whose.as)]);
  if (!session) return { page, cookie: '' };
  const [name = '', value = ''] = session.cookie.split('=');
  await page.context().addCookies([{ name, value, url }]);
  return { page, cookie: session.cookie };
}

const closeToasts = `for (const toast of document.querySelectorAll('.toast')) [...toast.querySelectorAll('button')].at(-1).click()`;

/**
 * A page without anything of the test on screen; false if it does not get there, or if another user is signed in by
 * now.
 */
async function goHome(test: TestPage, session: string): Promise<boolean> {
  const { page } = test;
  if (!(await page.evaluate<boolean>('window.__KONTOR_IDLE__ === true'))) return false;
  await page.evaluate(closeToasts);
  await test.visit('/web/home');
  const cookies = await page.context().cookies();
  const isSame = cookies.some(({ name, value }) => `${name}=${value}` === session);
  // Such as a notice about unsaved changes.
  if ((await page.locator('.toast').count()) > 0) return false;
  return isSame && new URL(page.url()).pathname === '/web/home' && test.problems.length === 0;
}

interface Session {
  readonly cookie: string;
  readonly csrf: string;
}

/** A session without a browser, for requests of the test itself. */
export async function signIn(url: string, who: { login: string; password: string } = admin): Promise<Session> {
  const answer = await fetch(`${url}/web/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(who),
  });
  const body = (await answer.json()) as { result: { csrfToken: string } };
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { cookie, csrf: body.result.csrfToken };
}

async function call<T>(url: string, session: Session | null, body: object): Promise<T> {
  if (!session) throw new Error('Nobody is signed in: the server has not been set up.');
  const answer = await fetch(`${url}/api/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: session.cookie, 'x-csrf-token': session.csrf },
    body: JSON.stringify(body),
  });
  const { ok, result, error } = (await answer.json()) as { ok: boolean; result: T; error: unknown };
  if (!ok) throw new Error(JSON.stringify(error));
  return result;
}

interface ServerOptions {
  readonly port: number;
  readonly hasBus: boolean;
  readonly env: Readonly<Record<string, string>>;
}

interface RunningServer {
  readonly url: string;
  readonly process: ChildProcess;
}

/** The servers of a worker's files use one address, one after the other, so that windows can be kept. */
const home = { port: 0, isTaken: false };

async function startAtHome(
  dsn: string,
  options: Omit<ServerOptions, 'port'>,
): Promise<{ readonly server: RunningServer; leave(): void }> {
  if (home.isTaken) return { server: await startServer(dsn, { ...options, port: 0 }), leave: () => {} };
  home.isTaken = true;
  const leave = () => {
    home.isTaken = false;
  };
  try {
    const server = await startServer(dsn, { ...options, port: home.port }).catch((error: Error) => {
      if (!error.message.includes('EADDRINUSE')) throw error;
      return startServer(dsn, { ...options, port: 0 });
    });
    home.port = Number(new URL(server.url).port);
    return { server, leave };
  } catch (error) {
    leave();
    throw error;
  }
}

async function startServer(dsn: string, { port, hasBus, env: settings }: ServerOptions): Promise<RunningServer> {
  const code = `import('./${builtServer()}').then(({ main }) => main(['-d', ${JSON.stringify(dsn)}, '-p', '${port}']))`;
  const env = {
    ...process.env,
    KONTOR_LOG_LEVEL: 'warn',
    KONTOR_BUS_ENABLED: String(hasBus),
    ...settings,
  };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: kontorRoot, env });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /Kontor is ready: (\S+)/.exec(output);
      if (ready) resolve(ready[1] as string);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
  return { url, process: child };
}

/** The build of `npm start`, which starts faster; a package has only the plain build. */
function builtServer(): string {
  const quick = 'dist/start/main.js';
  return existsSync(join(kontorRoot, quick)) ? quick : 'dist/server/main.js';
}

function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
