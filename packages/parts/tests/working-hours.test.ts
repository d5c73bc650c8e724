import type { Env } from '@kontor/orm';
import { addDays, type WorkCalendar, workingTime } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
let company: number;
let other: number;
let ada: number;
let ben: number;
let cem: number;
beforeAll(async () => {
  world = await createTestKernel();
  await world.work(async (env) => {
    const [germany] = await env.model('core.country').search([['code', '=', 'DE']]);
    company = await env.model('core.company').create({ name: 'North', country_id: germany, tz: 'Europe/Berlin' });
    other = await env.model('core.company').create({ name: 'South', country_id: germany, tz: 'Europe/Berlin' });
    const [group] = await env.model('core.group').search([['key', '=', 'base.group_user']]);
    const person = (name: string, own: number) =>
      env.model('core.user').create({
        ...{ name, login: name, password: 'a long enough password', company_id: own, company_ids: [['set', [own]]] },
        ...{ tz: 'Europe/Berlin', group_ids: [['set', [group]]] },
      });
    ada = await person('Ada', company);
    ben = await person('Ben', other);
    cem = await person('Cem', company);
  });
});
afterAll(() => world.close());

/** As the server: administrators act in one company at a time. */
const server = <T>(work: (env: Env) => Promise<T>) => world.work((env) => work(env.sudo()));

async function as<T>(uid: number, work: (env: Env) => Promise<T>): Promise<T> {
  const actor = await world.kernel.actor(uid);
  if (!actor) throw new Error('This person is gone.');
  return world.work(work, actor);
}

const calendarOf = (uid: number) =>
  server(async (env) => {
    const [user] = await env.model('core.user').read([uid], ['work_calendar']);
    return user?.work_calendar as WorkCalendar;
  });
/** Working hours between two days of Berlin. */
const hours = async (uid: number, from: string, to: string) =>
  workingTime(await calendarOf(uid), Date.parse(`${from}T00:00+01:00`), Date.parse(`${to}T00:00+01:00`)) / 3_600_000;
const week = (uid: number) => hours(uid, '2026-11-16', '2026-11-23');

it('WRK-2 working hours are usual in the country, those of the company, or those of the person', async () => {
  const write = (model: string, id: number, values: Record<string, unknown>) =>
    server((env) => env.model(model as 'core.user').write([id], values));
  expect(await week(ada)).toBe(40);
  const egypt = await server(async (env) => (await env.model('core.country').search([['code', '=', 'EG']]))[0]);
  await write('core.company', company, { country_id: egypt });
  expect(await hours(ada, '2026-11-20', '2026-11-22')).toBe(0);
  expect(await hours(ada, '2026-11-22', '2026-11-23')).toBe(8);
  const schedule = await server((env) =>
    env.model('core.schedule').create({ name: 'Short Sunday', company_id: company, sunday: '9-12' }),
  );
  const [shown] = await server((env) => env.model('core.schedule').read([schedule], ['thursday', 'friday', 'sunday']));
  expect(shown).toMatchObject({ thursday: '08:00-12:00, 13:00-17:00', friday: null, sunday: '09:00-12:00' });
  await write('core.company', company, { schedule_id: schedule });
  expect([await week(ada), await week(ben)]).toEqual([35, 40]);
  const half = await server((env) =>
    env.model('core.schedule').create({
      ...{ name: 'Half', company_id: company, monday: '13.00–17.30, 8-9', tuesday: null, wednesday: '' },
      ...{ thursday: null, saturday: null, sunday: '22:00-24:00' },
    }),
  );
  await write('core.user', ada, { schedule_id: half });
  expect(await week(ada)).toBe(7.5);
  for (const wrong of ['8', '12-8', '8-12, 11-13', '8-25', '8:70-9', 'morning']) {
    await expect(write('core.schedule', half, { monday: wrong }), wrong).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  }
  await write('core.user', ada, { schedule_id: null });
  await write('core.company', company, { schedule_id: null, country_id: null, lang: 'en_US' });
  expect(await week(ada)).toBe(40);
});

it('WRK-3 holidays are of a company and leave of a person; both end the working time of their days', async () => {
  const holiday = await server((env) =>
    env.model('core.holiday').create({ name: 'Repentance day', company_id: company, date_from: '2026-11-18' }),
  );
  expect([await week(ada), await week(ben)]).toEqual([32, 40]);
  const leave = await as(ada, (env) =>
    env.model('core.leave').create({ date_from: '2026-11-18', date_to: '2026-11-20' }),
  );
  expect([await week(ada), await week(ben)]).toEqual([16, 40]);
  expect((await calendarOf(ada)).off).toEqual([['2026-11-18', '2026-11-20']]);
  const many = Array.from({ length: 1_100 }, (_, n) => ({ date_from: addDays('2010-01-01', 2 * n) }));
  const odd = await as(ada, (env) => env.model('core.leave').createMany(many));
  expect((await calendarOf(ada)).off).toHaveLength(1_000);
  expect(await week(ada)).toBe(16);
  await as(ada, (env) => env.model('core.leave').unlink(odd));
  for (const wrong of [{ date_to: '2026-11-01' }, { date_to: '2029-01-01' }]) {
    const write = server((env) => env.model('core.holiday').write([holiday], wrong));
    await expect(write).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  }
  await as(ada, (env) => env.model('core.leave').unlink([leave]));
  await server((env) => env.model('core.holiday').unlink([holiday]));
  expect(await week(ada)).toBe(40);
});

it('WRK-4 people enter their own leave where their company allows it, and see that of nobody else', async () => {
  const days = { date_from: '2026-12-01', date_to: '2026-12-04' };
  const own = await as(ada, (env) => env.model('core.leave').create({ ...days, name: 'Knee' }));
  const denied = { code: 'ACCESS_DENIED' };
  await expect(as(ada, (env) => env.model('core.leave').create({ ...days, user_id: cem }))).rejects.toMatchObject(
    denied,
  );
  expect(await as(cem, (env) => env.model('core.leave').search([]))).toEqual([]);
  await expect(as(cem, (env) => env.model('core.leave').write([own], { name: 'Mine' }))).rejects.toMatchObject({
    code: expect.stringMatching(/ACCESS_DENIED|NOT_FOUND/),
  });
  const told = await as(cem, (env) => env.model('core.user').searchRead([], ['work_calendar']));
  expect(JSON.stringify(told)).not.toContain('Knee');
  await server((env) => env.model('core.company').write([company], { own_leave: false }));
  await expect(as(ada, (env) => env.model('core.leave').unlink([own]))).rejects.toMatchObject(denied);
  expect(await as(ada, (env) => env.model('core.leave').search([]))).toEqual([own]);
  for (const model of ['core.holiday', 'core.schedule'] as const) {
    const made = as(ada, (env) => env.model(model).create({ name: 'Mine', date_from: '2026-12-01' } as never));
    await expect(made).rejects.toMatchObject(denied);
  }
  const foreign = await server((env) =>
    env.model('core.holiday').create({ name: 'South only', company_id: other, date_from: '2026-12-08' }),
  );
  expect(await as(ada, (env) => env.model('core.holiday').search([['id', '=', foreign]]))).toEqual([]);
  await expect(
    as(ada, (env) => env.model('core.user').write([ada], { work_calendar: {} } as never)),
  ).rejects.toMatchObject({ code: expect.any(String) });
});
