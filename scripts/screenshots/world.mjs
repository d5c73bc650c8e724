import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillWorld } from './fill-world.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const who = { login: 'ada@example.com', password: 'correct horse battery' };

/** The real server on an empty data directory. Nobody answers at its mail server, so the log has something to tell. */
export async function openWorld() {
  const dataDir = join(tmpdir(), `kontor-screenshots-${process.pid}`);
  const child = startServer(dataDir);
  const url = await readyAt(child);
  const { post, call, signIn } = callsOf(url);
  let session = null;
  const world = {
    url,
    /** Name and value of the administrator's cookie. */
    cookie: () => session?.cookie.split('='),
    /** `isEmpty`: all apps without demonstration data. */
    async setUp({ isEmpty = false } = {}) {
      const about = { company_name: 'Nordlicht Trading', admin_name: 'Ada Lindqvist', email: who.login };
      const content = isEmpty ? { apps: 'contacts,crm,sale,project,calendar,automations' } : { demo: '1' };
      await post('/setup/init', { ...about, ...content, password: who.password });
      session = await signIn(who);
      if (!isEmpty) await fillWorld(world);
    },
    login: who.login,
    /** The same in somebody else's name. */
    async as(person, work) {
      const theirs = await signIn(person);
      await work((model, method, args, kwargs = {}) => call(headersOf(theirs), { model, method, args, kwargs }));
    },
    /** Makes an API key and tells its secret. */
    async createKey(fields) {
      const answer = await post('/web/action/create_api_key', fields, headersOf(session));
      return flashOf(url, session, answer);
    },
    rpcByKey: (key, model, method, args, kwargs = {}) => call({ 'x-api-key': key }, { model, method, args, kwargs }),
    forgetPassword: () => post('/web/forgot-password', { login: who.login }, { origin: url }),
    /** Somebody says something under a record. */
    say: (model, id, body) => post('/web/chatter/post', { model, id, body }, headersOf(session)),
    rpc: (model, method, args, kwargs = {}) => call(headersOf(session), { model, method, args, kwargs }),
    /** The one-time link that an administrator is shown for somebody without an address. */
    async resetLink() {
      const login = 'grace@kontor.example';
      const [known] = await world.rpc('core.user', 'search', [[['login', '=', login]]], { limit: 1 });
      const id =
        known?.id ?? known ?? (await world.rpc('core.user', 'create', [{ name: 'Grace Hopper', login, email: null }]));
      return flashOf(url, session, await post('/web/action/reset_password', { id }, headersOf(session)));
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}

function startServer(dataDir) {
  const env = {
    ...process.env,
    TZ: 'UTC',
    KONTOR_SMTP_HOST: '127.0.0.1',
    KONTOR_SMTP_PORT: '9',
    KONTOR_SMTP_TLS: 'none',
    KONTOR_SMTP_FROM: 'office@example.com',
  };
  return spawn(process.execPath, ['scripts/start.cjs', '--data-dir', dataDir, '-p', '0'], { cwd: root, env });
}

function callsOf(url) {
  const post = async (path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status >= 400) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  };
  return {
    post,
    call: async (headers, body) => (await (await post('/api/rpc', body, headers)).json()).result,
    async signIn(person) {
      const answer = await post('/web/login', person);
      const { result } = await answer.json();
      return { cookie: answer.headers.getSetCookie()[0].split(';')[0], csrf: result.csrfToken };
    },
  };
}

function headersOf({ cookie, csrf }) {
  return { cookie, 'x-csrf-token': csrf };
}

/** What the next page shows once: a link, a secret. */
async function flashOf(url, { cookie }, answer) {
  const flash = answer.headers.getSetCookie().find((line) => line.startsWith('svc_flash=')) ?? '';
  const page = await fetch(`${url}/web/home`, { headers: { cookie: `${cookie}; ${flash.split(';')[0]}` } });
  const [, bootstrap] = /__WC_BOOTSTRAP__ = (.*?);<\/script>/s.exec(await page.text());
  return JSON.parse(bootstrap).toasts[0].body;
}

async function readyAt(child) {
  let said = '';
  return new Promise((resolve, reject) => {
    const read = (chunk) => {
      said += chunk;
      const [, url] = /Kontor is ready: (\S+)/.exec(said) ?? [];
      if (url) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
}
