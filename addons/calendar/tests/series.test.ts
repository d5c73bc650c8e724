import { describe, expect, it } from 'vitest';
import { daysOf, ruleOf } from '../series/rule.ts';
import { calendarWorld } from './calendar-world.ts';

const world = calendarWorld();
const times = { start: '2026-10-06T07:00:00.000Z', stop: '2026-10-06T08:00:00.000Z' };
const weekly = { frequency: 'weekly', weekdays: 'TU', ending: 'count', count: 5 };
const tenDays = { frequency: 'daily', ending: 'count', count: 10 };

async function starts(id: number): Promise<string[]> {
  return (await world().series(id)).map((event) => event.start.slice(0, 16));
}

async function nth(id: number, index: number): Promise<number> {
  return (await world().series(id))[index]?.id as number;
}

describe('a series of meetings', () => {
  it('MTG-1: keeps what a person says as an RRULE, and its days are those of the rule', async () => {
    const id = await world().meeting(times);
    await world().call(id, 'repeat', weekly);
    const [series] = await world().work((env) =>
      env.model('calendar.series').searchRead([['event_ids', '=', id]], ['rrule', 'tz', 'first_on']),
    );
    expect(series).toMatchObject({
      rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=5',
      tz: 'Europe/Berlin',
      first_on: '2026-10-06',
    });
    const rhythm = {
      interval: 1,
      weekdays: null,
      monthly_by: 'day',
      ending: 'never',
      until: null,
      count: null,
    } as const;
    const month = { ...rhythm, frequency: 'monthly', first_on: '2026-01-31' } as const;
    const days = (rule: string) => daysOf(rule, month.first_on, month.first_on, '2026-06-30');
    expect(days(ruleOf(month))).toEqual(['2026-01-31', '2026-03-31', '2026-05-31']);
    expect(ruleOf({ ...month, monthly_by: 'weekday' })).toBe('FREQ=MONTHLY;BYDAY=-1SA');
    expect(days(ruleOf({ ...month, monthly_by: 'weekday' })).slice(0, 2)).toEqual(['2026-01-31', '2026-02-28']);
    const until = { ...month, frequency: 'yearly', interval: 2, ending: 'until', until: '2030-12-31' } as const;
    expect(daysOf(ruleOf(until), until.first_on, until.first_on, '2040-01-01')).toEqual(
      ['2026', '2028', '2030'].map((year) => `${year}-01-31`),
    );
  });

  it('MTG-2: has its meetings at the same time of day before and after the clocks are set', async () => {
    const id = await world().meeting(times);
    await world().call(id, 'repeat', weekly);
    expect(await starts(id)).toEqual([
      '2026-10-06T07:00',
      '2026-10-13T07:00',
      '2026-10-20T07:00',
      '2026-10-27T08:00',
      '2026-11-03T08:00',
    ]);
    const whole = await world().meeting({
      ...{ start: '2026-10-23T22:00:00Z', stop: '2026-10-24T22:00:00Z', all_day: true },
    });
    await world().call(whole, 'repeat', { frequency: 'daily', ending: 'count', count: 3 });
    expect(await starts(whole)).toEqual(['2026-10-24T00:00', '2026-10-25T00:00', '2026-10-26T00:00']);
    const last = await world().read(await nth(whole, 1), ['stop']);
    expect(last.stop).toBe('2026-10-26T00:00:00.000Z');
  });

  it('MTG-3: is changed in one meeting, from one on, or as a whole', async () => {
    const id = await world().meeting({ ...times, name: 'Review' });
    await world().call(id, 'repeat', weekly);
    const [second, third] = [await nth(id, 1), await nth(id, 2)];
    await world().write(second, { start: '2026-10-14T12:00:00Z' });
    expect((await starts(id))[1]).toBe('2026-10-14T12:00');
    expect(await world().read(second, ['is_changed', 'stop', 'apply_to'])).toMatchObject({
      ...{ is_changed: true, stop: '2026-10-14T13:00:00.000Z', apply_to: 'this' },
    });
    await world().write(third, { start: '2026-10-21T09:00:00Z', name: 'Late review', apply_to: 'following' });
    expect(await starts(id)).toEqual(['2026-10-06T07:00', '2026-10-14T12:00']);
    expect(await starts(third)).toEqual(['2026-10-21T09:00', '2026-10-28T10:00', '2026-11-04T10:00']);
    expect((await world().series(third)).map((event) => event.name)).toEqual(Array(3).fill('Late review'));
    expect((await world().series(id)).map((event) => event.name)).toEqual(['Review', 'Review']);
    const all = await world().meeting({ ...times, name: 'Twice' });
    await world().call(all, 'repeat', { ...weekly, weekdays: 'TU,TH', count: 4 });
    const thursday = await nth(all, 1);
    await world().write(thursday, { start: '2026-10-09T07:30:00Z', stop: '2026-10-09T08:00:00Z', apply_to: 'all' });
    expect(await starts(all)).toEqual(['2026-10-06T07:30', '2026-10-09T07:30', '2026-10-13T07:30', '2026-10-16T07:30']);
    await world().write(thursday, { place: 'Harbour room', apply_to: 'all' });
    const places = await world().work((env) =>
      env
        .sudo()
        .model('calendar.event')
        .searchRead([['place', '=', 'Harbour room']], ['is_changed']),
    );
    expect(places).toHaveLength(4);
    expect(places.every((event) => event.is_changed === false)).toBe(true);
  });

  it('MTG-4: loses one meeting, those from one on, or all; a day that was deleted stays free', async () => {
    const id = await world().meeting(times);
    await world().call(id, 'repeat', tenDays);
    await world().call(await nth(id, 3), 'remove', { apply_to: 'this' });
    await world().call(await nth(id, 7), 'remove', { apply_to: 'following' });
    expect((await starts(id)).map((at) => at.slice(8, 10))).toEqual(['06', '07', '08', '10', '11', '12', '13']);
    await world().write(await nth(id, 0), { start: '2026-10-06T10:00:00Z', apply_to: 'all' });
    expect((await starts(id)).map((at) => at.slice(8, 13))).toEqual(
      ['06', '07', '08', '10', '11', '12', '13'].map((day) => `${day}T10`),
    );
    await world().call(await nth(id, 2), 'remove', { apply_to: 'all' });
    const left = await world().work((env) =>
      env
        .sudo()
        .model('calendar.event')
        .count([['id', '=', id]]),
    );
    expect(left).toBe(0);
    const empty = await world().work((env) =>
      env
        .sudo()
        .model('calendar.series')
        .count([['event_ids', '=', null]]),
    );
    expect(empty).toBe(0);
  });

  it('MTG-5: without an end is made a year ahead, and further day by day, like the last that nobody changed', async () => {
    const start = new Date(Date.now() + 86_400_000).toISOString();
    const id = await world().meeting({
      start,
      name: 'Stand-up',
      user_ids: [['set', [world().ada.uid, world().ben.uid]]],
    });
    await world().call(id, 'repeat', { frequency: 'weekly', weekdays: '', ending: 'never' });
    const made = await world().series(id);
    expect(made.length).toBeGreaterThanOrEqual(52);
    expect(made.length).toBeLessThanOrEqual(54);
    await world().call(id, 'accept', {}, world().ben);
    await world().work(async (env) => {
      const [event] = await env.sudo().model('calendar.event').read([id], ['series_id']);
      const last = made.slice(-10).map((one) => one.id);
      await env.sudo().model('calendar.event').unlink(last);
      await env
        .sudo()
        .model('calendar.series')
        .write([event?.series_id as number], { made_until: '2026-01-01', left_out: [] });
    });
    await world().runJob('extend_series');
    expect(await world().series(id)).toHaveLength(made.length);
    const answers = await world().work((env) =>
      env
        .sudo()
        .model('calendar.person')
        .searchRead(
          [
            ['user_id', '=', world().ben.uid],
            ['event_id.name', '=', 'Stand-up'],
          ],
          ['answer'],
        ),
    );
    expect(new Set(answers.map((line) => line.answer))).toEqual(new Set(['yes']));
  });

  it('MTG-6: gets another rhythm, and keeps the meetings of days that stay', async () => {
    const id = await world().meeting({ ...times, name: 'Rhythm' });
    await world().call(id, 'repeat', tenDays);
    const kept = await nth(id, 2);
    await world().write(kept, { place: 'Elsewhere' });
    await world().call(id, 'repeat', { frequency: 'daily', interval: 2, ending: 'count', count: 3, apply_to: 'all' });
    expect((await starts(id)).map((at) => at.slice(8, 10))).toEqual(['06', '08', '10']);
    expect(await nth(id, 1)).toBe(kept);
    await expect(world().call(id, 'repeat', { frequency: 'daily', ending: 'until', apply_to: 'all' })).rejects.toThrow(
      'Choose when the series ends.',
    );
  });
});
