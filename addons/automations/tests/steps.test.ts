import { sql } from '@kontor/database';
import { startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { momentAfter } from '../running/schedule.ts';
import { momentOf } from '../running/take-due.ts';
import { type AutomationWorld, automationWorld } from './automation-world.ts';

let server: TestMailServer;
let world: AutomationWorld;
beforeAll(async () => {
  server = await startMailServer();
  world = await automationWorld({
    ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: String(server.port), KONTOR_SMTP_TLS: 'none' },
    KONTOR_SMTP_FROM: 'Nordlicht <office@kontor.test>',
  });
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(() => world.removeRules());

const dayMs = 86_400_000;
const dayAt = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const since = (id: number, days: number) =>
  world.work(async (env) =>
    env
      .sudo()
      .model('automation.rule')
      .write([id], { since: new Date(Date.now() + days * dayMs).toISOString() }),
  );

describe('steps', () => {
  it('AUT-12 assigns people in turn, plans activities, posts notes and mails, with values of the record in the language of the reader', async () => {
    const [one, two, away] = await Promise.all(
      ['One', 'Two', 'Away'].map((name) => world.person(`${name} Seller`, ['crm.group_user'])),
    );
    await world.work((env) =>
      env
        .sudo()
        .model('core.user')
        .write([away?.uid as number], { active: false }),
    );
    const partner = await world.work((env) =>
      env.model('core.partner').create({ name: 'Bauhof', email: 'bauhof@example.com', lang: 'de_DE' }),
    );
    const type = await world.work((env) => env.ref('mail.type_call'));
    const id = await world.active({
      steps: [
        { do: 'assign', field: 'user_id', who: { turn: [one?.uid, two?.uid, away?.uid] } },
        { do: 'activity', type, summary: 'Call {partner_id}', days: 2, who: { path: 'user_id' } },
        { do: 'note', text: 'Worth {expected_revenue} <b>now</b>' },
        {
          do: 'mail',
          to: '{partner_id.email}',
          subject: 'About {name}\r\nBcc: x@example.com',
          body: 'Until {date_deadline}',
        },
      ],
    });
    const leads: number[] = [];
    for (const name of ['First', 'Second', 'Third'])
      leads.push(
        await world.lead({ name, partner_id: partner, expected_revenue: '1234.5', date_deadline: '2030-02-01' }),
      );
    await world.runAll();
    expect((await world.runs(id)).map(({ state, reason }) => [state, reason])).toEqual(Array(3).fill(['done', null]));
    const sellers = await Promise.all(leads.map(async (lead) => (await world.read(lead, ['user_id'])).user_id));
    expect(sellers.filter((id) => id === one?.uid)).toHaveLength(2);
    expect(sellers.filter((id) => id === two?.uid)).toHaveLength(1);
    const activities = await world.work((env) =>
      env
        .sudo()
        .model('mail.activity')
        .searchRead(
          [
            ['model', '=', 'crm.lead'],
            ['res_id', '=', leads[1] as number],
          ],
          ['name', 'user_id', 'due_date'],
        ),
    );
    expect(activities).toMatchObject([{ name: 'Call Bauhof', user_id: sellers[1] }]);
    const [note] = await world.work((env) =>
      env
        .sudo()
        .model('mail.message')
        .searchRead(
          [
            ['res_id', '=', leads[0] as number],
            ['kind', '=', 'comment'],
          ],
          ['body', 'author_id'],
        ),
    );
    expect(note).toMatchObject({ author_id: null, body: expect.stringContaining('&lt;b&gt;now&lt;/b&gt;') });
    expect(note?.body).toContain('1,234.50');
    const mails = await world.kernel.database.query<{ recipient: string; subject: string; body_text: string }>(
      sql`select recipient, subject, body_text from mail_queue where recipient = 'bauhof@example.com'`,
    );
    const first = { subject: 'About First Bcc: x@example.com', body_text: 'Until 01.02.2030\n' };
    expect(mails).toContainEqual(expect.objectContaining(first));
    expect(mails).toHaveLength(3);
  });

  it('AUT-12 creates records that refer to it, runs moves, and calls a webhook once for each record', async () => {
    const webhook = await world.act((env) =>
      env.model('webhook.subscription').create({
        ...{ name: 'Told', model: 'crm.lead', url: 'https://hooks.example.com/a?token=secret' },
        ...{ on_create: false, on_write: false, on_delete: false, on_call: true, payload: ['name'] },
      }),
    );
    const id = await world.active({
      domain: [['type', '=', 'opportunity']],
      steps: [
        {
          do: 'create',
          model: 'crm.lead',
          values: {
            name: { formula: "name + ' (follow-up)'" },
            partner_id: { from: 'partner_id' },
            type: { value: 'lead' },
          },
        },
        { do: 'webhook', webhook },
        { do: 'run', action: 'win' },
      ],
    });
    const lead = await world.lead({ name: 'Deal', type: 'opportunity' });
    await world.runAll();
    expect(await world.runs(id)).toMatchObject([
      { state: 'done', done: [{ do: 'create', model: 'crm.lead' }, { do: 'webhook' }, { do: 'run', action: 'win' }] },
    ]);
    expect(await world.read(lead, ['state'])).toMatchObject({ state: 'won' });
    expect(await world.work((env) => env.model('crm.lead').count([['name', '=', 'Deal (follow-up)']]))).toBe(1);
    const deliveries = await world.work((env) =>
      env.model('webhook.delivery').searchRead([['subscription_id', '=', webhook]], ['res_id', 'event', 'host']),
    );
    expect(deliveries).toMatchObject([{ res_id: lead, event: 'write', host: 'hooks.example.com' }]);
    expect(JSON.stringify(await world.runs(id))).not.toContain('token');
  });
});

describe('dates and schedules', () => {
  it('AUT-13 a date is reached once, also by records that were entered late, and not by those from before it was switched on', async () => {
    const id = await world.active({
      ...{ trigger: 'date', field: 'date_deadline', offset: 3, unit: 'days', side: 'before', at: '00:00' },
      steps: [{ do: 'set', values: { priority: { value: '3' } } }],
    });
    await since(id, -5);
    const [due, late, old, later] = [
      await world.lead({ date_deadline: dayAt(2) }),
      await world.lead({ date_deadline: dayAt(-1) }),
      await world.lead({ date_deadline: dayAt(-20) }),
      await world.lead({ date_deadline: dayAt(9) }),
    ];
    await world.job('take_due');
    await world.job('take_due');
    await world.runAll();
    expect((await world.runs(id)).map(({ res_id, state }) => [res_id, state])).toEqual([
      [due, 'done'],
      [late, 'done'],
    ]);
    await world.change(later, { date_deadline: dayAt(1) });
    await world.job('take_due');
    await world.change(due, { date_deadline: dayAt(0) });
    await world.job('take_due');
    await world.runAll();
    expect((await world.runs(id)).map(({ res_id }) => res_id)).toEqual([due, late, later, due]);
    expect(await world.read(old, ['priority'])).toMatchObject({ priority: '0' });
  });

  it('AUT-13 days are counted on the calendar of the company, hours on the clock', () => {
    const rule = { offset: 3, unit: 'days', side: 'before', at: '08:00' } as Parameters<typeof momentOf>[0];
    const at = (changes: object, value: string, tz: string, isDay = true) =>
      momentOf({ ...rule, ...changes }, value, tz, isDay).toISOString();
    expect(at({}, '2026-03-30', 'Europe/Berlin')).toBe('2026-03-27T07:00:00.000Z');
    expect(at({ offset: 0 }, '2026-03-30', 'Europe/Berlin')).toBe('2026-03-30T06:00:00.000Z');
    expect(at({}, '2026-03-30', 'America/New_York')).toBe('2026-03-27T12:00:00.000Z');
    expect(at({ side: 'after', unit: 'hours', offset: 5 }, '2026-03-30', 'UTC')).toBe('2026-03-30T13:00:00.000Z');
    expect(at({ unit: 'hours' }, '2026-03-30T10:00:00Z', 'UTC', false)).toBe('2026-03-30T07:00:00.000Z');
  });

  it('AUT-14 a schedule runs over the matching records when its time has come, and once for all times that were missed', async () => {
    const id = await world.active({
      ...{ trigger: 'schedule', every: 'hour', domain: [['name', '=', 'Scheduled']] },
      steps: [{ do: 'set', values: { sequence: { formula: 'sequence + 1' } } }],
    });
    const lead = await world.lead({ name: 'Scheduled', sequence: 1 });
    await world.job('take_due');
    await world.runAll();
    expect(await world.runs(id)).toEqual([]);
    await world.work((env) =>
      env
        .sudo()
        .model('automation.rule')
        .write([id], { next_at: new Date(Date.now() - 9 * dayMs).toISOString() }),
    );
    await world.job('take_due');
    await world.job('take_due');
    await world.runAll();
    expect(await world.runs(id)).toMatchObject([{ res_id: lead, state: 'done' }]);
    expect(await world.read(lead, ['sequence'])).toMatchObject({ sequence: 2 });
    expect(Date.parse(String((await world.state(id)).next_at))).toBeGreaterThan(Date.now());
  });

  it('AUT-14 the next time is on the clock of the company, on working days, Mondays and the first', () => {
    const after = (every: Parameters<typeof momentAfter>[1], now = '2026-03-27T12:00:00Z') =>
      momentAfter(new Date(now), every, '08:00', 'Europe/Berlin').toISOString();
    expect(after('hour')).toBe('2026-03-27T13:00:00.000Z');
    expect(after('day')).toBe('2026-03-28T07:00:00.000Z');
    expect(after('workday')).toBe('2026-03-30T06:00:00.000Z');
    expect(after('week')).toBe('2026-03-30T06:00:00.000Z');
    expect(after('month')).toBe('2026-04-01T06:00:00.000Z');
    expect(after('day', '2026-03-27T06:59:00Z')).toBe('2026-03-27T07:00:00.000Z');
  });

  it('AUT-16 old runs are deleted, and the log of one automation has an end', async () => {
    const id = await world.active({ steps: [{ do: 'set', values: { priority: { value: '1' } } }] });
    await world.lead();
    await world.runAll();
    await world.lead();
    await world.kernel.database.execute(
      sql`update automation_run set ended_at = now() - interval '31 days' where ended_at is not null`,
    );
    await world.job('clean_runs');
    expect(await world.runs(id)).toMatchObject([{ state: 'waiting' }]);
    await world.kernel.database.execute(sql`
      insert into automation_run (rule_id, model, res_id, count, state, attempts, next_try, ended_at, create_date, write_date)
      select ${id}, 'crm.lead', n, 1, 'done', 1, now(), now(), now(), now() from generate_series(1, 10005) n`);
    await world.job('clean_runs');
    const [{ count } = { count: 0 }] = await world.kernel.database.query<{ count: number }>(
      sql`select count(*)::int as count from automation_run where state = 'done'`,
    );
    expect(count).toBe(10_000);
  });
});
