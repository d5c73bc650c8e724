import { sql } from '@kontor/database';
import { publish } from '@kontor/kernel';
import { createApiKey } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { parsePrometheus } from './prometheus-text.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer();
  admin = await world.signedIn();
});
afterAll(() => world.close());

const read = async (browser: Browser = admin) => parsePrometheus(await (await browser.get('/metrics')).text());
const keyOf = async (userId: number, scope: Record<string, string[]> | null = null) => {
  const { secret } = await world.work((env) => createApiKey(env, { userId, name: 'm', expiresAt: null, scope }));
  return Browser.withKey(world.url, secret);
};

describe('/metrics', () => {
  it('RTE-4 is for administrators, by session or key; 401 for nobody, 403 for others', async () => {
    const { browser, id } = await world.user('User Una');
    for (const [caller, status] of [
      [admin, 200],
      [await keyOf(1), 200],
      [world.browser(), 401],
      [Browser.withKey(world.url, `sk_${'0'.repeat(48)}`), 401],
      [browser, 403],
      [await keyOf(id), 403],
      [await keyOf(1, { '*': ['search'] }), 403],
    ] as const) {
      const response = await caller.get('/metrics');
      expect(response.status).toBe(status);
      if (status !== 200)
        expect(await Browser.errorOf(response)).toMatchObject({
          code: status === 401 ? 'UNAUTHORIZED' : 'ACCESS_DENIED',
        });
    }
    expect((await admin.get('/metrics')).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  it('RTE-4 counts calls by model, method and code, and times them', async () => {
    const count = async (labels: Record<string, string>) =>
      (await read())
        .get('svc_rpc_requests_total')
        ?.samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value ?? 0;
    const ok = { model: 'core.user', method: 'search', code: 'OK' };
    const before = await count(ok);
    await admin.rpc('core.user', 'search', []);
    await admin.outcome('core.user', 'read', [[999_999]]);
    await world.browser().outcome('core.user', 'search', []);
    expect(await count(ok)).toBe(before + 1);
    expect(await count({ model: 'core.user', method: 'read', code: 'NOT_FOUND' })).toBe(1);
    expect(await count({ model: 'other', method: 'other', code: 'UNAUTHORIZED' })).toBe(1);
    const histogram = (await read()).get('svc_rpc_duration_seconds');
    expect(histogram?.type).toBe('histogram');
    const total = histogram?.samples
      .filter(({ name }) => name.endsWith('_count'))
      .reduce((sum, { value }) => sum + value, 0);
    expect(total).toBeGreaterThanOrEqual(3);
  });

  it('RTE-4 has no more values of labels than there are models and methods, whatever is asked', async () => {
    for (let at = 0; at < 30; at++) {
      await admin.outcome(`made.up${at}`, 'search', []);
      await admin.outcome('core.user', `made_up${at}`, []);
      await admin.outcome('core.user"} 1\nsvc_x{a="', 'search', []);
    }
    const samples = (await read()).get('svc_rpc_requests_total')?.samples ?? [];
    for (const { labels } of samples) {
      expect(labels.model === 'other' || world.kernel.registry.models.has(labels.model as string)).toBe(true);
    }
    expect(samples.filter(({ labels }) => labels.model === 'other').length).toBeLessThan(5);
  });

  it('RTE-4 tells of the pool, the event loop, the queues and the process', async () => {
    const families = await read();
    const names = [
      'svc_db_pool_connections',
      'svc_queue_depth',
      'nodejs_eventloop_lag_seconds',
      'nodejs_eventloop_lag_p99_seconds',
    ];
    for (const name of [
      ...names,
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
    ]) {
      expect([name, (families.get(name)?.samples.length ?? 0) > 0]).toEqual([name, true]);
    }
    const states = families.get('svc_db_pool_connections')?.samples.map(({ labels }) => labels.state);
    expect(states).toEqual(['total', 'idle', 'waiting']);
    await world.work(async (env) => {
      await publish(env, 'metrics.test', {});
      await env
        .sudo()
        .model('sys.cron')
        .create({ name: 'due', handler: 'base.nothing', next_call: new Date(Date.now() - 1_000) });
      await env.db.execute(sql`
        insert into mail_queue (recipient, subject, message_id, state, attempts, next_try)
        values ('a@example.com', 'waits', 'm1', 'queued', 0, now()), ('b@example.com', 'gone', 'm2', 'sent', 1, now())`);
    });
    const depth = (await read()).get('svc_queue_depth')?.samples ?? [];
    const of = (queue: string) => depth.find(({ labels }) => labels.queue === queue)?.value ?? 0;
    expect(of('outbox')).toBeGreaterThan(0);
    expect(of('cron')).toBeGreaterThan(0);
    expect(of('mail')).toBe(1);
    const outbox = async () => {
      const families = await read();
      const waiting = families.get('svc_queue_depth')?.samples.find(({ labels }) => labels.queue === 'outbox')?.value;
      return { waiting, age: families.get('svc_outbox_age_seconds')?.samples[0]?.value };
    };
    await world.kernel.database.execute(sql`update sys_outbox set create_date = now() - interval '11 minutes'`);
    expect((await outbox()).age).toBeGreaterThanOrEqual(660);
    // CRN-6 tests the job that does this.
    await world.kernel.database.execute(sql`delete from sys_outbox`);
    expect(await outbox()).toEqual({ waiting: 0, age: 0 });
    await world.kernel.database.execute(sql`
      insert into mail_queue (recipient, subject, message_id, state, attempts, next_try, locked_by, locked_until)
      values ('c@example.com', 'goes', 'm3', 'sending', 1, now(), 'one', now() + interval '1 minute'),
        ('d@example.com', 'dead', 'm4', 'dead', 12, now(), null, null),
        ('e@example.com', 'late', 'm5', 'queued', 0, now() - interval '90 seconds', null, null),
        ('f@example.com', 'later', 'm6', 'queued', 1, now() + interval '1 hour', null, null)`);
    const later = await read();
    const measured = (name: string) =>
      later.get(`svc_queue_${name}`)?.samples.find(({ labels }) => labels.queue === 'mail')?.value ?? -1;
    expect(['waiting', 'running', 'dead'].map(measured)).toEqual([3, 1, 1]);
    expect(measured('oldest_seconds')).toBeGreaterThanOrEqual(90);
  });
});

describe('the parser of this test', () => {
  it.each([
    ['a 1', 'The last line does not end.'],
    ['# TYPE a counter\n# HELP a b\na{x="1"y="2"} 1\n', 'Not a line of the format: a{x="1"y="2"} 1'],
    ['# HELP a b\n# TYPE a gauge\na 1\na 1\n', 'a[] is given twice.'],
    ['# HELP a b\n# TYPE a gauge\nb 1\n', 'b stands under a.'],
    ['# HELP a b\n# TYPE a gauge\na x\n', 'Not a line of the format: a x'],
  ])('RTE-4 refuses %j', (text, message) => {
    expect(() => parsePrometheus(text)).toThrow(message);
  });
});
