import { sql } from '@kontor/database';
import { dispatch } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { outsideRequests } from '@kontor/parts';
import { countStatements } from '@kontor/testing';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type WebhookWorld, webhookWorld } from './webhook-world.ts';

let world: WebhookWorld;
let manager: Actor;
beforeAll(async () => {
  world = await webhookWorld();
  manager = await world.person('Maria Manager', ['webhooks.group_manager']);
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.received.length = 0;
  world.receiver.answer(null);
});

describe('WHK-8 rights', () => {
  it('what the owner may read is sent, as it is when it is sent; a change of rights counts from then on', async () => {
    const { receiver, contact, change, deliver } = world;
    const other = await world.person('Owner Otto');
    const rule = {
      name: 'Otto sees what he is named in',
      model: 'core.partner',
      domain: [['comment', '=', 'for Otto']],
      group_ids: [['set', [await world.work((env) => env.ref('base.group_user'))]]],
    };
    const ruleId = await world.work((env) => env.sudo().model('sys.rule').create(rule));
    onTestFinished(() => world.work((env) => env.sudo().model('sys.rule').unlink([ruleId])).then(() => {}));
    const subscription = await world.subscribe({ user_id: other.uid, payload: ['name', 'comment'] });
    const his = await contact('His', { comment: 'for Otto' });
    await contact('Not his', { comment: 'secret' });
    await deliver();
    expect(receiver.told()).toEqual([`create ${his}`]);
    await change(his, { phone: '1' });
    receiver.answer((_message, response) => response.writeHead(500).end());
    await deliver();
    // Between two tries it is taken from him: nothing of it goes out any more, but that it is gone.
    await change(his, { comment: 'secret' });
    receiver.answer(null);
    receiver.received.length = 0;
    await world.makeDue();
    await deliver();
    expect(receiver.told()).toEqual([`delete ${his}`]);
    expect(receiver.received[0]?.body).not.toContain('secret');
    expect(await world.deliveries(subscription)).toMatchObject([
      { event: 'create', state: 'sent' },
      { event: 'write', state: 'skipped', problem: 'gone' },
      { event: 'delete', state: 'sent' },
    ]);
    await world.work((env) => env.sudo().model('core.user').write([other.uid], { active: false }));
    await contact('His too', { comment: 'for Otto' });
    await deliver();
    const [paused] = await world.work((env) => env.model('webhook.subscription').read([subscription]));
    expect(paused).toMatchObject({ state: 'paused', paused_for: 'owner' });
  });

  it('people of the group manage their own webhooks, in no other name; others none, and deliveries are read alone', async () => {
    const anybody = await world.person('Anna Anybody');
    const values = { name: 'X', model: 'core.partner', url: 'https://example.com/' };
    const create = (actor: Actor, more: object = {}) =>
      world.work(
        (env) =>
          env
            .outside(true)
            .model('webhook.subscription')
            .create({ ...values, ...more }),
        actor,
      );
    await expect(create(anybody)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(create(manager, { user_id: world.admin.uid })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const own = await create(manager);
    const admins = await create(world.admin);
    const seen = await world.work((env) => env.model('webhook.subscription').search([]), manager);
    expect(seen).toEqual([own]);
    await expect(
      world.work((env) => env.model('webhook.subscription').write([own], { user_id: world.admin.uid }), manager),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(
      world.act((env) => env.model('webhook.subscription').call([admins], 'renew_secret'), manager),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(
      world.work((env) => env.outside(true).model('webhook.delivery').create({ key: 'x' }), world.admin),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await world.work((env) => env.model('webhook.subscription').unlink([own, admins]));
  });

  it.each([
    [{ model: 'nothing.such' }, 'model'],
    [{ model: 'sys.change' }, 'model'],
    [{ model: 'webhook.delivery' }, 'model'],
    [{ domain: [['nothing', '=', 1]] }, 'domain'],
    [{ payload: ['nothing'] }, 'payload'],
    [{ payload: 'name' }, 'payload'],
    [{ model: 'core.user', payload: ['password'] }, 'payload'],
    [{ watch: ['nothing'] }, 'watch'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'https://me:pass@example.com/' }, 'url'],
    [{ on_create: false, on_write: false, on_delete: false }, 'on_create'],
  ])('WHK-9 a webhook that cannot work is refused at its field: %j', async (values, field) => {
    await expect(world.subscribe(values as object)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { [field]: [expect.stringMatching(/^(?!\w+: )/)] } },
    });
  });
});

describe('WHK-10 addresses', () => {
  it('an address inside the own network is not asked, by a delivery or a test; a redirect is not followed', async () => {
    const { receiver, contact, deliver } = world;
    const inside = await world.subscribe({ url: receiver.url.replace('127.0.0.1', '127.0.0.2') });
    const named = receiver.url.replace('127.0.0.1', '[::ffff:10.0.0.1]');
    const mapped = await world.subscribe({ url: named });
    const redirected = await world.subscribe();
    receiver.answer((_message, response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end());
    await contact('Inside');
    await deliver();
    expect(receiver.received).toHaveLength(1);
    const ends = await Promise.all([inside, mapped, redirected].map((id) => world.deliveries(id)));
    expect(ends.map(([one]) => one?.problem)).toEqual(['refused', 'refused', 'redirect']);
    await world.act((env) => env.model('webhook.subscription').call([mapped], 'send_test'));
    const [tested] = await world.work((env) => env.model('webhook.subscription').read([mapped]));
    expect(tested).toMatchObject({ test_result: 'The address is not on the public internet.' });
  });

  it('WHK-11 a test is sent at once, signed and without a record, and what the receiver says is shown; a dry run sends nothing', async () => {
    const { receiver } = world;
    const id = await world.subscribe();
    const test = () => world.act((env) => env.model('webhook.subscription').call([id], 'send_test'));
    const shown = async () =>
      (await world.work((env) => env.model('webhook.subscription').read([id], ['test_result', 'test_answer'])))[0];
    await test();
    expect(receiver.received).toMatchObject([
      { data: { event: 'test', model: 'core.partner', id: null, record: null } },
    ]);
    expect(await shown()).toMatchObject({
      test_result: expect.stringMatching(/^Accepted with 200 in \d+ ms\.$/),
      test_answer: 'thanks',
    });
    receiver.answer((_message, response) => response.writeHead(404).end('who are you?'));
    await test();
    expect(await shown()).toMatchObject({
      test_result: 'The receiver rejected it. (404)',
      test_answer: 'who are you?',
    });
    await world.kernel.transact(world.admin, (env) => env.model('webhook.subscription').call([id], 'send_test', {}), {
      isDryRun: true,
    });
    expect(receiver.received).toHaveLength(2);
  });
});

describe('OUT-4 what tells a secret or waits for others', () => {
  const asked = (id: number, name: string, more: object = {}) => {
    const caller = {
      actor: world.admin,
      scope: null,
      requestId: 'r',
      address: '::1',
      idempotency: null,
      lastWrite: null,
    };
    const request = { model: 'webhook.subscription', method: 'call', args: [id, name], kwargs: {} };
    return dispatch(world.kernel, { ...caller, ...more }, request);
  };

  it('WHK-3 a secret is told once: not by a dry run, an undo or a repeated Idempotency-Key', async () => {
    const id = await world.subscribe();
    for (const name of ['action_show_secret', 'action_renew_secret']) {
      const dry = dispatch(
        world.kernel,
        { actor: world.admin, scope: null, requestId: 'r', address: '::1', idempotency: null, lastWrite: null },
        { model: 'webhook.subscription', method: 'call', args: [id, name], kwargs: { dry_run: true } },
      );
      await expect(dry).rejects.toMatchObject({ code: 'USER_ERROR' });
      const once = { idempotency: { key: `once ${name}`, bodyHash: 'a' } };
      const first = await asked(id, name, once);
      expect(first.json).toContain('#secret=whsec_');
      expect((await asked(id, name, once)).json).toBe('true');
      const secret = first.json.split('#secret=')[1]?.slice(0, 20) ?? '';
      const [kept] = await world.kernel.database.query<{ found: number }>(sql`
        select count(*)::int4 as found from sys_idempotency where answer like ${`%${secret}%`}`);
      expect(kept?.found).toBe(0);
      expect(first.canUndo).toBe(false);
    }
  });

  it('OUT-4 no request goes out while a transaction is open', async () => {
    await expect(world.work(async (env) => outsideRequests(env)({ url: world.receiver.url }))).rejects.toThrow(
      'waits for the end of the transaction',
    );
    const id = await world.subscribe();
    let open = -1;
    world.receiver.answer(async (_message, response) => {
      const [row] = await world.kernel.database.query<{ open: number }>(sql`
        select count(*)::int4 as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`);
      open = row?.open ?? -1;
      response.writeHead(200).end();
    });
    await asked(id, 'action_send_test');
    expect(open).toBe(0);
  });
});

describe('WHK-12 processes', () => {
  it('two processes share the work: each delivery is sent once, in the order of its record', async () => {
    const { receiver, contact, change, deliver } = world;
    await world.subscribe();
    const other = await world.another();
    const ids: number[] = [];
    for (let at = 0; at < 6; at++) ids.push(await contact(`Shared ${at}`));
    for (const id of ids) await change(id, { phone: '1' });
    const both = [deliver(), deliver(other)];
    await Promise.all(both);
    // One of them may have ended while the other had the last ones in hand.
    await deliver();
    expect([...receiver.told()].sort()).toEqual(ids.flatMap((id) => [`create ${id}`, `write ${id}`]).sort());
    for (const id of ids) {
      const own = receiver.told().filter((one) => one.endsWith(` ${id}`));
      expect(own).toEqual([`create ${id}`, `write ${id}`]);
    }
  });

  it('the running server sends by itself; what a process had in hand when it died is sent by another, with the same id', async () => {
    const { receiver, contact } = world;
    const subscription = await world.subscribe();
    receiver.answer(() => {});
    const running = await world.another();
    running.start();
    await contact('In hand');
    await receiver.reaches(1);
    // It never hears of an answer, and another process finds what it left once the lease is over.
    await running.stop();
    await world.kernel.database.execute(sql`
      update webhook_delivery set locked_until = now() - interval '1 second', next_try = now(), state = 'waiting'
      where subscription_id = ${subscription}`);
    receiver.answer(null);
    await world.deliver();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received.length).toBeGreaterThanOrEqual(2);
    expect(await world.deliveries(subscription)).toMatchObject([{ state: 'sent' }]);
  });
});

it('WHK-14 lists of webhooks and of deliveries cost as much with many rows as with few', async () => {
  const costs = async () => {
    const each: number[] = [];
    for (const model of ['webhook.subscription', 'webhook.delivery']) {
      const asked = readWorkspaceQuery({ model, view_type: 'list' });
      const open = () => buildWorkspace(world.kernel, { actor: world.admin, csrf: 'token', lastWrite: null }, asked);
      await open();
      each.push(await countStatements(open));
    }
    return each;
  };
  await world.subscribe();
  await world.contact('One');
  await world.deliver();
  const few = await costs();
  await world.subscribe({ name: 'Another' });
  for (const name of ['Two', 'Three', 'Four']) await world.contact(name);
  await world.deliver();
  expect(await costs()).toEqual(few);
  expect(Math.max(...few)).toBeLessThanOrEqual(5);
});

describe('WHK-13 upkeep', () => {
  it('old deliveries are deleted: what went well after two weeks, what was given up after three months', async () => {
    const subscription = await world.subscribe();
    for (let at = 0; at < 4; at++) await world.contact(`Old ${at}`);
    await world.deliver();
    await world.kernel.database.execute(sql`
      update webhook_delivery d set state = o.state, write_date = now() - make_interval(days => o.days)
      from (select id, row_number() over (order by id) as at from webhook_delivery where subscription_id = ${subscription}) n,
        (values (1, 'sent', 15), (2, 'sent', 13), (3, 'dead', 91), (4, 'dead', 89)) as o(at, state, days)
      where n.id = d.id and n.at = o.at`);
    const job = world.kernel.loaded.definitions.get('webhooks')?.jobs[0];
    if (!job || !('runInSteps' in job)) throw new Error('There is no such job.');
    await job.runInSteps({
      cronId: 0,
      signal: new AbortController().signal,
      step: (work) => world.act((env) => work(env.sudo())),
    });
    const left = await world.deliveries(subscription);
    expect(left.map(({ state }) => state)).toEqual(['sent', 'dead']);
  });

  it('a webhook that starts from now leaves out what waits, and one whose place is lost begins again', async () => {
    const { receiver, contact, deliver } = world;
    const subscription = await world.subscribe();
    await contact('Left out');
    await world.act((env) => env.model('webhook.subscription').call([subscription], 'pause'));
    await contact('Left out too');
    await world.act((env) => env.model('webhook.subscription').call([subscription], 'start_from_now'));
    await world.act((env) => env.model('webhook.subscription').call([subscription], 'resume'));
    await deliver();
    expect(receiver.received).toHaveLength(0);
    await world.kernel.database.execute(sql`
      update webhook_progress set cursor = '000000000000-1-1-1' where subscription_id = ${subscription}`);
    await contact('Lost');
    await deliver();
    const id = await contact('Again');
    await deliver();
    expect(receiver.told()).toEqual([`create ${id}`]);
  });
});
