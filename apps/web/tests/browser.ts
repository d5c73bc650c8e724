import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { createTestPage, type TestPage } from './test-page.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Addons that only tests install. */
const testAddons = fileURLToPath(new URL('./addons', import.meta.url));
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const admin = { login: 'ada@example.com', password: 'correct horse battery' } as const;

export interface TestApp {
  readonly url: string;
  /** The database under the server, for what no interface makes. */
  readonly database: TestDatabase['database'];
  /** A window of its own, signed in as the administrator or as given; `null` signs in nobody. */
  open(options?: OpenOptions): Promise<TestPage>;
  /** RPC in the administrator's name, for making what a test needs. */
  rpc<T = unknown>(model: string, method: string, args: readonly unknown[], kwargs?: object): Promise<T>;
  /** Ends the server, as if the network were gone; `resume` starts it again on the same port and data. */
  stopServer(): Promise<void>;
  resumeServer(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly as?: { readonly login: string; readonly password: string } | null;
  readonly path?: string;
  readonly size?: 'desk' | 'phone';
  readonly theme?: 'light' | 'dark';
  /** What the browser asks pages for. */
  readonly locale?: string;
}

export interface AppOptions {
  readonly apps?: readonly string[];
  readonly demo?: boolean;
  /** Events over the WebSocket; off unless a test is about them. */
  readonly hasBus?: boolean;
  /** False: as before the first-run setup. */
  readonly isSetUp?: boolean;
  /** Further settings of the server, as environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The real, built server as a process of its own on a fresh database, and one browser for the whole test file. */
export async function openTestApp(options: AppOptions = {}): Promise<TestApp> {
  const { dsn, database, drop } = await createTestDatabase();
  const hasBus = options.hasBus ?? false;
  const env = options.env ?? {};
  let server = await startServer(dsn, { port: 0, hasBus, env });
  const { url } = server;
  if (options.isSetUp !== false) await setUp(url, options);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: flags });
  const pages: TestPage[] = [];
  const session = options.isSetUp === false ? null : await signIn(url);
  return {
    url,
    database,
    async open(wanted = {}) {
      const page = await openPage(browser, url, wanted);
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
      await browser.close();
      await stop(server.process);
      await drop();
      for (const page of pages) expect(page.problems, 'console errors and warnings').toEqual([]);
    },
  };
}

function chromiumPath(): string {
  return process.env.KONTOR_TEST_CHROMIUM ?? '/usr/bin/chromium';
}

async function openPage(browser: Browser, url: string, options: OpenOptions): Promise<TestPage> {
  const size = options.size ?? 'desk';
  const context: BrowserContext = await browser.newContext({
    baseURL: url,
    viewport: sizes[size],
    hasTouch: size === 'phone',
    isMobile: size === 'phone',
    colorScheme: options.theme ?? 'light',
    reducedMotion: 'reduce',
    locale: options.locale ?? 'en-US',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (options.as !== null) {
    const { cookie } = await signIn(url, options.as);
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  const page: Page = await context.newPage();
  const test = createTestPage(page, axeSource);
  if (options.path) await test.go(options.path);
  return test;
}

interface Session {
  readonly cookie: string;
  readonly csrf: string;
}

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

async function setUp(url: string, { apps = [], demo = false }: AppOptions): Promise<void> {
  const answer = await fetch(`${url}/setup/init`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      company_name: 'Nordlicht Trading',
      admin_name: 'Ada Lindqvist',
      email: admin.login,
      password: admin.password,
      apps: apps.join(','),
      demo: demo ? '1' : '',
    }),
  });
  if (!answer.ok) throw new Error(`Setup failed: ${await answer.text()}`);
}

interface ServerOptions {
  readonly port: number;
  readonly hasBus: boolean;
  readonly env: Readonly<Record<string, string>>;
}

async function startServer(
  dsn: string,
  { port, hasBus, env: settings }: ServerOptions,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const code = `import('./dist/server/main.js').then(({ main }) => main(['-d', ${JSON.stringify(dsn)}, '-p', '${port}']))`;
  const env = {
    ...process.env,
    KONTOR_LOG_LEVEL: 'warn',
    KONTOR_BUS_ENABLED: String(hasBus),
    KONTOR_ADDONS_PATH: testAddons,
    ...settings,
  };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root, env });
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

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
