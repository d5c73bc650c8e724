import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sql } from '@kontor/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retryAfterHeader, retryAfterMs } from '../delivering/finish.ts';
import { newSecret } from '../secrets.ts';
import { isSignedBy } from './receiver.ts';
import { type WebhookWorld, webhookWorld } from './webhook-world.ts';

let world: WebhookWorld;
beforeAll(async () => {
  world = await webhookWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.received.length = 0;
  world.receiver.answer(null);
});

describe('what is sent', () => {
  it('WHK-1 made, changed and deleted records are told once each, with chosen values, and what was rolled back is not', async () => {
    const { receiver, contact, change, remove, deliver } = world;
    await contact('Before');
    const subscription = await world.subscribe({ payload: ['name', 'email', 'country_id.code'] });
    const id = await contact('Ada', { email: 'ada@example.com' });
    await change(id, { phone: '1' });
    const gone = await contact('Gone');
    await expect(
      world.work(async (env) => {
        await env.model('core.partner').create({ name: 'Never' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await deliver();
    expect([...receiver.told()].sort()).toEqual([`create ${gone}`, `create ${id}`, `write ${id}`].sort());
    const [made, changed] = receiver.received.filter(({ data }) => data.id === id);
    expect(JSON.parse(made?.body ?? '')).toEqual({
      type: 'core.partner.create',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {
        ...{ subscription, event: 'create', model: 'core.partner', id, changed: [], change_set: expect.any(Number) },
        record: { id, name: 'Ada', email: 'ada@example.com', 'country_id.code': null },
      },
    });
    expect(changed?.data.changed).toEqual(['phone']);
    await remove(gone);
    await deliver();
    expect(receiver.received.at(-1)?.data).toMatchObject({ event: 'delete', id: gone, record: null });
    await deliver();
    expect(receiver.received).toHaveLength(4);
    expect(await world.deliveries(subscription)).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'sent', status: 200, attempts: 1, answer: 'thanks', problem: null })),
    );
  });

  it('WHK-2 a domain, events and fields to watch say what is told; of what is deleted, how it was', async () => {
    const { receiver, contact, change, remove, deliver } = world;
    await world.subscribe({ domain: [['is_company', '=', true]], on_create: false, watch: ['email'] });
    const firm = await contact('Firm', { is_company: true });
    const person = await contact('Person');
    await change(firm, { phone: '1' });
    await change(firm, { email: 'firm@example.com' });
    await change(person, { email: 'person@example.com' });
    await remove(person);
    await remove(firm);
    await deliver();
    // The change of the firm is not sent any more: by now there is nothing to read.
    expect(receiver.told()).toEqual([`delete ${firm}`]);
  });

  it('WHK-3 every message is signed by HMAC-SHA256 over id, time and body; for a day after a change of the secret by both', async () => {
    const { receiver, contact, deliver } = world;
    const id = await world.subscribe();
    const first = await world.secretOf(id);
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await expect(world.secretOf(id)).rejects.toMatchObject({ code: 'USER_ERROR' });
    await contact('Signed');
    await deliver();
    const second = await world.secretOf(id, 'renew_secret');
    expect(second).not.toBe(first);
    await contact('Signed twice');
    await deliver();
    await world.work((env) =>
      env.sudo().model('webhook.subscription').write([id], { secret_before_until: '2020-01-01T00:00:00Z' }),
    );
    await contact('Signed anew');
    await deliver();
    const signed = receiver.received.map((message) => [isSignedBy(first, message), isSignedBy(second, message)]);
    expect(signed).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
    const [message] = receiver.received as [(typeof receiver.received)[0]];
    expect(isSignedBy(first, { ...message, body: `${message.body} ` })).toBe(false);
    expect(message.headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(Math.abs(Number(message.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300);
    const shown = await world.work((env) => env.model('webhook.subscription').read([id]));
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    const kept = await world.kernel.database.query(sqlOfChanges());
    expect(JSON.stringify(kept)).not.toContain('whsec_');
  });
});

describe('WHK-4 order and tries', () => {
  it('a later event of a record waits for the earlier one; other records go on', async () => {
    const { receiver, contact, change, deliver, makeDue } = world;
    const subscription = await world.subscribe();
    const bad = await contact('Bad');
    await change(bad, { phone: '1' });
    const good = await contact('Good');
    await change(good, { phone: '2' });
    receiver.answer(({ data }, response) => response.writeHead(data.id === bad ? 500 : 204).end('oh'));
    await deliver();
    expect(receiver.told().filter((one) => one.endsWith(` ${good}`))).toEqual([`create ${good}`, `write ${good}`]);
    expect(receiver.told().filter((one) => one.endsWith(` ${bad}`))).toEqual([`create ${bad}`]);
    await makeDue();
    await deliver();
    expect(receiver.told().slice(3)).toEqual([`create ${bad}`]);
    receiver.answer(null);
    await makeDue();
    await deliver();
    expect(receiver.told().slice(4)).toEqual([`create ${bad}`, `write ${bad}`]);
    const ids = receiver.received.filter(({ data }) => data.id === bad).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(await world.deliveries(subscription)).toMatchObject([
      { state: 'sent', attempts: 3 },
      { state: 'sent', attempts: 1 },
      { state: 'sent' },
      { state: 'sent' },
    ]);
  });

  it('WHK-5 failures are tried again ever later, not before the receiver says, and given up after twelve tries or a day', async () => {
    const { receiver, contact, deliver, makeDue } = world;
    const subscription = await world.subscribe();
    await contact('Rejected');
    receiver.answer((_message, response) => response.writeHead(500, { 'retry-after': '7200' }).end('x'.repeat(3_000)));
    await deliver();
    const [first] = await world.deliveries(subscription);
    expect(first).toMatchObject({ state: 'failed', status: 500, problem: 'status', answer: 'x'.repeat(500) });
    expect(Date.parse(String(first?.next_try)) - Date.now()).toBeGreaterThan(7_000_000);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    for (let at = 2; at <= 12; at++) {
      await makeDue();
      await deliver();
    }
    expect(await world.deliveries(subscription)).toMatchObject([{ state: 'dead', attempts: 12 }]);
    await contact('Old');
    await deliver();
    await world.work(async (env) => {
      const deliveries = env.sudo().model('webhook.delivery');
      const [last] = await deliveries.search([['subscription_id', '=', subscription]], { order: '-id', limit: 1 });
      await deliveries.write([last as number], { first_try: new Date(Date.now() - 25 * 3_600_000).toISOString() });
    });
    await makeDue();
    await deliver();
    expect((await world.deliveries(subscription)).at(-1)).toMatchObject({ state: 'dead', attempts: 2 });
    const waits = Array.from({ length: 12 }, (_, at) => retryAfterMs(at + 1, 0.5) / 1000);
    expect(waits.slice(0, 5)).toEqual([10, 30, 90, 270, 810]);
    expect(waits.at(-1)).toBe(4 * 3600);
    expect([retryAfterMs(1, 0), retryAfterMs(1, 1)]).toEqual([8_000, 12_000]);
    const now = new Date('2026-03-01T00:00:00Z');
    expect(retryAfterHeader('Sun, 01 Mar 2026 00:01:00 GMT', now)).toBe(60_000);
    expect(retryAfterHeader('soon', now)).toBeNull();
    expect(retryAfterHeader('99999999', now)).toBe(86_400_000);
  });

  it('WHK-6 what was given up is brought back by a click, one or many, and what was sent is not', async () => {
    const { receiver, contact, deliver } = world;
    const subscription = await world.subscribe();
    for (const name of ['One', 'Two', 'Three']) await contact(name);
    receiver.answer((_message, response) => response.writeHead(400).end());
    await deliver();
    const ids = (await world.deliveries(subscription)).map(({ id }) => id);
    await world.work((env) => env.sudo().model('webhook.delivery').write(ids, { state: 'dead', attempts: 12 }));
    receiver.answer(null);
    receiver.received.length = 0;
    await deliver();
    expect(receiver.received).toHaveLength(0);
    const retry = (some: readonly number[]) => world.act((env) => env.model('webhook.delivery').call(some, 'retry'));
    await retry(ids.slice(0, 1));
    await deliver();
    expect(receiver.received).toHaveLength(1);
    await retry(ids.slice(1));
    await deliver();
    expect(await world.deliveries(subscription)).toMatchObject(
      Array.from({ length: 3 }, () => ({ state: 'sent', attempts: 1 })),
    );
    await expect(retry(ids)).rejects.toMatchObject({ code: 'USER_ERROR' });
  });

  it('WHK-7 a receiver that gives no answer is left alone and tried with one; after days of failing it is paused and its owner told', async () => {
    const { receiver, contact, deliver, makeDue } = world;
    const subscription = await world.subscribe();
    for (let at = 0; at < 5; at++) await contact(`Outage ${at}`);
    receiver.answer((_message, response) => response.writeHead(503).end());
    await deliver();
    const tried = receiver.received.length;
    expect(tried).toBeLessThanOrEqual(4);
    await deliver();
    expect(receiver.received).toHaveLength(tried);
    await makeDue();
    await deliver();
    expect(receiver.received).toHaveLength(tried + 1);
    const failing = { failing_since: new Date(Date.now() - 4 * 86_400_000).toISOString() };
    await world.work((env) => env.sudo().model('webhook.subscription').write([subscription], failing));
    await makeDue();
    await deliver();
    const [paused] = await world.work((env) => env.model('webhook.subscription').read([subscription]));
    expect(paused).toMatchObject({ state: 'paused', paused_for: 'failing' });
    const told = await world.work((env) => env.model('sys.notification').searchRead([], ['title', 'body', 'href']));
    expect(told[0]).toMatchObject({ title: 'The webhook Test is paused', body: 'The receiver failed for days.' });
    await contact('Meanwhile');
    receiver.answer(null);
    receiver.received.length = 0;
    await makeDue();
    await deliver();
    expect(receiver.received).toHaveLength(0);
    await world.act((env) => env.model('webhook.subscription').call([subscription], 'resume'));
    await makeDue();
    await deliver();
    expect(receiver.received).toHaveLength(6);
    await contact('Gone');
    receiver.answer((_message, response) => response.writeHead(410).end());
    await deliver();
    const [gone] = await world.work((env) => env.model('webhook.subscription').read([subscription]));
    expect(gone).toMatchObject({ state: 'paused', paused_for: 'gone' });
  });
});

describe('WHK-15 the examples of the documentation', () => {
  const page = readFileSync(new URL('../../../docs/apps/webhooks.md', import.meta.url), 'utf8');
  const example = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

  it('accept what is sent, and nothing else', async () => {
    const { receiver, contact, deliver } = world;
    const secret = await world.secretOf(await world.subscribe());
    await contact('Ünïcode');
    await deliver();
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const code = `data:text/javascript,${encodeURIComponent(example('js'))}`;
    const { isGenuine } = (await import(/* @vite-ignore */ code)) as {
      isGenuine(secret: string, headers: object, body: string): boolean;
    };
    const old = { ...headers, 'webhook-timestamp': '1' };
    const cases = [
      [secret, headers, body],
      [secret, headers, `${body} `],
      [newSecret(), headers, body],
      [secret, old, body],
    ] as const;
    expect(cases.map(([key, sent, said]) => isGenuine(key, sent, said))).toEqual([true, false, false, false]);
    const given = JSON.stringify(cases);
    const ask = 'import json, sys\nprint([is_genuine(s, h, b.encode()) for s, h, b in json.load(sys.stdin)])';
    const python = spawnSync('python3', ['-c', `${example('python')}\n${ask}`], { input: given, encoding: 'utf8' });
    // Not every machine has it.
    if (python.error === undefined) expect(python.stdout.trim()).toBe('[True, False, False, False]');
  });
});

function sqlOfChanges() {
  return sql`select values::text as values from sys_change where model = 'webhook.subscription'`;
}
