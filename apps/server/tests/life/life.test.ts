import { sql } from '@kontor/database';
import { createTestDatabase, isLong, preparedDatabase, type TestDatabase } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Browser } from '../browser.ts';
import { type BuiltServer, startBuiltServer } from '../built-server.ts';
import { type BusSocket, openBus } from '../bus-socket.ts';
import { testAddons } from '../shop.ts';
import { type SmtpProcess, startSmtp } from './start-smtp.ts';

const admin = { login: 'ada@example.com', password: 'correct horse battery' };
const [jobCount, mailCount, refusedCount, eventCount, batch, kills] = isLong
  ? [1_000, 1_000, 20, 10_000, 200, 8]
  : [80, 80, 5, 500, 50, 1];
/** What one process sends at once, and so may have in flight when it dies. */
const mailsInFlight = 4;

let data: TestDatabase;
let smtp: SmtpProcess;
/** The first lives through all of it; the others are killed and started again. */
const servers: BuiltServer[] = [];
/** The process that is started in the place of a killed one. */
let starting: Promise<unknown> = Promise.resolve();
const deaths: { readonly pid: number; readonly at: number }[] = [];

const start = () =>
  startBuiltServer({ dsn: data.dsn, env: { ...smtp.env, KONTOR_ADDONS_PATH: testAddons, KONTOR_LOG_LEVEL: 'warn' } });
const signedIn = async (server: BuiltServer): Promise<Browser> => {
  const browser = server.browser();
  await browser.signIn(admin.login, admin.password);
  return browser;
};

beforeAll(async () => {
  const template = await preparedDatabase({ modules: ['probe'], addonsPath: [testAddons] });
  [data, smtp] = await Promise.all([createTestDatabase({ template }), startSmtp()]);
  servers.push(...(await Promise.all([start(), start(), start()])));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await smtp?.stop();
  await data?.drop();
});

describe('three processes on one database', () => {
  long('EVT-2 EVT-6 what happens in one is heard in the others, presence and the end of a session too', async () => {
    const [one, two, three] = servers as [BuiltServer, BuiltServer, BuiltServer];
    const browsers = await Promise.all([signedIn(one), signedIn(two), signedIn(three)]);
    const [here, there, elsewhere] = (await Promise.all(browsers.map((browser) => openBus(browser)))) as BusSocket[];
    const id = await browsers[0]?.rpc<number>('core.partner', 'create', [{ name: 'Heard' }]);
    const record = { model: 'core.partner', id: id as number };
    for (const bus of [here, there, elsewhere]) {
      await expect.poll(() => bus?.of('record.created'), { timeout: 120_000 }).toContainEqual(record);
    }
    there?.watch(record);
    here?.watch(record);
    const users = [{ id: 1, name: 'Ada Lindqvist' }];
    for (const bus of [here, there]) {
      await expect.poll(() => bus?.of('presence'), { timeout: 120_000 }).toContainEqual({ ...record, users });
    }
    const copy = one.browser();
    for (const [name, value] of browsers[2]?.cookies ?? []) copy.cookies.set(name, value);
    await copy.get('/web/logout');
    expect(await elsewhere?.closed).toBe(4401);
    await Promise.all([here?.close(), there?.close()]);
  });

  long(
    'CRN-1 MAI-2 MAI-5 MAI-9 EVT-2 kills at random lose nothing, send no mail twice and repeat only jobs in flight',
    async () => {
      const first = servers[0] as BuiltServer;
      const bus = await openBus(await signedIn(first));
      await queueWork();
      const wrote = writeRecords();
      await killAtRandom();
      await wrote;
      await expect.poll(left, { timeout: 150_000, interval: 250 }).toEqual({ jobs: 0, mails: 0 });
      await checkJobs();
      await checkMails();
      await checkEvents(bus);
      await bus.close();
    },
    400_000,
  );
});

async function queueWork(): Promise<void> {
  await data.database.execute(sql`
    insert into sys_cron (name, handler, interval_number, interval_unit, timezone, priority, active, next_call, starts_at,
      failures, create_date)
    select 'probe ' || n, 'probe.note', 1, 'days', 'UTC', 10, true, now(), now(), 0, now()
    from generate_series(1, ${jobCount}::int4) n`);
  await data.database.execute(sql`
    insert into mail_queue (recipient, subject, body_text, body_html, message_id, state, attempts, next_try, create_date)
    select case when n <= ${refusedCount}::int4 then 'refuse-' else 'person-' end || n || '@example.com', 'Mail ' || n, 'Hello',
      '<p>Hello</p>', gen_random_uuid(), 'queued', 0, now(), now()
    from generate_series(1, ${mailCount}::int4) n`);
}

/** Calls to a process that dies are made again elsewhere, as a person would. */
async function writeRecords(): Promise<void> {
  let made = 0;
  while (made < eventCount) {
    const server = servers[made % servers.length] as BuiltServer;
    try {
      const browser = await signedIn(server);
      for (let n = 0; n < 5 && made < eventCount; n++) {
        const rows = Array.from({ length: batch }, (_, i) => ({ name: `Event ${made + i}` }));
        await browser.rpc('core.partner', 'create_many', [rows]);
        made += batch;
      }
    } catch {
      // It was killed: on with the next, which answers, until it is there again.
      await starting;
    }
  }
}

async function killAtRandom(): Promise<void> {
  for (let n = 0; n < kills; n++) {
    // Some of the work is done, somewhere in the middle of the rest.
    const done = Math.round(((n + Math.random()) / (kills + 1)) * mailCount);
    await expect
      .poll(async () => mailCount - (await left()).mails, { timeout: 150_000, interval: 10 })
      .toBeGreaterThanOrEqual(done);
    const index = 1 + Math.floor(Math.random() * 2);
    const server = servers[index] as BuiltServer;
    server.signal('SIGKILL');
    await server.ended;
    deaths.push({ pid: server.pid, at: Date.now() });
    const again = start();
    starting = again;
    servers[index] = await again;
  }
}

async function left(): Promise<{ jobs: number; mails: number }> {
  const [row] = await data.database.query<{ jobs: number; mails: number }>(sql`
    select (select count(*)::int4 from sys_cron where handler = 'probe.note' and (last_call is null or locked_by is not null)) as jobs,
      (select count(*)::int4 from mail_queue where state in ('queued', 'sending')) as mails`);
  return row as { jobs: number; mails: number };
}

/** Every job ran at least once, and never twice at once: a run that did not end ended with its process. */
async function checkJobs(): Promise<void> {
  const runs = await data.database.query<{ cron: number; process: number; began: number; ended: number | null }>(sql`
    select cron, process, extract(epoch from began)::float8 * 1000 as began, extract(epoch from ended)::float8 * 1000 as ended
    from probe_run order by cron, began`);
  expect(new Set(runs.map((run) => run.cron)).size).toBe(jobCount);
  const deathOf = new Map(deaths.map(({ pid, at }) => [pid, at]));
  const overlaps = runs.filter((run, index) => {
    const next = runs[index + 1];
    return (
      next?.cron === run.cron && next.began < (run.ended ?? deathOf.get(run.process) ?? Number.POSITIVE_INFINITY) - 1
    );
  });
  expect(overlaps).toEqual([]);
  // What was repeated had been broken off; each process has a few jobs in hand.
  expect(runs.length - jobCount).toBeLessThanOrEqual(3 * kills);
}

/** None is accepted twice; what a process had handed over when it died is listed for a person, and nothing else. */
async function checkMails(): Promise<void> {
  const [states] = await data.database.query<Record<'sent' | 'dead' | 'unclear', number>>(sql`
    select count(*) filter (where state = 'sent')::int4 as sent, count(*) filter (where state = 'dead')::int4 as dead,
      count(*) filter (where state = 'unclear')::int4 as unclear
    from mail_queue`);
  const { sent = 0, dead, unclear = 0 } = states ?? {};
  expect([sent + unclear, dead]).toEqual([mailCount - refusedCount, refusedCount]);
  expect(unclear).toBeLessThanOrEqual(mailsInFlight * kills);
  const accepted = new Set(smtp.accepted).size;
  expect(smtp.accepted).toHaveLength(accepted);
  expect(accepted).toBeGreaterThanOrEqual(sent);
}

async function checkEvents(bus: BusSocket): Promise<void> {
  const rows = await data.database.query<{ id: number }>(sql`select id from core_partner where name like 'Event %'`);
  expect(rows.length).toBeGreaterThanOrEqual(eventCount);
  const missing = () => {
    const heard = new Set(bus.of('record.created').map((payload) => payload.id));
    return rows.filter((row) => !heard.has(row.id)).length;
  };
  await expect.poll(missing, { timeout: 120_000 }).toBe(0);
}
