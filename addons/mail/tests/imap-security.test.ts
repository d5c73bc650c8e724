import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Env, typedEnv } from '@kontor/orm';
import { startWorkers } from '@kontor/parts';
import { selfSigned } from '@kontor/testing';
import { type ImapServer, startImapServer } from '@kontor/testing/imap-server';
import { long } from '@kontor/testing/long';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type MailboxWorld, mailboxWorld } from './mailbox-world.ts';
import { bytes } from './odd-messages/message.ts';

let world: MailboxWorld;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  world = await mailboxWorld({ env: { KONTOR_WEBHOOK_ALLOW: '127.0.0.1' } });
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});
afterAll(() => world.close());

const password = 'right "password"';
const server = <T>(run: (env: Env) => Promise<T>) => world.server(run);
const test = (id: number) => world.work((env) => typedEnv(env).model('mail.mailbox').call([id], 'test'));
const result = async (id: number) => (await world.read('mail.mailbox', id, ['test_result'])).test_result;
const write = (id: number, values: Record<string, unknown>) =>
  world.work((env) => env.model('mail.mailbox').write([id], values));
async function addMailbox(imap: ImapServer, values: object): Promise<number> {
  const id = await world.addMailbox({
    ...{ address: `box${imap.port}@kontor.test`, kind: 'imap', host: 'localhost', port: imap.port, tls: 'none' },
    ...{ username: 'office', next_try: '2100-01-01T00:00:00Z', ...values },
  });
  ends.push(() => server((env) => env.model('mail.mailbox').write([id], { active: false })).then(() => {}));
  return id;
}
async function start(security: Parameters<typeof startImapServer>[2] = null): Promise<ImapServer> {
  const imap = await startImapServer('office', password, security);
  ends.push(() => imap.close());
  imap.add(bytes('From: a@customer.test\nSubject: one\nMessage-ID: <one@x>\n\nHello'));
  return imap;
}

describe('INM-13 TLS', () => {
  it.each(['tls', 'starttls'] as const)(
    'INM-13 with %s a certificate that nobody vouches for is refused before the password is sent; one that the administrator trusts works',
    async (mode) => {
      const certificate = selfSigned();
      const imap = await start({ mode, ...certificate });
      const id = await addMailbox(imap, { tls: mode, new_password: password });
      await expect(test(id)).rejects.toThrow('The certificate of localhost is not valid.');
      expect(imap.clients()).toBe(0);
      await write(id, { certificate: certificate.cert });
      await test(id);
      expect(await result(id)).toBe('1 e-mails in INBOX, 1 of them new.');
      expect(imap.plain.join('\n')).not.toMatch(/password|LOGIN/i);
      await write(id, { certificate: selfSigned().cert });
      await expect(test(id)).rejects.toThrow('The certificate of localhost is not valid.');
      await expect(write(id, { certificate: 'mine' })).rejects.toThrow('Paste the certificate');
    },
  );

  it('INM-13 a server that does not offer STARTTLS gets no password', async () => {
    const imap = await start();
    const id = await addMailbox(imap, { tls: 'starttls', new_password: password });
    await expect(test(id)).rejects.toThrow(/localhost|mail server|fetched/);
    expect(imap.plain.join('\n')).not.toMatch(/password|LOGIN|AUTHENTICATE/i);
  });
});

interface Provider {
  readonly url: string;
  readonly asked: URLSearchParams[];
  answer: { readonly status: number; readonly body: unknown };
}

async function startProvider(): Promise<Provider> {
  const asked: URLSearchParams[] = [];
  const provider = { url: '', asked, answer: { status: 200, body: {} as unknown } };
  const http: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(new URLSearchParams(body));
      response.writeHead(provider.answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(provider.answer.body));
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  ends.push(async () => {
    http.closeAllConnections();
    http.close();
  });
  return Object.assign(provider, { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/token` });
}

describe('INM-14 OAuth 2', () => {
  const oauth = (provider: Provider, values: object = {}) => ({
    ...{ auth: 'oauth', token_url: provider.url, client_id: 'kontor', host: '127.0.0.1' },
    ...{ new_client_secret: 'client secret', new_refresh_token: 'refresh-1', ...values },
  });
  const secrets = (id: number) =>
    world.read('mail.mailbox', id, ['client_secret', 'refresh_token', 'has_refresh_token']);

  long('INM-14 a refresh token is exchanged for the token that signs in, and a new refresh token is kept', async () => {
    const [imap, provider] = [await start(), await startProvider()];
    imap.token = 'access-1';
    const id = await addMailbox(imap, oauth(provider));
    provider.answer = { status: 200, body: { access_token: 'access-1', refresh_token: 'refresh-2', expires_in: 3600 } };
    await test(id);
    expect(await result(id)).toBe('1 e-mails in INBOX, 1 of them new.');
    expect(Object.fromEntries(provider.asked[0] ?? [])).toEqual({
      ...{
        grant_type: 'refresh_token',
        refresh_token: 'refresh-1',
        client_id: 'kontor',
        client_secret: 'client secret',
      },
    });
    expect(await secrets(id)).toMatchObject({ refresh_token: 'refresh-2', client_secret: 'client secret' });
    expect(imap.plain.join('\n')).not.toContain('LOGIN');
    // The worker signs in with the newest, and keeps what it gets.
    provider.answer = { status: 200, body: { access_token: 'access-1', refresh_token: 'refresh-3' } };
    await server((env) => env.model('mail.mailbox').write([id], { next_try: null }));
    const idle = imap.idle();
    const workers = startWorkers(world.kernel);
    await idle;
    await workers.stop();
    expect(provider.asked.at(-1)?.get('refresh_token')).toBe('refresh-2');
    expect(await secrets(id)).toMatchObject({ refresh_token: 'refresh-3' });
    expect(await server((env) => env.model('mail.incoming').count([['mailbox_id', '=', id]]))).toBe(1);
  });

  it('INM-14 what a provider refuses is said without a secret, and a token that would become a command is not used', async () => {
    const [imap, provider] = [await start(), await startProvider()];
    imap.token = 'access-1';
    const id = await addMailbox(imap, oauth(provider));
    for (const [answer, told] of [
      [{ status: 400, body: { error: 'invalid_grant', error_description: 'refresh-1 is over' } }, 'invalid_grant'],
      [{ status: 500, body: 'refresh-1' }, 'HTTP 500'],
      [{ status: 200, body: { access_token: 'a\r\nA1 LOGOUT' } }, 'HTTP 200'],
      [{ status: 302, body: { access_token: 'access-1' } }, 'HTTP 302'],
    ] as const) {
      provider.answer = answer;
      await expect(test(id)).rejects.toThrow(`The provider gave no token: ${told}`);
    }
    expect(imap.plain.join('\n')).not.toContain('AUTHENTICATE');
    provider.answer = { status: 200, body: { access_token: 'wrong' } };
    await expect(test(id)).rejects.toThrow(/Invalid token/);
  });

  it('INM-14 secrets cannot be read, and are forgotten with another provider or client', async () => {
    const [imap, provider] = [await start(), await startProvider()];
    const id = await addMailbox(imap, oauth(provider));
    const [row] = await world.work((env) => env.model('mail.mailbox').read([id]));
    expect(JSON.stringify(row)).not.toMatch(/refresh-1|client secret/);
    await expect(write(id, { token_url: 'http://provider.example/token' })).rejects.toThrow('begins with https://');
    await write(id, { name: 'Other' });
    expect(await secrets(id)).toMatchObject({ refresh_token: 'refresh-1', has_refresh_token: true });
    await write(id, { token_url: 'https://evil.example/token' });
    expect(await secrets(id)).toMatchObject({ refresh_token: null, client_secret: null, has_refresh_token: false });
    expect(provider.asked).toEqual([]);
  });
});
