import { sql } from '@kontor/database';
import { systemActor } from '@kontor/kernel';
import { type Env, typedEnv } from '@kontor/orm';
import { startWorkers } from '@kontor/parts';
import { type ImapServer, startImapServer } from '@kontor/testing/imap-server';
import { long } from '@kontor/testing/long';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followMailbox, positionIn, startIn } from '../incoming/imap/follow-mailbox.ts';
import { connectionFields, settingsOf } from '../incoming/imap/mailbox-settings.ts';
import { type MailboxWorld, mailboxWorld } from './mailbox-world.ts';
import { bytes } from './odd-messages/message.ts';

let world: MailboxWorld;
let imap: ImapServer;
let mailbox: number;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  world = await mailboxWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  imap = await startImapServer();
  mailbox = await world.addMailbox({
    ...{ address: `imap${imap.port}@kontor.test`, kind: 'imap', host: '127.0.0.1', port: imap.port, tls: 'none' },
    ...{ username: 'office', new_password: 'right "password"', next_try: '2100-01-01T00:00:00Z' },
  });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await server((env) => env.model('mail.mailbox').write([mailbox], { active: false }));
  await imap.close();
});

const server = <T>(run: (env: Env) => Promise<T>) => world.work((env) => run(env.sudo() as Env));
const message = (n: number | string) =>
  bytes(`From: a@customer.test\nSubject: ${n}\nMessage-ID: <${n}-${imap.port}@x>\n\nHello ${n}`);
const row = async () =>
  (await server((env) => env.model('mail.mailbox').read([mailbox])))[0] as Record<string, unknown>;
/** The numbers of the messages that were stored, in the order of their ids. */
const stored = () =>
  server(async (env) => {
    const rows = await env.model('mail.incoming').searchRead([['mailbox_id', '=', mailbox]], ['raw'], { order: 'id' });
    return rows.map((each) => /Subject: (\S+)/.exec(Buffer.from(String(each.raw), 'base64').toString())?.[1]);
  });
const step = async <T>(work: (env: ReturnType<typeof typedEnv>) => Promise<T>): Promise<T> =>
  (await world.kernel.transact(systemActor, (env) => work(typedEnv(env)), { isSudo: true })).result;

/** Follows the mailbox as the worker does, under a claim of its own; it is killed before the commit of a step, by its number. */
async function follow(claim: string, killedAt = 0, onStep: () => Promise<void> = async () => {}) {
  let steps = 0;
  await server((env) =>
    env.model('mail.mailbox').write([mailbox], { locked_by: claim, locked_until: '2100-01-01T00:00:00Z' }),
  );
  const [own] = await server((env) =>
    env.model('mail.mailbox').read([mailbox], [...connectionFields, 'position', 'start_at', 'starts']),
  );
  const ending = new AbortController();
  const held = {
    ...{
      id: mailbox,
      company_id: world.admin.companyId as number,
      claim,
      position: positionIn(own?.position as string | null),
    },
    settings: settingsOf(own as unknown as Parameters<typeof settingsOf>[0]),
    start: startIn(own?.start_at as string | null, String(own?.starts)),
  };
  const ends = followMailbox(held, {
    signal: ending.signal,
    step: async (work) => {
      await onStep();
      return step(async (env) => {
        const result = await work(env);
        if (++steps === killedAt) throw new Error('killed');
        return result;
      });
    },
  });
  const stop = async () => {
    ending.abort();
    await ends.catch(() => {});
  };
  stops.push(stop);
  return { ends, stop };
}

describe('INM-8 IMAP', () => {
  long(
    'INM-8 takes all messages in order and in parts, waits, and takes new ones when the server announces them',
    async () => {
      for (let n = 1; n <= 45; n++) imap.add(message(n));
      const lefts: unknown[] = [];
      const waiting = imap.idle();
      await follow('one', 0, async () => void lefts.push((await row()).left_count));
      await waiting;
      expect(await stored()).toEqual(Array.from({ length: 45 }, (_, at) => String(at + 1)));
      expect(await row()).toMatchObject({ position: '7 45', left_count: 0, last_error: null });
      expect(lefts.slice(0, 4)).toEqual([0, 25, 5, 0]);
      const again = imap.idle();
      imap.add(message('new'));
      await again;
      expect((await stored()).at(-1)).toBe('new');
      expect(imap.fetched).toHaveLength(46);
    },
  );

  long(
    'INM-8 position and messages are stored together: a crash at any step neither loses nor doubles one',
    async () => {
      for (let n = 1; n <= 45; n++) imap.add(message(n));
      for (const [killedAt, count] of [
        [1, 0],
        [2, 20],
        [3, 45],
      ] as const) {
        const { ends } = await follow(`killed ${killedAt}`, killedAt);
        await expect(ends).rejects.toThrow('killed');
        expect(await stored()).toHaveLength(count);
        expect((await row()).position).toBe(count === 0 ? null : `7 ${count}`);
      }
      const waiting = imap.idle();
      await follow('last');
      await waiting;
      expect(await stored()).toEqual(Array.from({ length: 45 }, (_, at) => String(at + 1)));
    },
  );

  long('INM-8 new UIDs are fetched again and stored once; a deleted message is passed over', async () => {
    for (const n of ['a', 'b', 'c']) imap.add(message(n));
    imap.remove(2);
    const waiting = imap.idle();
    const first = await follow('first');
    await waiting;
    await first.stop();
    imap.renumber();
    imap.add(message('d'));
    const again = imap.idle();
    await follow('second');
    await again;
    expect(await stored()).toEqual(['a', 'c', 'd']);
    expect(await row()).toMatchObject({ position: '8 3' });
  });

  it('INM-8 a process that lost its lease stores nothing more', async () => {
    const waiting = imap.idle();
    const { ends } = await follow('mine');
    await waiting;
    await server((env) => env.model('mail.mailbox').write([mailbox], { locked_by: 'another' }));
    imap.add(message('late'));
    await expect(ends).rejects.toThrow('The mailbox was taken over, changed or switched off.');
    expect(await stored()).toEqual([]);
  });

  long('INM-8 of several processes one follows a mailbox, and another takes over when it stops', async () => {
    await server((env) => env.model('mail.mailbox').write([mailbox], { next_try: null }));
    imap.add(message('x'));
    const waiting = imap.idle();
    const first = startWorkers(world.kernel);
    const other = await world.another();
    await waiting;
    const second = startWorkers(other);
    stops.push(() => second.stop());
    expect(imap.clients()).toBe(1);
    const again = imap.idle();
    await first.stop();
    await world.kernel.database.execute(sql`select pg_notify(${'kontor'}, '')`);
    await again;
    expect(await stored()).toEqual(['x']);
  });

  it('INM-8 a lease from before the clock was set back is taken over', async () => {
    await server((env) =>
      env
        .model('mail.mailbox')
        .write([mailbox], { ...{ next_try: null, locked_by: 'dead' }, locked_until: '2090-01-01T00:00:00Z' }),
    );
    imap.add(message('x'));
    const waiting = imap.idle();
    const workers = startWorkers(world.kernel);
    stops.push(() => workers.stop());
    await waiting;
    expect(await stored()).toEqual(['x']);
  });

  it('INM-8 a refused login is reported at the mailbox without the password, and tried again later', async () => {
    await server((env) => env.model('mail.mailbox').write([mailbox], { new_password: 'wrong' }));
    const refused = world.act((env) => env.model('mail.mailbox').call([mailbox], 'test'));
    await expect(refused).rejects.toThrow('The mail server refused: Invalid credentials');
    await server((env) => env.model('mail.mailbox').write([mailbox], { new_password: 'right "password"' }));
    imap.add(message(1));
    await world.act((env) => env.model('mail.mailbox').call([mailbox], 'test'));
    expect(await row()).toMatchObject({
      test_result: '1 e-mails in INBOX, 1 of them new.',
      has_password: true,
      new_password: null,
    });
    expect(Object.keys(await row())).not.toContain('password');
  });

  it('INM-12 a password that is kept is not sent to a server that is named later, nor in the clear', async () => {
    const kept = async () => {
      const [own] = await server((env) => env.model('mail.mailbox').read([mailbox], ['password', 'has_password']));
      return [own?.password, own?.has_password];
    };
    const write = (values: object) => world.act((env) => env.model('mail.mailbox').write([mailbox], values));
    await write({ host: '127.0.0.1', port: imap.port, tls: 'none', name: 'Office', folder: 'INBOX' });
    expect(await kept()).toEqual(['right "password"', true]);
    const other = await startImapServer();
    stops.push(() => other.close());
    for (const values of [{ port: other.port }, { host: 'localhost' }, { tls: 'starttls' }] as const) {
      await write(values);
      expect(await kept()).toEqual([null, false]);
      await write({ host: '127.0.0.1', port: imap.port, tls: 'none', new_password: 'right "password"' });
      expect(await kept()).toEqual(['right "password"', true]);
    }
  });
});

describe('INM-20 what a mailbox has when it is connected', () => {
  const old = (n: number) => imap.add(message(`old${n}`), new Date(Date.now() - n * 86_400_000));
  const fetched = async (claim: string) => {
    const waiting = imap.idle();
    const { stop } = await follow(claim);
    await waiting;
    await stop();
    return stored();
  };
  const choose = (values: Readonly<Record<string, unknown>>) =>
    world.work((env) => env.model('mail.mailbox').write([mailbox], values));

  long('INM-20 from now on: older e-mails stay in the mailbox, also if it is renumbered', async () => {
    for (const n of [400, 30, 1]) old(n);
    imap.add(message('new'));
    expect(await fetched('now')).toEqual(['new']);
    expect(imap.fetched).toHaveLength(1);
    imap.renumber();
    expect(await fetched('again')).toEqual(['new']);
  });

  long('INM-20 from a day on, and everything with older ones as history', async () => {
    for (const n of [400, 30, 3]) old(n);
    await expect(choose({ starts: 'day' })).rejects.toThrow('Enter the first day.');
    await choose({ starts: 'day', start_day: new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10) });
    expect(await fetched('day')).toEqual(['old3']);
    await choose({ starts: 'history' });
    imap.add(message('new'));
    expect(await fetched('all')).toEqual(['old3', 'old400', 'old30', 'new']);
    const rows = await server((env) =>
      env
        .model('mail.incoming')
        .searchRead([['mailbox_id', '=', mailbox]], ['is_history', 'received_at'], { order: 'id' }),
    );
    expect(rows.map((each) => each.is_history)).toEqual([false, true, true, false]);
    expect(Date.parse(String(rows[1]?.received_at))).toBeLessThan(Date.now() - 399 * 86_400_000);
  });
});
