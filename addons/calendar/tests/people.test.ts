import { addDays, dateIn } from '@kontor/protocol';
import { long } from '@kontor/testing/long';
import { homeScreen } from '@kontor/workspace';
import { describe, expect, it } from 'vitest';
import { calendarWorld } from './calendar-world.ts';

const world = calendarWorld(['calendar'], {
  KONTOR_SMTP_HOST: '127.0.0.1',
  KONTOR_SMTP_FROM: 'Desk <desk@kontor.example>',
});
const times = { start: '2027-03-02T09:00:00.000Z', stop: '2027-03-02T10:00:00.000Z' };

async function answersOf(id: number): Promise<Record<string, unknown>> {
  const lines = await world().work((env) =>
    env
      .sudo()
      .model('calendar.person')
      .searchRead([['event_id', '=', id]], ['name', 'answer']),
  );
  return Object.fromEntries(lines.map((line) => [String(line.name), line.answer]));
}

async function noticesFor(uid: number): Promise<readonly string[]> {
  const rows = await world().work((env) =>
    env
      .sudo()
      .model('sys.notification')
      .searchRead([['user_id', '=', uid]], ['title', 'body'], { order: 'id' }),
  );
  return rows.map((row) => `${row.title}: ${row.body}`);
}

type Person = ReturnType<typeof world>['ada'];

/** Of the day on the home of a person: when, and what. */
async function dayOf(actor: Person): Promise<readonly string[]> {
  const { day } = await homeScreen(world().kernel, { actor, csrf: '', lastWrite: null });
  return day.items.map(({ date, at, title, about }) => [at ?? date, title, ...about].join(' '));
}

describe('the people of a meeting', () => {
  long(
    'DAY-14 have it in their day by itself, once: not what they declined, nor beside an activity that stands for it',
    async () => {
      const { ada, ben, cyn } = world();
      const today = dateIn('Europe/Berlin', new Date());
      const at = (day: string, hour: string) => ({
        start: `${day}T${hour}:00:00.000Z`,
        stop: `${day}T${hour}:45:00.000Z`,
      });
      const both = { user_ids: [['set', [ada.uid, ben.uid]]] };
      const shown = `${today}T10:00:00.000Z Plan the fair Room 2`;
      const id = await world().meeting({ ...at(today, '10'), name: 'Plan the fair', place: 'Room 2', ...both });
      await world().meeting({ ...at(addDays(today, -1), '10'), name: 'Yesterday', ...both });
      await world().meeting({ ...at(addDays(today, 1), '11'), name: 'Trade fair', all_day: true, privacy: 'people' });
      expect(await dayOf(ada)).toEqual([shown, `${addDays(today, 1)} Trade fair`]);
      expect(await dayOf(ben)).toEqual([shown]);
      expect(await dayOf(cyn)).toEqual([]);
      for (const tz of ['Pacific/Honolulu', 'Pacific/Auckland']) {
        const far = await world().person(`Kai of ${tz}`, ['base.group_user'], { tz });
        const here = dateIn(tz, new Date());
        const times = { start: `${here}T00:00:00Z`, stop: `${addDays(here, 1)}T00:00:00Z`, all_day: true };
        await world().meeting({ ...times, name: 'Holiday', user_ids: [['set', [far.uid]]] });
        expect(await dayOf(far)).toEqual([`${here} Holiday`]);
      }
      await world().call(id, 'decline', {}, ben);
      expect(await dayOf(ben)).toEqual([]);
      const partner = await world().work((env) => env.model('core.partner').create({ name: 'Brightwater' }));
      const type_id = await world().work((env) => env.ref('mail.type_meeting'));
      const about = { model: 'core.partner', res_id: partner, due_date: today, type_id };
      await world().work((env) => env.model('mail.activity').create({ ...about, name: 'Meet them', user_id: ben.uid }));
      expect(
        await world().work((env) =>
          env
            .sudo()
            .model('calendar.event')
            .count([['name', '=', 'Meet them']]),
        ),
      ).toBe(1);
      expect(await dayOf(ben)).toEqual([`${today} Meet them Brightwater`]);
    },
  );

  it('DAY-14 have a meeting of several days in their day on each of them, and not after its last', async () => {
    const kai = await world().person('Kai of several days', ['base.group_user'], { tz: 'Europe/Berlin' });
    const today = dateIn('Europe/Berlin', new Date());
    const own = { user_ids: [['set', [kai.uid]]] };
    const days = (from: number, to: number) => ({
      start: `${addDays(today, from)}T00:00:00Z`,
      stop: `${addDays(today, to)}T00:00:00Z`,
      all_day: true,
    });
    const hours = (from: number, to: number) => ({
      start: `${addDays(today, from)}T09:00:00Z`,
      stop: `${addDays(today, to)}T15:00:00Z`,
    });
    await world().meeting({ ...days(-2, 1), name: 'Fair, last day', ...own });
    await world().meeting({ ...days(-2, 0), name: 'Fair that ended', ...own });
    await world().meeting({ ...hours(-1, 1), name: 'Workshop', ...own });
    await world().meeting({ ...hours(-2, -1), name: 'Workshop that ended', ...own });
    expect((await dayOf(kai)).toSorted()).toEqual([`${today} Fair, last day`, `${today} Workshop`]);
  });

  it('MTG-7: are its colleagues and guests, each with an answer that is theirs', async () => {
    const { ada, ben, cyn } = world();
    const guest = await world().work((env) => env.model('core.partner').create({ name: 'Gus Guest' }));
    const id = await world().meeting({
      ...times,
      user_ids: [['set', [ada.uid, ben.uid]]],
      partner_ids: [['set', [guest]]],
    });
    expect(await answersOf(id)).toEqual({ 'Ada Vogel': 'yes', 'Ben Holt': 'asked', 'Gus Guest': 'asked' });
    await world().call(id, 'maybe', {}, ben);
    await expect(world().call(id, 'accept', {}, cyn)).rejects.toThrow('You are not an attendee of this meeting.');
    await world().write(id, { user_ids: [['link', cyn.uid]], partner_ids: [['clear']] });
    expect(await answersOf(id)).toEqual({ 'Ada Vogel': 'yes', 'Ben Holt': 'maybe', 'Cyn Roy': 'asked' });
    const [line] = await world().work((env) =>
      env
        .sudo()
        .model('calendar.person')
        .search([
          ['event_id', '=', id],
          ['user_id', '=', ben.uid],
        ]),
    );
    await expect(
      world().work((env) => env.model('calendar.person').write([line as number], { answer: 'yes' }), ada),
    ).rejects.toThrow('Colleagues answer for themselves.');
  });

  it('MTG-8: hear that they are asked and that a meeting was moved, once and on their own clocks', async () => {
    const { ada, ben } = world();
    const before = (await noticesFor(ben.uid)).length;
    const id = await world().meeting({ ...times, name: 'Budget', user_ids: [['set', [ada.uid, ben.uid]]] });
    await world().call(id, 'repeat', { frequency: 'weekly', ending: 'count', count: 4 });
    await world().write(id, { start: '2027-03-02T13:00:00Z', apply_to: 'all' });
    const told = (await noticesFor(ben.uid)).slice(before);
    expect(told.map((line) => line.split(':')[0])).toEqual([
      'Ada Vogel invited you to a meeting',
      'Ada Vogel moved a meeting',
    ]);
    expect(told[1]).toMatch(/Budget, .*2027, 2:00/);
  });

  it('MTG-9: alone read a private meeting; others see that they are busy, and change nothing', async () => {
    const { ada, ben, cyn } = world();
    const users = [['set', [ada.uid, ben.uid]]];
    const id = await world().meeting({ ...times, name: 'Salary', place: 'Room 1', privacy: 'people', user_ids: users });
    const seenBy = (actor: typeof ada) =>
      world().work(
        (env) =>
          env
            .model('calendar.event')
            .searchRead(
              [['start', '=', times.start], '|', ['name', '=', 'Salary'], ['name', '=', 'Busy']],
              ['name', 'place'],
            ),
        actor,
      );
    expect(await seenBy(ben)).toMatchObject([{ id, name: 'Salary', place: 'Room 1' }]);
    const [busy, ...more] = await seenBy(cyn);
    expect(more).toEqual([]);
    expect(busy).toMatchObject({ name: 'Busy', place: null });
    expect(await seenBy(world().admin)).toMatchObject([{ name: 'Busy' }]);
    await expect(world().read(id, ['name'], cyn)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(world().write(busy?.id as number, { name: 'Mine' }, cyn)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await world().write(id, { start: '2027-03-05T09:00:00Z' });
    expect((await world().read(busy?.id as number, ['start'], cyn)).start).toBe('2027-03-05T09:00:00.000Z');
    await world().write(id, { privacy: 'everyone' });
    expect(await world().read(id, ['name'], cyn)).toMatchObject({ name: 'Salary' });
    await expect(world().read(busy?.id as number, ['name'], cyn)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(world().write(id, { name: 'Mine' }, cyn)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await world().write(id, { name: 'Ours' }, ben);
  });

  it('MTG-10: who have no account are asked by e-mail, once, with a file for their calendar', async () => {
    const guest = await world().work((env) =>
      env.model('core.partner').create({ name: 'Gil', email: 'gil@guests.example', lang: 'de_DE' }),
    );
    const id = await world().meeting({ ...times, name: 'Tasting; red, white', partner_ids: [['set', [guest]]] });
    await world().call(id, 'repeat', { frequency: 'weekly', ending: 'count', count: 3 });
    await world().call(id, 'invite_guests');
    const [mail, ...more] = await world().work((env) =>
      env
        .sudo()
        .model('mail.queue')
        .searchRead([['recipient', '=', 'gil@guests.example']], ['subject', 'attachments']),
    );
    expect(more).toEqual([]);
    const [file] = (mail?.attachments ?? []) as { filename: string; content: string }[];
    const text = Buffer.from(file?.content ?? '', 'base64').toString();
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(3);
    expect(text).toContain('SUMMARY:Tasting\\; red\\, white\r\n');
    await expect(world().call(id, 'invite_guests')).rejects.toThrow(
      'Every guest with an e-mail address has already been invited.',
    );
  });

  it('MTG-22: the dialog names who is mailed and who is not, and the organiser is told that it was done', async () => {
    const [gil, hal] = await world().work(async (env) => [
      await env.model('core.partner').create({ name: 'Gil Two', email: 'gil2@guests.example' }),
      await env.model('core.partner').create({ name: 'Hal' }),
    ]);
    const id = await world().meeting({ ...times, name: 'Cupping', partner_ids: [['set', [gil, hal]]] });
    const propose = () =>
      world().work((env) => env.model('calendar.event').proposeAnswers([id], 'invite_guests'), world().ada);
    expect((await propose()).value).toMatchObject({
      mailed: 'Gil Two <gil2@guests.example>',
      not_mailed: 'Hal: no e-mail address',
    });
    await world().call(id, 'invite_guests');
    expect(await noticesFor(world().ada.uid)).toContain('Invitations sent: Cupping: gil2@guests.example');
    expect((await propose()).value).toMatchObject({
      mailed: 'Nobody',
      not_mailed: 'Gil Two: invited already\nHal: no e-mail address',
    });
  });

  it('MTG-23: moves to the next working hours at which all colleagues are free', async () => {
    const { ada, ben, cyn } = world();
    const people = { user_ids: [['set', [ada.uid, ben.uid]]] };
    const at = (start: string, stop: string) => ({ start: `${start}:00.000Z`, stop: `${stop}:00.000Z` });
    // Friday in Berlin, an hour ahead of UTC.
    const id = await world().meeting({ ...at('2027-01-15T13:00', '2027-01-15T14:00'), ...people, name: 'Wanted' });
    const ofBen = { user_ids: [['set', [ben.uid]]] };
    await world().meeting({ ...at('2027-01-15T12:30', '2027-01-15T15:45'), ...ofBen, privacy: 'people' }, ben);
    await world().meeting({ ...at('2027-01-15T16:00', '2027-01-15T17:00'), ...ofBen }, ben);
    // Work begins at eight in Berlin.
    await world().meeting({ ...at('2027-01-18T07:00', '2027-01-18T08:30'), user_ids: [['set', [ada.uid]]] });
    await world().meeting({ ...at('2027-01-18T08:30', '2027-01-18T12:00'), user_ids: [['set', [cyn.uid]]] }, cyn);
    const declined = await world().meeting({ ...at('2027-01-18T08:30', '2027-01-18T12:00'), ...ofBen }, ben);
    await world().call(declined, 'decline', {}, ben);
    await world().call(id, 'find_time');
    expect(await world().read(id, ['start', 'stop'])).toMatchObject(at('2027-01-18T08:30', '2027-01-18T09:30'));
    // Ben is away until Wednesday.
    const leave = { user_id: ben.uid, date_from: '2027-01-18', date_to: '2027-01-19' };
    await world().work((on) => on.sudo().model('core.leave').create(leave));
    await world().call(id, 'find_time');
    expect(await world().read(id, ['start', 'stop'])).toMatchObject(at('2027-01-20T07:00', '2027-01-20T08:00'));
    const whole = await world().meeting({
      ...{ start: '2027-01-15T00:00:00Z', stop: '2027-01-16T00:00:00Z', all_day: true },
    });
    await expect(world().call(whole, 'find_time')).rejects.toThrow('An all-day meeting has no time to look for.');
  });
});
