import { sql } from '@kontor/database';
import { createTestDatabase, isLong, preparedDatabase, startMailServer } from '@kontor/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startBuiltServer } from './built-server.ts';

const waiting = { timeout: 120_000, interval: 20 };
const [recipients, kills] = isLong ? [60, 3] : [30, 1];

it('MLG-11 a process that is killed in the middle of a mailing neither loses nor doubles a mail', async () => {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const data = await createTestDatabase({ template: await preparedDatabase({ modules: ['mailing'] }) });
  onTestFinished(() => data.drop());
  await data.database.execute(sql`
    insert into core_partner (name, email, active, create_date, write_date)
    select 'Person ' || n, 'p' || n || '@customer.test', true, now(), now() from generate_series(1, ${recipients}::int4) n`);
  await data.database.execute(sql`
    insert into mailing_mailing (name, model, domain, address_path, lang, subject, body, rate, company_id, user_id, sender_id, state, send_at, position, is_listed, create_date, write_date)
    select 'News', 'core.partner', '[["email", "like", "@customer.test"]]', 'email', 'en_US', 'For {name}', 'Hello', 50000, c.id, 1, 1, 'waiting', now() - interval '1 hour', 0, false, now(), now()
    from core_company c order by c.id limit 1`);
  await data.database.execute(sql`update core_company set mailing_most_per_hour = 50000`);
  const env = {
    ...{
      KONTOR_CRON_ENABLED: 'true',
      KONTOR_SMTP_HOST: '127.0.0.1',
      KONTOR_SMTP_PORT: String(server.port),
      KONTOR_SMTP_TLS: 'none',
    },
    ...{ KONTOR_SMTP_FROM: 'office@kontor.test', KONTOR_BASE_URL: 'https://kontor.example' },
  };
  for (let kill = 1; kill <= kills; kill++) {
    const running = await startBuiltServer({ dsn: data.dsn, env });
    await data.database.execute(sql`update sys_cron set next_call = now() where handler = 'mailing.list_recipients'`);
    await data.database.execute(sql`update mailing_recipient set next_try = now() where state <> 'done'`);
    await vi.waitFor(() => expect(server.accepted.length).toBeGreaterThanOrEqual(kill * 10), waiting);
    running.signal('SIGKILL');
    await running.ended;
    // The leases of the dead process are over.
    await data.database.execute(sql`update mailing_recipient set locked_until = now() where locked_until is not null`);
    await data.database.execute(sql`update mail_queue set locked_until = now() where locked_until is not null`);
    await data.database.execute(sql`update sys_cron set locked_until = now() where locked_until is not null`);
  }
  const last = await startBuiltServer({ dsn: data.dsn, env });
  onTestFinished(() => last.stop());
  await data.database.execute(sql`update sys_cron set next_call = now() where handler = 'mailing.list_recipients'`);
  await vi.waitFor(async () => {
    await data.database.execute(
      sql`update mailing_recipient set next_try = now() where state = 'waiting' and next_try > now()`,
    );
    const [left] = await data.database.query<{ open: number; listed: number }>(sql`
      select (select count(*) from mail_queue where state in ('queued', 'sending'))::int4
        + (select count(*) from mailing_recipient where state in ('waiting', 'running'))::int4 as open,
        (select count(*) from mailing_recipient)::int4 as listed`);
    expect(left).toEqual({ open: 0, listed: recipients });
  }, waiting);
  const sentTo = server.accepted.map((mail) => /^To: (\S+)/m.exec(mail)?.[1] ?? '');
  expect(new Set(sentTo).size).toBe(sentTo.length);
  // Those whose content was being handed over when the process died wait for a person.
  const unclear = await data.database.query<{ recipient: string }>(
    sql`select recipient from mail_queue where state = 'unclear'`,
  );
  const all = new Set([...sentTo, ...unclear.map(({ recipient }) => recipient)]);
  expect(all.size).toBe(recipients);
  const head = server.accepted[0]?.replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
  expect(head).toMatch(/^List-Unsubscribe: <https:\/\/kontor\.example\/mailing\/out\/[0-9a-z]+-[0-9a-f]{32}>/m);
  expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
});
