import { type Database, sql } from '@kontor/database';
import { createTestDatabase, isLong, preparedDatabase, startMailServer, testAdmin } from '@kontor/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type BuiltServer, startBuiltServer } from './built-server.ts';

const leads = isLong ? 30 : 12;
const waiting = { timeout: 120_000, interval: 5 };

async function statesOf(database: Pick<Database, 'query'>): Promise<Readonly<Record<string, number>>> {
  const rows = await database.query<{ state: string; n: number }>(
    sql`select state, count(*)::int4 as n from automation_run group by 1`,
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

async function signIn(server: BuiltServer) {
  const browser = server.browser();
  await browser.signIn(testAdmin.email, testAdmin.password);
  return browser;
}

it('AUT-21 a server that is killed while automations run loses none of their actions and does none twice', async () => {
  const data = await createTestDatabase({ template: await preparedDatabase({ modules: ['automations', 'crm'] }) });
  onTestFinished(() => data.drop());
  const { database } = data;
  const smtp = await startMailServer();
  onTestFinished(() => smtp.close());
  const env = {
    ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(smtp.port), KONTOR_SMTP_TLS: 'none' },
    KONTOR_SMTP_FROM: 'office@kontor.test',
  };
  const start = () => startBuiltServer({ dsn: data.dsn, env });
  let running = await start();
  onTestFinished(() => running.stop());
  const kill = async () => {
    running.signal('SIGKILL');
    await running.ended;
    // As if the time of the dead process had passed.
    await database.execute(
      sql`update automation_run set locked_until = now(), next_try = now() where state = 'waiting'`,
    );
  };
  const browser = await signIn(running);
  const rule = await browser.rpc<number>('automation.rule', 'create', [
    {
      ...{ name: 'Contact of each lead', model: 'crm.lead', when: { trigger: 'create' } },
      steps: [
        { do: 'note', text: 'Contact {name}' },
        { do: 'create', model: 'core.partner', values: { name: { from: 'name' } } },
        { do: 'mail', to: 'office@kontor.test', subject: '{name}', body: 'Call back' },
      ],
    },
  ]);
  await browser.rpc('automation.rule', 'call', [rule, 'action_switch_on']);
  const names = Array.from({ length: leads }, (_, at) => `Crash ${at}`);

  // In the middle of a run: its note is posted, and its contact waits for the table.
  await database.transaction(async (tx) => {
    await tx.execute(sql`lock table core_partner in share mode`);
    await browser.rpc('crm.lead', 'create_many', [names.map((name) => ({ name }))]);
    const blocked = sql`select 1 as found from pg_locks where not granted and relation = 'core_partner'::regclass`;
    await vi.waitFor(async () => expect((await database.query(blocked)).length).toBeGreaterThan(0), waiting);
    running.signal('SIGKILL');
    await running.ended;
  });
  await kill();
  expect(await statesOf(database)).toEqual({ waiting: leads });
  const notes = sql`select 1 as found from mail_message where body like '%Contact Crash%'`;
  expect(await database.query(notes)).toEqual([]);

  if (isLong) {
    // Between two runs.
    running = await start();
    await vi.waitFor(async () => {
      const states = await statesOf(database);
      expect(states.done ?? 0, JSON.stringify(states)).toBeGreaterThanOrEqual(3);
    }, waiting);
    await kill();
  }

  running = await start();
  await vi.waitFor(async () => expect(await statesOf(database)).toEqual({ done: leads }), waiting);

  const [found] = await database.query<Record<string, number>>(sql`
    select (select count(*) from core_partner where name like 'Crash %')::int4 as contacts,
      (select count(distinct name) from core_partner where name like 'Crash %')::int4 as named,
      (select count(*) from mail_message where body like '%Contact Crash%')::int4 as notes,
      (select count(*) from mail_queue where subject like 'Crash %')::int4 as mails,
      (select count(distinct subject) from mail_queue where subject like 'Crash %')::int4 as subjects`);
  expect(found).toEqual({ contacts: leads, named: leads, notes: leads, mails: leads, subjects: leads });
});
