import { readFile } from 'node:fs/promises';
import { whenText } from '@addons/mail';
import type { Env } from '@kontor/addon';
import { sql, trustedSql } from '@kontor/database';
import { describe, expect, it } from 'vitest';
import { toDays, toHours } from '../series/times.ts';
import { calendarWorld } from './calendar-world.ts';

const world = calendarWorld();
const day = (name: string) => `${name}T00:00:00.000Z`;

describe('a meeting of whole days', () => {
  it('MTG-19: is a date: local midnights of any zone become its days, also where clocks are set', () => {
    const nights = [
      ['Pacific/Auckland', '2026-09-26T12:00:00Z', '2026-09-27T11:00:00Z', '2026-09-27', '2026-09-28'],
      ['Pacific/Auckland', '2026-04-04T11:00:00Z', '2026-04-05T12:00:00Z', '2026-04-05', '2026-04-06'],
      ['Pacific/Honolulu', '2026-11-18T10:00:00Z', '2026-11-20T10:00:00Z', '2026-11-18', '2026-11-20'],
      ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '2026-03-29', '2026-03-30'],
      ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', '2026-10-25', '2026-10-26'],
    ] as const;
    for (const [tz, start, stop, first, after] of nights) {
      expect(toDays({ start, stop }, tz), tz).toEqual({ start: day(first), stop: day(after) });
      const whole = { start: day(first), stop: day(after) };
      expect(toDays(whole, tz), tz).toEqual(whole);
    }
    expect(toDays({ start: '2026-11-18T09:00:00Z', stop: '2026-11-18T10:00:00Z' }, 'Pacific/Auckland')).toEqual({
      start: day('2026-11-18'),
      stop: day('2026-11-19'),
    });
    const hours = toHours({ start: day('2026-10-25'), stop: day('2026-10-26') }, 'Europe/Berlin');
    expect(hours).toEqual({ start: '2026-10-25T08:00:00.000Z', stop: '2026-10-25T09:00:00.000Z' });
  });

  it('MTG-19: stays on its day when it is made, moved, marked and unmarked, and readers in every zone are told that day', async () => {
    const id = await world().meeting({ start: '2026-10-24T22:00:00Z', stop: '2026-10-25T23:00:00Z', all_day: true });
    const times = () => world().read(id, ['start', 'stop', 'all_day', 'hours']);
    expect(await times()).toMatchObject({ start: day('2026-10-25'), stop: day('2026-10-26'), hours: 0 });
    const event = { start: day('2026-10-25'), stop: day('2026-10-26'), all_day: true };
    for (const tz of ['Pacific/Auckland', 'Pacific/Honolulu', 'Europe/Berlin']) {
      expect(whenText(event, 'en_US', tz)).toBe('Sunday, October 25, 2026');
    }
    // Somebody else becomes its organiser, in a zone where it is another day.
    const far = await world().person('Kai Loa', ['base.group_user'], { tz: 'Pacific/Honolulu' });
    await world().write(id, { organiser_id: far.uid });
    expect(await times()).toMatchObject({ start: day('2026-10-25'), stop: day('2026-10-26') });
    await world().write(id, { tz: 'Europe/Berlin', start: day('2026-03-29') });
    expect(await times()).toMatchObject({ start: day('2026-03-29'), stop: day('2026-03-30') });
    await world().write(id, { all_day: false });
    expect(await times()).toMatchObject({
      start: '2026-03-29T07:00:00.000Z',
      stop: '2026-03-29T08:00:00.000Z',
      hours: 1,
    });
    await world().write(id, { all_day: true });
    expect(await times()).toMatchObject({ start: day('2026-03-29'), stop: day('2026-03-30'), hours: 0 });
  });

  it('MTG-20: takes the working hours of its days, and so does what was there before', async () => {
    const lengths = [
      ['2026-11-18', '2026-11-19', 8],
      ['2026-11-21', '2026-11-23', 0],
      ['2026-11-20', '2026-11-24', 16],
      ['2026-11-16', '2026-12-08', 128],
    ] as const;
    const ids: number[] = [];
    for (const [from, to, hours] of lengths) {
      const id = await world().meeting({ start: day(from), stop: day(to), all_day: true });
      ids.push(id);
      expect((await world().read(id, ['hours'])).hours).toBe(hours);
    }
    const file = new URL('../migrations/0002-hours-of-whole-days.sql', import.meta.url);
    const { database } = world().kernel;
    await database.execute(sql`update calendar_event set hours = 0`);
    await database.execute(trustedSql(await readFile(file, 'utf8')));
    const rows = await database.query<{ hours: number }>(
      sql`select hours from calendar_event where id = any(${ids}::int4[]) order by id`,
    );
    expect(rows.map(({ hours }) => hours)).toEqual(lengths.map(([, , hours]) => hours));
  });

  it('MTG-20: counts no holiday of the company and no leave of the organiser, also those that come later', async () => {
    const { ada } = world();
    const id = await world().meeting({ start: day('2026-11-16'), stop: day('2026-11-23'), all_day: true });
    const other = await world().meeting({ start: day('2026-12-14'), stop: day('2026-12-15'), all_day: true });
    const hours = async () => [(await world().read(id, ['hours'])).hours, (await world().read(other, ['hours'])).hours];
    expect(await hours()).toEqual([40, 8]);
    const server = <T>(work: (on: Env) => Promise<T>) => world().work((on) => work(on.sudo() as Env));
    const company_id = ada.companyId ?? 0;
    const holiday = await server((on) =>
      on.model('core.holiday').create({ name: 'Repentance day', company_id, date_from: '2026-11-18' }),
    );
    expect(await hours()).toEqual([32, 8]);
    const leave = { user_id: ada.uid, date_from: '2026-11-18', date_to: '2026-11-19' };
    const absent = await server((on) => on.model('core.leave').create(leave));
    expect(await hours()).toEqual([24, 8]);
    const schedule = await server((on) =>
      on.model('core.schedule').create({ name: 'Short', company_id, monday: '8-12', friday: null }),
    );
    await server((on) => on.model('core.user').write([ada.uid], { schedule_id: schedule }));
    expect(await hours()).toEqual([12, 4]);
    await server((on) => on.model('core.user').write([ada.uid], { schedule_id: null }));
    await server((on) => on.model('core.leave').unlink([absent]));
    await server((on) => on.model('core.holiday').unlink([holiday]));
    expect(await hours()).toEqual([40, 8]);
  });

  it('MTG-19: several at once keep their own days, and a reminder comes before the midnight of their zone', async () => {
    const reminder = await world().work((on) =>
      on
        .sudo()
        .model('calendar.reminder')
        .search([['minutes', '=', 60]], { limit: 1 }),
    );
    const ids = [
      await world().meeting({ start: '2026-11-18T09:00:00Z', stop: '2026-11-18T10:00:00Z' }),
      await world().meeting({ start: '2026-11-19T23:30:00Z', stop: '2026-11-20T01:00:00Z' }),
    ];
    const values = { all_day: true, reminder_ids: [['set', reminder] as const] };
    await world().work((on) => on.model('calendar.event').write(ids, values), world().ada);
    const read = (id: number) => world().read(id, ['start', 'stop', 'remind_at']);
    expect(await read(ids[0] as number)).toMatchObject({
      ...{ start: day('2026-11-18'), stop: day('2026-11-19'), remind_at: '2026-11-17T22:00:00.000Z' },
    });
    expect(await read(ids[1] as number)).toMatchObject({ start: day('2026-11-20'), stop: day('2026-11-21') });
  });

  it('MTG-19: kept by an earlier version, moves to the days that its people meant', async () => {
    const id = await world().meeting({ start: day('2026-11-18'), stop: day('2026-11-19'), all_day: true });
    const { database } = world().kernel;
    const path = new URL('../migrations/0001-whole-days.sql', import.meta.url);
    const migration = trustedSql(await readFile(path, 'utf8'));
    await database.execute(sql`update calendar_event set start = '2026-03-28T23:00Z', stop = '2026-03-29T22:00Z'
      where id = ${id}`);
    for (let times = 0; times < 2; times++) {
      await database.execute(migration);
      const days = { start: day('2026-03-29'), stop: day('2026-03-30') };
      expect(await world().read(id, ['start', 'stop'])).toMatchObject(days);
    }
  });
});
