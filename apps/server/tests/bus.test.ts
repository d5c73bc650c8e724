import { sql } from '@kontor/database';
import { publish } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createApiKey, notify } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { eventually, openBus, refusal, refusedStatus } from './bus-socket.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
beforeAll(async () => {
  world = await startTestServer();
});
afterAll(() => world.close());

const partners = 'core.partner';
const make = (name: string, actor?: Actor) => world.work((env) => env.model(partners).create({ name }), actor);

describe('EVT-1 the upgrade', () => {
  it('EVT-1 needs a session: 401 without one, and with an API key', async () => {
    expect(await refusedStatus(world.browser())).toBe(401);
    expect(await refusedStatus(world.browser(), { cookie: `svc_session=${'0'.repeat(64)}` })).toBe(401);
    expect(await refusedStatus(world.browser(), { 'x-api-key': `sk_${'0'.repeat(48)}` })).toBe(401);
    const { secret } = await world.work((env) =>
      createApiKey(env, { userId: 1, name: 'bus', expiresAt: null, scope: null }),
    );
    const keyed = Browser.withKey(world.url, secret);
    expect(await keyed.outcome(partners, 'search', [])).toBe('OK');
    expect(await refusedStatus(world.browser(), { 'x-api-key': secret })).toBe(401);
    expect(await refusedStatus(world.browser(), { authorization: `Bearer ${secret}` })).toBe(401);
    const left = await world.signedIn();
    const cookie = `svc_session=${left.cookies.get('svc_session')}`;
    await left.get('/web/logout');
    expect(await refusedStatus(world.browser(), { cookie })).toBe(401);
  });

  it('EVT-1 refuses another origin with 403 and takes its own', async () => {
    const browser = await world.signedIn();
    expect(await refusedStatus(browser, { origin: 'https://evil.example' })).toBe(403);
    expect(await refusedStatus(browser, { origin: 'null' })).toBe(403);
    const bus = await openBus(browser, { origin: world.url });
    expect(bus.socket.extensions).toBe('');
    expect(await bus.close()).toBe(1005);
  });

  it('EVT-1 one connection more than a session may have is refused, and told when to try again', async () => {
    const browser = await world.signedIn();
    const open = await Promise.all(Array.from({ length: 50 }, () => openBus(browser)));
    const { status, retryAfter, body } = await refusal(browser);
    expect([status, retryAfter]).toEqual([429, '30']);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'RATE_LIMITED', details: { retry_after: 30 } } });
    await Promise.all(open.map((bus) => bus.close()));
    expect((await openBus(browser)).socket.readyState).toBe(1);
  });

  it('EVT-1 RTE-11 a plain GET is 404 and no error is logged; other upgrades are answered as if they had not asked', async () => {
    const browser = await world.signedIn();
    const before = world.log.length;
    const plain = await browser.get('/web/wc/bus', { 'x-request-id': 'plain-get' });
    expect(plain.status).toBe(404);
    expect(await plain.json()).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect((await world.browser().get('/web/wc/bus', { 'x-request-id': 'plain-get' })).status).toBe(404);
    const lines = () => world.log.slice(before).map((line) => JSON.parse(line) as { level: string; reqId: string });
    await eventually(() => expect(lines().filter(({ reqId }) => reqId === 'plain-get')).toHaveLength(2));
    expect(lines().filter(({ level }) => ['warn', 'error', 'fatal'].includes(level))).toEqual([]);
    // As loud as any other request, so that the silence means something.
    expect(lines().filter(({ level }) => level === 'info')).not.toEqual([]);
    expect(await rawGet('/api/health', 'h2c')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await rawGet('/web/wc/bus', 'h2c')).toMatch(/^HTTP\/1\.1 404 /);
    const login = JSON.stringify({ login: 'nobody@example.com', password: 'wrong' });
    expect(await rawGet('/web/login', 'h2c', 'POST', login)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('EVT-2 what is told', () => {
  it('EVT-2 a change is told after its commit, with ids only, to its maker too', async () => {
    const bus = await openBus(await world.signedIn());
    const id = await make('Fjordlys AS');
    await eventually(() => expect(bus.of('record.created')).toEqual([{ model: partners, id }]));
    await world.work((env) => env.model(partners).write([id], { name: 'Fjordlys ASA' }));
    await eventually(() => expect(bus.of('record.updated')).toEqual([{ model: partners, id }]));
    await world.work((env) => env.model(partners).unlink([id]));
    await eventually(() => expect(bus.of('record.deleted')).toEqual([{ model: partners, id }]));
    expect(JSON.stringify(bus.messages)).not.toContain('Fjordlys');
    await bus.close();
  });

  it('EVT-2 what is rolled back is not told', async () => {
    const bus = await openBus(await world.signedIn());
    await expect(
      world.work(async (env) => {
        await env.model(partners).create({ name: 'Never' });
        await publish(env, 'never.happened', {});
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const id = await make('Afterwards');
    await eventually(() => expect(bus.of('record.created')).toEqual([{ model: partners, id }]));
    expect(bus.of('never.happened')).toEqual([]);
    await bus.close();
  });

  it('EVT-2 a transaction that runs long holds nobody up, and its own events come when it ends, in order, all once', async ({
    onTestFinished,
  }) => {
    const bus = await openBus(await world.signedIn());
    const told = () => bus.of('record.created').map((payload) => payload.id);
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let long: Promise<unknown> = held;
    const early = await new Promise<number>((begun, fail) => {
      long = world.work(async (env) => {
        begun(await env.model(partners).create({ name: 'Begun early' }));
        await held;
      });
      long.catch(fail);
    });
    onTestFinished(finish);
    const id = await make('Done meanwhile');
    await eventually(() => expect(told()).toEqual([id]));
    const next = await make('Done meanwhile, too');
    await eventually(() => expect(told()).toEqual([id, next]));
    finish();
    await long;
    await eventually(() => expect(told()).toEqual([id, next, early]));
    await bus.close();
  });
});

/** Other records are made around a test, and may still be told when its socket opens. */
function made(bus: Awaited<ReturnType<typeof openBus>>, model: string): unknown[] {
  return bus.of('record.created').flatMap((payload) => (payload.model === model ? [payload.id] : []));
}

/** Whether a socket hears of a new record: a shared one that is made after it says that its turn is over. */
async function reaches(bus: Awaited<ReturnType<typeof openBus>>, id: number, model = partners): Promise<boolean> {
  const sign = await world.work((env) => env.sudo().model(partners).create({ name: 'Over', company_id: null }));
  await eventually(() => expect(made(bus, partners)).toContain(sign));
  return made(bus, model).includes(id);
}

describe('EVT-3 who is told', () => {
  it('EVT-3 only people who may read the model', async () => {
    const user = await world.user('Nils');
    const [admin, his] = [await openBus(await world.signedIn()), await openBus(user.browser)];
    await world.work((env) => env.model('sys.config.parameter').create({ name: 'bus.test', value: 'secret' }));
    await eventually(() => expect(made(admin, 'sys.config.parameter')).toHaveLength(1));
    const id = await make('For everyone');
    await eventually(() => expect(made(his, partners)).toContain(id));
    expect(made(his, 'sys.config.parameter')).toEqual([]);
    await Promise.all([admin.close(), his.close()]);
  });

  it('EVT-3 only in the company of the record, as the session stands now', async () => {
    const company = await world.work((env) => env.model('core.company').create({ name: 'Sydhavn', currency_id: 1 }));
    const main = world.admin.companyId as number;
    const user = await world.user('Oda', ['base.group_user'], { company_ids: [['set', [main, company]]] });
    const bus = await openBus(user.browser);
    const inCompany = (companyId: number | null, name: string) =>
      world.work((env) => env.sudo().model(partners).create({ name, company_id: companyId }));
    const [own, , shared] = [
      await inCompany(main, 'Own'),
      await inCompany(company, 'Of the other'),
      await inCompany(null, 'Shared'),
    ];
    await eventually(() => expect(made(bus, partners)).toEqual([own, shared]));
    await user.browser.form('/web/company/switch', { company_id: String(company) });
    let heard = false;
    while (!heard) heard = await reaches(bus, await inCompany(company, 'Of the other, later'));
    expect(await reaches(bus, await inCompany(main, 'No longer heard'))).toBe(false);
    // With both companies chosen, both are heard.
    await user.browser.form('/web/company/switch', { company_id: String(company), company_ids: String(main) });
    heard = false;
    while (!heard) heard = await reaches(bus, await inCompany(main, 'Heard again'));
    expect(await reaches(bus, await inCompany(company, 'Still heard'))).toBe(true);
    await bus.close();
  });

  it('EVT-3 rights that are taken away are gone from open sockets', async () => {
    const user = await world.user('Pelle', ['base.group_system']);
    const bus = await openBus(user.browser);
    const write = (name: string) => world.work((env) => env.model('sys.config.parameter').create({ name, value: '1' }));
    await write('bus.first');
    await eventually(() => expect(made(bus, 'sys.config.parameter')).toHaveLength(1));
    await world.work(async (env) =>
      env.model('core.user').write([user.id], { group_ids: [['set', [await env.ref('base.group_user')]]] }),
    );
    let heard = true;
    for (let n = 0; heard; n++) heard = await reaches(bus, await write(`bus.until ${n}`), 'sys.config.parameter');
    expect(await reaches(bus, await write('bus.second'), 'sys.config.parameter')).toBe(false);
    await bus.close();
  });
});

describe('EVT-4 bursts', () => {
  it('EVT-4 many changes of one record at once are one message, of several records several', async () => {
    const bus = await openBus(await world.signedIn());
    await world.kernel.database.execute(sql`
      insert into sys_outbox (channel, payload, model, xact, create_date)
      select 'record.updated', jsonb_build_object('model', ${partners}::text, 'id', n % 2 + 1), ${partners},
        pg_current_xact_id()::text::numeric, now()
      from generate_series(1, 20) n`);
    world.kernel.ring();
    const ours = () => bus.of('record.updated').filter(({ model }) => model === partners);
    await eventually(() => expect(ours()).toHaveLength(2));
    // Whatever there was to say of the burst was said before this.
    await world.work((env) => publish(env, 'burst.over', {}));
    await eventually(() => expect(bus.of('burst.over')).toHaveLength(1));
    expect(ours()).toEqual([
      { model: partners, id: 2 },
      { model: partners, id: 1 },
    ]);
    await bus.close();
  });
});

describe('EVT-7 messages to people and channels of addons', () => {
  it('EVT-7 notify reaches one person, in all their windows, and nobody else', async () => {
    const user = await world.user('Rasmus');
    const [first, second, other] = [
      await openBus(user.browser),
      await openBus(user.browser),
      await openBus(await world.signedIn()),
    ];
    const message = { kind: 'info', title: 'Hello', body: 'Only you see this.' } as const;
    await world.work((env) => notify(env, user.id, message));
    await eventually(() => expect([first.of('notify'), second.of('notify')]).toEqual([[message], [message]]));
    expect(other.of('notify')).toEqual([]);
    await Promise.all([first.close(), second.close(), other.close()]);
  });

  it('EVT-7 addons publish what they like, but not in the server’s name', async () => {
    const bus = await openBus(await world.signedIn());
    await world.work((env) => publish(env, 'order.shipped', { model: partners, id: 7 }, { model: partners }));
    await eventually(() => expect(bus.of('order.shipped')).toEqual([{ model: partners, id: 7 }]));
    await expect(world.work((env) => publish(env, 'record.created', {}))).rejects.toMatchObject({
      code: 'INVALID_ARGS',
    });
    await expect(world.work((env) => publish(env, 'session.changed', {}))).rejects.toMatchObject({
      code: 'INVALID_ARGS',
    });
    await expect(world.work((env) => publish(env, 'No Channel', {}))).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await bus.close();
  });
});

describe('EVT-8 switched off', () => {
  it('EVT-8 neither a GET nor an upgrade finds it', async () => {
    const quiet = await startTestServer({ env: { KONTOR_BUS_ENABLED: 'false' } });
    try {
      const browser = await quiet.signedIn();
      expect((await browser.get('/web/wc/bus')).status).toBe(404);
      expect(await refusedStatus(browser)).toBe(404);
    } finally {
      await quiet.close();
    }
  });
});

async function rawGet(path: string, upgrade: string, verb = 'GET', body = ''): Promise<string> {
  const { connect } = await import('node:net');
  const socket = connect(world.port, '127.0.0.1');
  socket.write(
    `${verb} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${world.port}\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`,
  );
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

it('EVT-2 the outbox holds no values of records', async () => {
  const rows = await world.kernel.database.query<{ payload: string }>(sql`select payload from sys_outbox`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { payload } of rows) expect(payload).not.toMatch(/Fjordlys|Sydhavn|Bergen/);
});
