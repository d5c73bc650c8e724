import { createApiKey, grantCalls } from '@kontor/parts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAllowances } from '../limits/allowances.ts';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const perMinute = 3;
let world: TestServer;
beforeAll(async () => {
  world = await startTestServer({
    env: { KONTOR_RATE_LIMIT_RPM: String(perMinute), KONTOR_TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterAll(() => world.close());

const call = { model: 'core.user', method: 'search', args: [] };
const from = (address: string) => ({ 'x-forwarded-for': address });
const keyOf = async (name: string, userId: number, rate: number | null = null) =>
  Browser.withKey(
    world.url,
    (await world.work((env) => createApiKey(env, { userId, name, expiresAt: null, scope: null, rate }))).secret,
  );
const spend = async (browser: Browser, times: number, headers = {}) => {
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) statuses.push((await browser.call(call, headers)).status);
  return statuses;
};
const signIn = (address: string, password = 'wrong') =>
  world.browser().json('/web/login', { login: 'nobody@example.com', password }, from(address));

describe('rate_limit_rpm', () => {
  it('RTE-9 limits a person, by any key and session of theirs, and an address, each on its own', async () => {
    const { uid } = await world.person('Kim Keys');
    const key = await keyOf('a', uid);
    expect(await spend(key, perMinute)).toEqual(Array(perMinute).fill(200));
    const limited = await key.call(call);
    expect([limited.status, limited.error?.code]).toEqual([429, 'RATE_LIMITED']);
    const wait = limited.error?.details.retry_after as number;
    expect(limited.headers.get('retry-after')).toBe(String(wait));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(65);
    expect(await spend(await keyOf('b', uid), 1)).toEqual([429]);
    expect(await spend(await keyOf('c', (await world.person('Other Olga')).uid), 1)).toEqual([200]);
    const anonymous = world.browser();
    expect(await spend(anonymous, perMinute + 1, from('10.0.0.1'))).toEqual([...Array(perMinute).fill(401), 429]);
    expect(await spend(anonymous, 1, from('10.0.0.2'))).toEqual([401]);
    const admin = world.browser();
    admin.headers = from('10.0.0.3');
    await admin.signIn('ada@example.com', 'correct horse battery');
    const second = world.browser();
    second.headers = from('10.0.0.4');
    await second.signIn('ada@example.com', 'correct horse battery');
    expect(await spend(admin, perMinute - 1)).toEqual(Array(perMinute - 1).fill(200));
    expect(await spend(second, 2)).toEqual([200, 429]);
    expect(await spend(admin, 1)).toEqual([429]);
  });

  it('RTE-9 counts the addresses of one network of version 6 as one', async () => {
    const anonymous = world.browser();
    for (let at = 0; at < perMinute; at++)
      expect(await spend(anonymous, 1, from(`2001:db8:1:2::${at + 1}`))).toEqual([401]);
    expect(await spend(anonymous, 1, from('2001:0DB8:1:2:ffff::1'))).toEqual([429]);
    expect(await spend(anonymous, 1, from('2001:db8:1:3::1'))).toEqual([401]);
  });

  it('RTE-9 limits the login, counted in the database, with Retry-After', async () => {
    for (let at = 0; at < perMinute; at++) expect((await signIn('10.0.1.1')).status).toBe(401);
    const limited = await signIn('10.0.1.1');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await Browser.errorOf(limited)).details.retry_after).toBe(Number(limited.headers.get('retry-after')));
    expect((await signIn('10.0.1.2')).status).toBe(401);
    const page = await world.browser().get('/web/login', from('10.0.1.1'));
    expect([page.status, page.headers.get('content-type')]).toEqual([429, expect.stringContaining('text/html')]);
  });

  it('RTE-9 the login and the calls of one client take from one allowance', async () => {
    expect(await spend(world.browser(), perMinute - 1, from('10.0.2.1'))).toEqual(Array(perMinute - 1).fill(401));
    expect([(await signIn('10.0.2.1')).status, (await signIn('10.0.2.1')).status]).toEqual([401, 429]);
    expect(await spend(world.browser(), 1, from('10.0.2.1'))).toEqual([429]);
  });

  it('RTE-9 a session gives its address no more tries to sign in', async () => {
    const signedIn = world.browser();
    signedIn.headers = from('10.0.3.1');
    await signedIn.signIn('ada@example.com', 'correct horse battery');
    for (let at = 1; at < perMinute; at++) expect((await signIn('10.0.3.1')).status).toBe(401);
    const tried = await signedIn.json('/web/login', { login: 'nobody@example.com', password: 'wrong' });
    expect(tried.status).toBe(429);
  });

  it('RTE-9 many at once get no more than their minute', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn('10.0.1.9')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(perMinute);
  });

  it('KEY-6 a key has a rate of its own under that of its owner, and answers tell what is left', async () => {
    const { uid } = await world.person('Rita Rated');
    const slow = await keyOf('slow', uid, 2);
    const told = async (browser: Browser) => {
      const { status, headers } = await browser.call(call);
      const names = ['limit', 'remaining', 'reset'];
      return [status, ...names.map((name) => Number(headers.get(`ratelimit-${name}`)))];
    };
    expect(await told(slow)).toEqual([200, 2, 1, expect.any(Number)]);
    expect(await told(slow)).toEqual([200, 2, 0, expect.any(Number)]);
    const refused = await slow.call(call);
    expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(65);
    // What the key was refused did not cost the person; what it was given did.
    expect(await told(await keyOf('other', uid))).toEqual([200, perMinute, 0, expect.any(Number)]);
    const person = await keyOf('wide', uid, 100);
    expect(await told(person)).toEqual([429, perMinute, 0, expect.any(Number)]);
    expect((await world.browser().get('/api/health')).headers.get('ratelimit-limit')).toBeNull();
  });

  it('RTE-9 leaves everything else alone', async () => {
    for (let at = 0; at < perMinute * 3; at++) expect((await world.browser().get('/api/health')).status).toBe(200);
  });

  it('RTE-9 KEY-6 is off by default, but for a key with a rate, whatever it opens', async () => {
    const free = await startTestServer();
    try {
      const { secret } = await free.work((env) =>
        createApiKey(env, { userId: 1, name: 'rated', expiresAt: null, scope: null, rate: 1 }),
      );
      const rated = Browser.withKey(free.url, secret);
      expect((await rated.get('/metrics')).headers.get('ratelimit-remaining')).toBe('0');
      expect([(await rated.get('/metrics')).status, ...(await spend(rated, 1))]).toEqual([429, 429]);
      for (let at = 0; at < 80; at++) await free.browser().call(call);
      expect((await free.browser().call(call)).status).toBe(401);
    } finally {
      await free.close();
    }
  });
});

const unused = { slot: 0, calls: 0 };

describe('allowances of a minute', () => {
  it('RTE-9 grant no more than the limit in any 60 seconds, and all of it again afterwards', () => {
    const moment = fc.double({ min: 0, max: 200, noNaN: true });
    const calls = fc.array(fc.record({ at: moment, wanted: fc.integer({ min: 1, max: 8 }) }), { maxLength: 80 });
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 30 }), (asked, limit) => {
        let counts: Readonly<Record<string, number>> = {};
        const used: number[] = [];
        for (const { at, wanted } of asked.toSorted((a, b) => a.at - b.at)) {
          const granted = grantCalls(counts, at, { perMinute: limit, wanted, unused });
          counts = granted.counts;
          // A process may use its lease until the last moment.
          const last = at + granted.lease.validMs / 1_000 - 0.001;
          for (let n = 0; n < granted.lease.granted; n++) used.push(n % 2 ? at : last);
        }
        for (const from of used) {
          expect(used.filter((at) => at >= from && at < from + 60).length).toBeLessThanOrEqual(limit);
        }
        expect(grantCalls(counts, 266, { perMinute: limit, wanted: limit, unused }).lease.granted).toBe(limit);
      }),
    );
  });

  it('RTE-9 take back what a process leased and did not use', () => {
    const first = grantCalls({}, 1, { perMinute: 10, wanted: 10, unused });
    expect(grantCalls(first.counts, 2, { perMinute: 10, wanted: 1, unused }).lease).toMatchObject({
      granted: 0,
      left: 0,
    });
    const back = { slot: first.lease.slot, calls: 9 };
    expect(grantCalls(first.counts, 9, { perMinute: 10, wanted: 1, unused: back }).lease).toMatchObject({
      granted: 1,
      left: 8,
    });
  });

  it('RTE-9 a client that goes on calling when refused costs a statement a second', async () => {
    let [clock, asked] = [1, 0];
    const refuse = async () => {
      asked++;
      clock++;
      return { slot: 0, granted: 0, left: 0, validMs: 5_000, waitMs: 30_000 };
    };
    const allowances = createAllowances(refuse, { now: () => clock });
    for (let n = 0; n < 50; n++) {
      expect((await allowances.take([{ client: 'a', perMinute: 1 }])).waitSeconds).toBe(30);
    }
    expect(asked).toBe(1);
    clock += 1_000;
    await allowances.take([{ client: 'a', perMinute: 1 }]);
    expect(asked).toBe(2);
  });

  it('RTE-9 remember so many clients and no more', async () => {
    let clock = 1;
    const grant = async () => ({ slot: 0, granted: 1, left: 0, validMs: 5_000, waitMs: 60_000 });
    const allowances = createAllowances(grant, { maxClients: 100, now: () => clock++ });
    for (let n = 0; n < 1_000; n++) await allowances.take([{ client: `client ${n}`, perMinute: 1 }]);
    expect(allowances.size).toBe(100);
  });
});
