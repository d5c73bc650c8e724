import { sql } from '@kontor/database';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BusSocket, eventually, openBus } from './bus-socket.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
beforeAll(async () => {
  // Long enough that a machine with much to do still answers in time, short enough to wait for.
  world = await startTestServer({ bus: { pingMs: 1_000 } });
});
afterAll(() => world.close());

const partners = 'core.partner';
const isWatching = async (userId: number): Promise<boolean> => {
  const rows = await world.kernel.database.query(sql`select 1 as x from sys_presence where user_id = ${userId}`);
  return rows.length > 0;
};
const flood = async (count: number): Promise<void> => {
  await world.kernel.database.execute(sql`
    insert into sys_outbox (channel, payload, xact, create_date)
    select 'flood.test', jsonb_build_object('n', n, 'text', ${'x'.repeat(100_000)}::text),
      pg_current_xact_id()::text::numeric, now()
    from generate_series(1, ${count}::int4) n`);
  world.kernel.ring();
};

describe('EVT-5 the life of a socket', () => {
  long('EVT-5 is pinged; a client that does not answer is hung up on', async () => {
    const id = await world.work((env) => env.model(partners).create({ name: 'Asleep' }));
    const sleeper = await world.user('Sova');
    const bus = await openBus(sleeper.browser);
    let pings = 0;
    bus.socket.on('ping', () => pings++);
    bus.watch({ model: partners, id });
    await eventually(async () => {
      expect(pings).toBeGreaterThan(1);
      expect(await isWatching(sleeper.id)).toBe(true);
    });
    // As a machine that went to sleep: it neither answers nor closes.
    bus.socket.pause();
    await eventually(async () => expect(await isWatching(sleeper.id)).toBe(false));
    bus.socket.resume();
    expect(await bus.closed).toBe(1006);
  });

  long('EVT-5 a client that cannot keep up is let go with 1013, and the others hear on', async () => {
    const id = await world.work((env) => env.model(partners).create({ name: 'Flooded' }));
    const slowPoke = await world.user('Sloth');
    const [slow, quick] = [await openBus(slowPoke.browser), await openBus(await world.signedIn())];
    slow.watch({ model: partners, id });
    await eventually(async () => expect(await isWatching(slowPoke.id)).toBe(true));
    slow.socket.pause();
    // However much the machine itself keeps for a client that reads nothing, in the end it is full.
    let sent = 0;
    for (; (await isWatching(slowPoke.id)) && sent < 2_000; sent += 20) {
      await flood(20);
      await eventually(() => expect(quick.of('flood.test')).toHaveLength(sent + 20));
    }
    expect(await isWatching(slowPoke.id)).toBe(false);
    slow.socket.resume();
    expect([1013, 1006]).toContain(await slow.closed);
    expect(slow.of('flood.test').length).toBeLessThan(sent);
    await quick.close();
  });

  it('EVT-5 one large batch is no reason to let go of anybody', async () => {
    const bus = await openBus(await world.signedIn());
    await flood(100);
    await eventually(() => expect(bus.of('flood.test')).toHaveLength(100));
    await flood(1);
    await eventually(() => expect(bus.of('flood.test')).toHaveLength(101));
    expect(bus.socket.readyState).toBe(bus.socket.OPEN);
    await bus.close();
  });

  it('EVT-5 ends with 4401 at logout, of this session only', async () => {
    const browser = await world.signedIn();
    const [bus, other] = [await openBus(browser), await openBus(await world.signedIn())];
    await browser.get('/web/logout');
    expect(await bus.closed).toBe(4401);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
    await other.close();
  });

  long(
    'EVT-5 ends with 4401 when the password changes, the person is deactivated, or the session expires',
    async () => {
      const user = await world.user('Selma');
      const change = await openBus(user.browser);
      await world.work((env) => env.model('core.user').write([user.id], { password: 'another long password' }));
      expect(await change.closed).toBe(4401);
      const expiring = await openBus(await world.signedIn(user.login, 'another long password'));
      await world.kernel.database.execute(sql`
      update sys_session set last_seen_at = now() - interval '10 days' where user_id = ${user.id}`);
      expect(await expiring.closed).toBe(4401);
      const leaving = await openBus(await world.signedIn(user.login, 'another long password'));
      await world.work((env) => env.model('core.user').write([user.id], { active: false }));
      expect(await leaving.closed).toBe(4401);
    },
  );

  long('EVT-5 ends with 1001 when the server stops, which does not wait for it', async () => {
    const own = await startTestServer();
    const [bus, silent] = [await openBus(await own.signedIn()), await openBus(await own.signedIn())];
    // It reads nothing any more, so it will not say goodbye either.
    silent.socket.pause();
    await own.close();
    expect(await bus.closed).toBe(1001);
    silent.socket.resume();
    expect([1001, 1006]).toContain(await silent.closed);
  });

  it('EVT-5 what is too long or not text ends nobody else’s connection', async () => {
    const [loud, calm] = [await openBus(await world.signedIn()), await openBus(await world.signedIn())];
    loud.socket.send('x'.repeat(20_000));
    expect(await loud.closed).toBe(1009);
    calm.socket.send(Buffer.from([1, 2, 3]));
    for (const text of ['', '{', 'null', '[]', '{"watch":7}', '{"watch":[{"model":1}]}', '{"subscribe":"all"}']) {
      calm.socket.send(text);
    }
    const id = await world.work((env) => env.model(partners).create({ name: 'Still here' }));
    await eventually(() => expect(calm.of('record.created')).toContainEqual({ model: partners, id }));
    await calm.close();
  });
});

describe('EVT-6 presence', () => {
  const namesAt = (bus: BusSocket) =>
    (bus.of('presence').at(-1)?.users as { name: string }[] | undefined)?.map(({ name }) => name);

  it('EVT-6 tells those who show a record who else does, until they leave', async () => {
    const user = await world.user('Tuva');
    const id = await world.work((env) => env.model(partners).create({ name: 'Watched' }));
    const [ada, tuva] = [await openBus(await world.signedIn()), await openBus(user.browser)];
    ada.watch({ model: partners, id });
    await eventually(() => expect(namesAt(ada)).toEqual(['Ada Lindqvist']));
    tuva.watch({ model: partners, id });
    await eventually(() => expect([namesAt(ada), namesAt(tuva)]).toEqual(Array(2).fill(['Ada Lindqvist', 'Tuva'])));
    expect(ada.of('presence').at(-1)).toEqual({
      model: partners,
      id,
      users: [
        { id: 1, name: 'Ada Lindqvist' },
        { id: user.id, name: 'Tuva' },
      ],
    });
    tuva.watch();
    await eventually(() => expect(namesAt(ada)).toEqual(['Ada Lindqvist']));
    tuva.watch({ model: partners, id });
    await eventually(() => expect(namesAt(ada)).toEqual(['Ada Lindqvist', 'Tuva']));
    await tuva.close();
    await eventually(() => expect(namesAt(ada)).toEqual(['Ada Lindqvist']));
    await ada.close();
  });

  it('EVT-6 says nothing to people who may not read the record, and nothing of a record that there is not', async () => {
    const user = await world.user('Ulrik');
    const id = await world.work((env) => env.model('sys.config.parameter').create({ name: 'watched', value: '1' }));
    const [ada, ulrik] = [await openBus(await world.signedIn()), await openBus(user.browser)];
    ulrik.watch({ model: 'sys.config.parameter', id }, { model: 'no.such', id: 1 }, { model: partners, id: 999_999 });
    ada.watch({ model: 'sys.config.parameter', id });
    await eventually(() => expect(namesAt(ada)).toEqual(['Ada Lindqvist']));
    expect(ulrik.of('presence')).toEqual([]);
    await Promise.all([ada.close(), ulrik.close()]);
    await eventually(async () => {
      const rows = await world.kernel.database.query(sql`select 1 as found from sys_presence`);
      expect(rows).toEqual([]);
    });
  });

  it('EVT-6 forgets what a process that died has left behind', async () => {
    const user = await world.user('Vera');
    const id = await world.work((env) => env.model(partners).create({ name: 'Haunted' }));
    await world.kernel.database.execute(sql`
      insert into sys_presence (process, socket, user_id, model, res_id, seen_at, create_date)
      values ('dead', 1, ${user.id}, ${partners}, ${id}, now() - interval '80 seconds', now())`);
    const ada = await openBus(await world.signedIn());
    ada.watch({ model: partners, id });
    await eventually(() => expect(namesAt(ada)).toEqual(['Ada Lindqvist', 'Vera']));
    await world.kernel.database.execute(sql`
      update sys_presence set seen_at = now() - interval '100 seconds' where process = 'dead'`);
    await eventually(() => expect(namesAt(ada)).toEqual(['Ada Lindqvist']));
    await ada.close();
  });
});
