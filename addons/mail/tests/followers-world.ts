import { sql } from '@kontor/database';
import { type Actor, type Env, type TypedEnv, typedEnv } from '@kontor/orm';
import { startMail } from '@kontor/parts';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { expect, vi } from 'vitest';
import { postComment } from '../chatter/post-message.ts';
import { sendDigests } from '../following/digest.ts';
import { tellFollowers } from '../following/tell-followers.ts';
import { type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

export interface FollowersWorld extends MailboxWorld {
  readonly server_: TestMailServer;
  /** A user who sees their own leads only, with an address and notifications of followed records in this way. */
  colleague(name: string, way?: string, groups?: readonly string[]): Promise<Actor>;
  setting(who: Actor, key: string, value: unknown): Promise<unknown>;
  say(who: Actor, id: number, text: string): Promise<number>;
  as<T>(who: Actor, run: (env: TypedEnv) => Promise<T>): Promise<T>;
  /** Lets the worker tell followers. */
  tell(): Promise<void>;
  digest(): Promise<void>;
  /** Titles and bodies of the notifications of a user in the client, oldest first. */
  told(who: Actor): Promise<readonly string[]>;
  /** Recipients and subjects of what waits or was sent. */
  queued(): Promise<readonly { recipient: string; subject: string; state: string; body_text: string; wait: number }[]>;
  clear(): Promise<void>;
  /** Sends what waits, whatever its time, and returns what the server has accepted. */
  deliver(count: number): Promise<readonly string[]>;
}

export async function followersWorld(): Promise<FollowersWorld> {
  const server = await startMailServer();
  const world = await mailboxWorld({
    env: {
      ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(server.port), KONTOR_SMTP_TLS: 'none' },
      ...{ KONTOR_SMTP_FROM: 'Nordlicht <office@kontor.test>', KONTOR_BASE_URL: 'https://kontor.test' },
    },
  });
  const { database } = world.kernel;
  const as = <T>(who: Actor, run: (env: TypedEnv) => Promise<T>) => world.work((env) => run(typedEnv(env)), who);
  const asServer = <T>(run: (env: TypedEnv) => Promise<T>) => world.server((env) => run(typedEnv(env as Env)));
  const setting = (who: Actor, key: string, value: unknown) =>
    asServer(async (env) => {
      const settings = env.model('sys.user.setting');
      await settings.unlink(
        await settings.search([
          ['user_id', '=', who.uid],
          ['key', '=', key],
        ]),
      );
      return settings.create({ user_id: who.uid, key, value });
    });
  const clear = async () => {
    while (await asServer(tellFollowers));
    await database.execute(sql`delete from mail_queue`);
    await database.execute(sql`delete from sys_notification`);
    await database.execute(sql`delete from mail_digest_item`);
    server.accepted.length = 0;
  };
  return {
    ...world,
    ...{ server_: server, as, setting, clear },
    async colleague(name, way = 'client', groups = ['base.group_user', 'crm.group_user']) {
      const who = await world.person(name, groups);
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@kontor.test`;
      await world.server((env) => env.model('core.user').write([who.uid], { email, tz: 'Europe/Berlin' }));
      await setting(who, 'notices', { 'mail.followed': way });
      await database.execute(sql`delete from mail_queue`);
      return who;
    },
    say: async (who, id, text) => (await as(who, (env) => postComment(env, { model: 'crm.lead', id }, text))).id,
    tell: async () => {
      while (await asServer(tellFollowers));
    },
    digest: () => sendDigests({ step: asServer, signal: new AbortController().signal }),
    told: async (who) => {
      const rows = await world.server((env) =>
        env.model('sys.notification').searchRead([['user_id', '=', who.uid]], ['title', 'body'], { order: 'id' }),
      );
      return rows.map(({ title, body }) => [title, body].filter(Boolean).join(' | '));
    },
    queued: () =>
      database.query(sql`
        select recipient, subject, state, body_text, extract(epoch from next_try - now())::float8 as wait
        from mail_queue order by id`),
    async deliver(count) {
      await database.execute(sql`update mail_queue set next_try = now()`);
      const worker = startMail(world.kernel, 'worker');
      await vi.waitFor(
        async () => {
          const open = await database.query(sql`select id from mail_queue where state in ('queued', 'sending')`);
          expect(open).toEqual([]);
          expect(server.accepted).toHaveLength(count);
        },
        { timeout: 120_000, interval: 20 },
      );
      await worker.stop();
      return server.accepted;
    },
    async close() {
      await world.close();
      await server.close();
    },
  };
}
