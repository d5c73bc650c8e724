import { type Database, sql } from '@kontor/database';
import { createTestDatabase, isLong, preparedDatabase, startMailServer } from '@kontor/testing';
import { startImapServer } from '@kontor/testing/imap-server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type BuiltServer, startBuiltServer } from './built-server.ts';

const [letters, mails] = isLong ? [150, 40] : [50, 16];
const waiting = { timeout: 120_000, interval: 5 };

interface Counts {
  readonly stored: number;
  readonly filed: number;
  readonly queued: number;
}

async function countsOf(database: Pick<Database, 'query'>): Promise<Counts> {
  const [row] = await database.query<Counts>(sql`
    select (select count(*) from mail_incoming)::int4 as stored, (select count(*) from mail_incoming where state = 'filed')::int4 as filed,
      (select count(*) from mail_queue where state in ('queued', 'sending'))::int4 as queued`);
  return row as Counts;
}

/** As if the time of the dead process had passed. */
async function endLeases(database: Pick<Database, 'execute'>): Promise<void> {
  await database.execute(sql`update mail_mailbox set locked_until = now(), next_try = null`);
  await database.execute(
    sql`update mail_incoming set locked_until = now(), next_try = now() where state in ('waiting', 'running')`,
  );
  await database.execute(sql`update mail_queue set locked_until = now() where locked_until is not null`);
}

it('INM-17 MAI-9 a server that is killed while it fetches, files and sends neither loses nor doubles an e-mail', async () => {
  const [imap, smtp] = [await startImapServer(), await startMailServer()];
  onTestFinished(async () => {
    await imap.close();
    await smtp.close();
  });
  const letter = (n: number) =>
    `From: p${n}@customer.test\r\nTo: sales@kontor.test\r\nMessage-ID: <l${n}@customer.test>\r\nSubject: Letter ${n}\r\n\r\nHello ${n}`;
  for (let n = 1; n <= letters; n++) imap.add(Buffer.from(letter(n)));
  const data = await createTestDatabase({ template: await preparedDatabase({ modules: ['crm'] }) });
  onTestFinished(() => data.drop());
  await data.database.execute(sql`
    insert into mail_mailbox (name, address, company_id, kind, host, port, tls, auth, username, password, folder, alias, takes_replies, active,
      left_count, failures, reply_secret, create_date, write_date)
    select 'Office', 'office@kontor.test', min(id), 'imap', '127.0.0.1', ${imap.port}::int4, 'none', 'password', 'office',
      'right "password"', 'INBOX', 'sales', true, true, 0, 0, 'secret', now(), now() from core_company`);
  await data.database.execute(sql`
    insert into mail_queue (recipient, subject, body_text, body_html, message_id, state, attempts, next_try, create_date)
    select 'q' || n || '@customer.test', 'Mail ' || n, 'Hello', '<p>Hello</p>', gen_random_uuid(), 'queued', 0, now(), now()
    from generate_series(1, ${mails}::int4) n`);
  const env = {
    ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(smtp.port), KONTOR_SMTP_TLS: 'none' },
    KONTOR_SMTP_FROM: 'office@kontor.test',
  };
  const killed: Counts[] = [];
  const kill = async (running: BuiltServer) => {
    running.signal('SIGKILL');
    await running.ended;
    killed.push(await countsOf(data.database));
    await endLeases(data.database);
  };
  // While it fetches: some were given to it.
  let running = await startBuiltServer({ dsn: data.dsn, env });
  await vi.waitFor(() => expect(imap.fetched.length).toBeGreaterThanOrEqual(letters / 5), waiting);
  await kill(running);
  expect(killed[0]?.stored).toBeLessThan(letters);
  // While it hands a mail over.
  let ended: Promise<void> | null = null;
  let contents = 0;
  smtp.onContent = async () => {
    if (++contents === mails / 4) ended = kill(running);
  };
  running = await startBuiltServer({ dsn: data.dsn, env });
  if ((await countsOf(data.database)).queued >= mails / 4)
    await vi.waitFor(() => expect(ended).not.toBeNull(), waiting);
  smtp.onContent = null;
  await (ended ?? kill(running));
  // While it files.
  if (isLong) {
    running = await startBuiltServer({ dsn: data.dsn, env });
    await vi.waitFor(async () => expect((await countsOf(data.database)).filed).toBeGreaterThanOrEqual(60), waiting);
    await kill(running);
  }
  expect(killed).toHaveLength(isLong ? 3 : 2);

  running = await startBuiltServer({ dsn: data.dsn, env });
  onTestFinished(() => running.stop());
  await vi.waitFor(async () => {
    await data.database.execute(
      sql`update mail_incoming set next_try = now() where state = 'waiting' and next_try > now()`,
    );
    await data.database.execute(
      sql`update mail_queue set next_try = now() where state = 'queued' and next_try > now()`,
    );
    expect(await countsOf(data.database)).toEqual({ stored: letters, filed: letters, queued: 0 });
  }, waiting);
  const [found] = await data.database.query<{
    leads: number;
    names: number;
    messages: number;
    refs: number;
    position: string;
  }>(sql`
    select (select count(*) from crm_lead where name like 'Letter %')::int4 as leads,
      (select count(distinct name) from crm_lead where name like 'Letter %')::int4 as names,
      (select count(*) from mail_message where kind = 'email')::int4 as messages,
      (select count(distinct message_ref) from mail_message where kind = 'email')::int4 as refs,
      (select position from mail_mailbox) as position`);
  const all = { leads: letters, names: letters, messages: letters, refs: letters };
  expect(found).toEqual({ ...all, position: `7 ${letters}` });
  const sentTo = smtp.accepted.map((mail) => /^To: (\S+)/m.exec(mail)?.[1] ?? '');
  expect(new Set(sentTo).size).toBe(sentTo.length);
  // Those whose content was being handed over when the process died wait for a person.
  const unclear = await data.database.query<{ recipient: string }>(
    sql`select recipient from mail_queue where state = 'unclear'`,
  );
  expect(new Set([...sentTo, ...unclear.map(({ recipient }) => recipient)]).size).toBe(mails);
});
