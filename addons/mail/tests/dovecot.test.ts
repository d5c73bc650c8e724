import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@kontor/database';
import { systemActor } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import { isLong } from '@kontor/testing';
import { needProgram } from '@kontor/testing/debian-program';
import { expect, it, onTestFinished } from 'vitest';
import { followMailbox, positionIn } from '../incoming/imap/follow-mailbox.ts';
import { settingsOf } from '../incoming/imap/mailbox-settings.ts';
import { fillInbox, startDovecot } from './dovecot.ts';
import { mailboxWorld } from './mailbox-world.ts';

const messages = 100_000;

it.runIf(isLong)(
  'INM-18 a mailbox of 100,000 e-mails is taken from Dovecot in parts, on after a lost connection, each once',
  async (context) => {
    const program = needProgram(context, { program: 'dovecot', from: 'dovecot-imapd', mayFetch: true });
    const folder = mkdtempSync(join(tmpdir(), 'kontor-dovecot-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o777);
    await fillInbox(folder, messages);
    const dovecot = await startDovecot(program, folder);
    onTestFinished(() => dovecot.close());
    const world = await mailboxWorld();
    onTestFinished(() => world.close());
    const mailbox = await world.addMailbox({
      ...{ address: 'dovecot@kontor.test', kind: 'imap', host: '127.0.0.1', port: dovecot.port, tls: 'none' },
      ...{ username: 'office', new_password: 'x', next_try: '2100-01-01T00:00:00Z' },
    });
    const state = () =>
      world.server(async (env) => (await env.model('mail.mailbox').read([mailbox]))[0] as Record<string, unknown>);
    const lefts: number[] = [];
    /** Follows it as the worker does, until there is nothing left or the connection is lost. */
    const follow = async (claim: string, onPart: (left: number) => void) => {
      const held = { locked_by: claim, locked_until: '2100-01-01T00:00:00Z' };
      await world.server((env) => env.model('mail.mailbox').write([mailbox], held));
      const [row] = await world.server((env) =>
        env
          .model('mail.mailbox')
          .read([mailbox], ['host', 'port', 'tls', 'username', 'password', 'folder', 'position']),
      );
      const ending = new AbortController();
      const following = followMailbox(
        {
          ...{ id: mailbox, company_id: world.admin.companyId as number, claim },
          position: positionIn((row?.position ?? null) as string | null),
          settings: settingsOf(row as unknown as Parameters<typeof settingsOf>[0]),
          start: { at: null, takesHistory: false },
        },
        {
          signal: ending.signal,
          step: async (work) => {
            const { result } = await world.kernel.transact(systemActor, (env) => work(typedEnv(env)), { isSudo: true });
            const left = Number((await state()).left_count);
            // Before the first part nothing is known.
            if (left !== lefts.at(-1) && (left > 0 || lefts.length > 0)) lefts.push(left);
            onPart(left);
            if (left === 0 && lefts.length > 1) ending.abort();
            return result;
          },
        },
      );
      await following;
    };
    await expect(
      follow('first', (left) => {
        if (left > 0 && left < messages / 2) dovecot.hangUp();
      }),
    ).rejects.toMatchObject({ code: 'NoConnection' });
    await follow('second', () => {});
    expect(lefts.slice(0, 3)).toEqual([messages - 20, messages - 40, messages - 60]);
    expect(lefts).toEqual(lefts.toSorted((a, b) => b - a));
    const [stored] = await world.kernel.database.query<{ count: number; ids: number; last: string }>(sql`
      select count(*)::int4 as count, count(distinct fingerprint)::int4 as ids,
        (select position from mail_mailbox where id = ${mailbox}::int4) as last
      from mail_incoming where mailbox_id = ${mailbox}::int4`);
    expect(stored).toMatchObject({ count: messages, ids: messages });
    expect(stored?.last).toMatch(new RegExp(` ${messages}$`));
  },
  1_800_000,
);
