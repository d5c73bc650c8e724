import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong, selfSigned, testAdmin } from '@kontor/testing';
import { type DebianProgram, needProgram } from '@kontor/testing/debian-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Balancer, freePorts, started, startHaproxy } from './balancer.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const folder = mkdtempSync(join(tmpdir(), 'kontor-proxies-'));
const { key, cert } = selfSigned();
let world: TestServer;
beforeAll(async () => {
  world = await startTestServer({ env: { KONTOR_TRUSTED_PROXIES: '127.0.0.1' } });
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
});
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The site of `deploy/proxy/nginx.conf`, with ports and certificate of the test, in the least that makes a whole of it. */
async function startNginx({ path, env }: DebianProgram): Promise<Balancer> {
  const [plain = 0, tls = 0] = await freePorts(2);
  const site = readFileSync(join(deploy, 'proxy/nginx.conf'), 'utf8')
    .replaceAll(/ +listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${tls} ssl http2;`)
    .replace('127.0.0.1:8080', `127.0.0.1:${world.port}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${join(folder, 'cert.pem')};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${join(folder, 'key.pem')};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const whole = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${temporary.join(' ')} ${site} }`;
  writeFileSync(join(folder, 'nginx.conf'), whole);
  mkdirSync(join(folder, 'logs'));
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  const nginx = await started(
    spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    `http://127.0.0.1:${plain}`,
  );
  const redirect = await fetch(nginx.url, { redirect: 'manual', headers: { host: 'kontor.example.com' } });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([301, expect.stringMatching(/^https:/)]);
  return { ...nginx, url: `https://localhost:${tls}` };
}

async function startCaddy({ path, env }: DebianProgram): Promise<Balancer> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const args = ['run', '--adapter', 'caddyfile', '--config', join(deploy, 'proxy/Caddyfile')];
  const places = { SITE_HOST: url, SITE_UPSTREAM: `127.0.0.1:${world.port}`, XDG_DATA_HOME: folder, HOME: folder };
  return started(spawn(path, args, { env: { ...env, ...places }, stdio: ['ignore', 'pipe', 'pipe'] }), url);
}

async function startBalancer(haproxy: DebianProgram): Promise<Balancer> {
  const [port = 0] = await freePorts(1);
  return startHaproxy(haproxy, { folder, port, upstreams: [world.port, world.port] });
}

interface Answer {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** One request through the proxy; what signs itself is trusted here. */
function ask(url: string, { body = '', headers = {} }: { body?: string | Buffer; headers?: object } = {}) {
  const send = url.startsWith('https') ? tlsRequest : plainRequest;
  return new Promise<Answer>((resolve, reject) => {
    const options = { method: body === '' ? 'GET' : 'POST', headers: { ...headers }, ca: cert };
    const asked = send(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [], text }),
      );
    });
    asked.on('error', reject).end(body);
  });
}

/** Signs in, listens on the bus, makes a record, uploads more than proxies take by themselves, and exports. */
async function work({ url }: Balancer): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const login = JSON.stringify({ login: testAdmin.email, password: testAdmin.password });
  const spoofed = { ...json, 'x-forwarded-for': '203.0.113.9' };
  const signedIn = await ask(`${url}/web/login`, { body: login, headers: spoofed });
  expect([signedIn.status, signedIn.text]).toEqual([200, expect.stringContaining('csrfToken')]);
  expect(signedIn.cookies.some((cookie) => /; secure/i.test(cookie))).toBe(url.startsWith('https'));
  const cookie = signedIn.cookies.map((line) => line.split(';', 1)[0]).join('; ');
  const token = (JSON.parse(signedIn.text) as { result: { csrfToken: string } }).result.csrfToken;
  const headers = { cookie, 'x-csrf-token': token };

  const heard: string[] = [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/web/wc/bus`, { headers: { cookie }, ca: cert });
  socket.on('message', (piece) => heard.push(String(piece)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const create = { model: 'core.partner', method: 'create', args: [{ name: `Through ${url}` }] };
  const made = await ask(`${url}/api/rpc`, { body: JSON.stringify(create), headers: { ...headers, ...json } });
  expect([made.status, made.text]).toEqual([200, expect.stringContaining('"ok":true')]);
  await expect.poll(() => heard.some((text) => text.includes('core.partner'))).toBe(true);
  socket.close();

  const rows = Array.from({ length: 60_000 }, (_, row) => `Somebody with quite a long name ${row}\n`);
  const form = new FormData();
  form.set('model', 'core.partner');
  form.set('csrf_token', token);
  form.set('file', new Blob([`name\n${rows.join('')}`]), 'people.csv');
  const whole = new Response(form);
  const body = Buffer.from(await whole.arrayBuffer());
  expect(body.length).toBeGreaterThan(2_000_000);
  const type = { 'content-type': whole.headers.get('content-type') ?? '', accept: 'application/json' };
  const uploaded = await ask(`${url}/web/bulk/upload`, { body, headers: { ...headers, ...type } });
  expect([uploaded.status, uploaded.text]).toEqual([200, expect.stringContaining('redirect')]);
  const exported = await ask(`${url}/web/export/csv?model=core.partner&fields=name`, { headers });
  expect([exported.status, exported.text]).toEqual([200, expect.stringContaining(`Through ${url}`)]);
  expect((await ask(`${url}/metrics`)).status).not.toBe(200);
}

describe('the proxies of deploy/', () => {
  it.for([
    { program: 'nginx', from: 'nginx-light', mayFetch: true, start: startNginx },
    { program: 'haproxy', from: 'haproxy', mayFetch: true, start: startBalancer },
    { program: 'caddy', from: 'caddy', mayFetch: isLong, start: startCaddy },
  ])('OPS-8 people work through $program: pages, the bus, an upload, an export', async (each, context) => {
    const proxy = await each.start(needProgram(context, each));
    try {
      await work(proxy);
    } finally {
      await proxy.stop();
    }
  });
});
