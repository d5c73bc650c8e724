import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const who = { login: 'ada@example.com', password: 'correct horse battery' };

/** The real server on an empty data directory. Nobody answers at its mail server, so the log has something to tell. */
export async function openWorld() {
  const dataDir = join(tmpdir(), `kontor-screenshots-${process.pid}`);
  const env = {
    ...process.env,
    TZ: 'UTC',
    KONTOR_SMTP_HOST: '127.0.0.1',
    KONTOR_SMTP_PORT: '9',
    KONTOR_SMTP_TLS: 'none',
  };
  const args = ['scripts/start.mjs', '--data-dir', dataDir, '-p', '0'];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...env, KONTOR_SMTP_FROM: 'office@example.com' } });
  const url = await readyAt(child);
  let session = null;
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
  const world = {
    url,
    /** Name and value of the administrator's cookie. */
    cookie: () => session?.cookie.split('='),
    async setUp() {
      const about = { company_name: 'Nordlicht Trading', admin_name: 'Ada Lindqvist', email: who.login, demo: '1' };
      await post('/setup/init', { ...about, password: who.password });
      const answer = await post('/web/login', who);
      const { result } = await answer.json();
      session = { cookie: answer.headers.getSetCookie()[0].split(';')[0], csrf: result.csrfToken };
    },
    /** Somebody says something under a record. */
    say: (model, id, body) =>
      post('/web/chatter/post', { model, id, body }, { cookie: session.cookie, 'x-csrf-token': session.csrf }),
    async rpc(model, method, args, kwargs = {}) {
      const headers = { cookie: session.cookie, 'x-csrf-token': session.csrf };
      const answer = await post('/api/rpc', { model, method, args, kwargs }, headers);
      return (await answer.json()).result;
    },
    /** The one-time link that an administrator is shown for somebody without an address. */
    async resetLink() {
      const login = 'grace@kontor.example';
      const [known] = await world.rpc('core.user', 'search', [[['login', '=', login]]], { limit: 1 });
      const id =
        known?.id ?? known ?? (await world.rpc('core.user', 'create', [{ name: 'Grace Hopper', login, email: null }]));
      const headers = { cookie: session.cookie, 'x-csrf-token': session.csrf };
      const answer = await post('/web/action/reset_password', { id }, headers);
      const flash = answer.headers.getSetCookie().find((line) => line.startsWith('svc_flash=')) ?? '';
      return JSON.parse(Buffer.from(flash.split(/[=;]/)[1] ?? '', 'base64url').toString('utf8')).body;
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return world;
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
