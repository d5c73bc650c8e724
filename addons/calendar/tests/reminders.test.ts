import { describe, expect, it } from 'vitest';
import { calendarWorld } from './calendar-world.ts';

const world = calendarWorld(['calendar'], {
  KONTOR_SMTP_HOST: '127.0.0.1',
  KONTOR_SMTP_FROM: 'Desk <desk@kontor.example>',
});

async function sentTo(uid: number, email: string, name: string): Promise<readonly [number, number]> {
  return world().work(async (env) => [
    await env
      .sudo()
      .model('sys.notification')
      .count([
        ['user_id', '=', uid],
        ['title', '=', 'A meeting begins soon'],
        ['body', 'like', name],
      ]),
    await env
      .sudo()
      .model('mail.queue')
      .count([
        ['recipient', '=', email],
        ['subject', '=', `Reminder: ${name}`],
      ]),
  ]);
}

describe('reminders of meetings', () => {
  it('MTG-11: are sent once for each meeting of a series, again when it is moved, and not to who declined', async () => {
    const { ada, ben, cyn } = world();
    const [short, mail] = await world().work(async (env) => [
      await env.ref('calendar.reminder_15'),
      await env.ref('calendar.reminder_60_mail'),
    ]);
    const id = await world().meeting({
      ...{ name: 'Tide', start: '2031-05-06T08:00:00Z' },
      user_ids: [['set', [ada.uid, ben.uid, cyn.uid]]],
      reminder_ids: [['set', [short, mail]]],
    });
    await world().call(id, 'repeat', { frequency: 'weekly', ending: 'count', count: 2 });
    await world().call(id, 'decline', {}, cyn);
    const ofBen = () => sentTo(ben.uid, 'ben@desk.example', 'Tide');
    await world().runJob('send_reminders', '2031-05-06T06:59:00Z');
    expect(await ofBen()).toEqual([0, 0]);
    await world().runJob('send_reminders', '2031-05-06T07:01:00Z');
    await world().runJob('send_reminders', '2031-05-06T07:02:00Z');
    expect(await ofBen()).toEqual([0, 1]);
    await world().runJob('send_reminders', '2031-05-06T07:45:00Z');
    await world().runJob('send_reminders', '2031-05-06T07:46:00Z');
    expect(await ofBen()).toEqual([1, 1]);
    expect(await sentTo(cyn.uid, 'cyn@desk.example', 'Tide')).toEqual([0, 0]);
    await world().write(id, { start: '2031-05-06T12:00:00Z' });
    await world().runJob('send_reminders', '2031-05-06T11:50:00Z');
    expect(await ofBen()).toEqual([2, 2]);
    await world().runJob('send_reminders', '2031-05-13T07:50:00Z');
    expect(await ofBen()).toEqual([3, 3]);
    await world().runJob('send_reminders', '2031-05-13T09:50:00Z');
    expect(await ofBen()).toEqual([3, 3]);
  });

  it('MTG-12: that come too late are not sent any more', async () => {
    const { ada } = world();
    const day = await world().work((env) => env.ref('calendar.reminder_day'));
    await world().meeting({ name: 'Over', start: '2031-06-01T08:00:00Z', reminder_ids: [['set', [day]]] });
    await world().runJob('send_reminders', '2031-06-01T08:30:00Z');
    expect(await sentTo(ada.uid, 'ada@desk.example', 'Over')).toEqual([0, 0]);
    const left = await world().work((env) =>
      env
        .sudo()
        .model('calendar.event')
        .count([
          ['name', '=', 'Over'],
          ['remind_at', '!=', null],
        ]),
    );
    expect(left).toBe(0);
  });
});

describe('an activity that is a meeting', () => {
  it('MTG-13: makes one about its record, and the two have one day', async () => {
    const { ada, ben } = world();
    const partner = await world().work((env) => env.model('core.partner').create({ name: 'Havn AS' }));
    const type_id = await world().work((env) => env.ref('mail.type_meeting'));
    const activity = await world().work(
      (env) =>
        env.model('mail.activity').create({
          ...{
            type_id,
            model: 'core.partner',
            res_id: partner,
            due_date: '2031-02-03',
            user_id: ben.uid,
            name: 'Talk',
          },
        }),
      world().admin,
    );
    const rows = () =>
      world().work((env) =>
        env.sudo().model('mail.activity').read([activity], ['due_date', 'event_id', 'event_id.start', 'event_id.name']),
      );
    const [made] = await rows();
    expect(made).toMatchObject({ 'event_id.start': '2031-02-03T08:00:00.000Z', 'event_id.name': 'Talk' });
    const id = made?.event_id as number;
    expect(await world().read(id, ['organiser_id', 'partner_ids'])).toMatchObject({
      organiser_id: ben.uid,
      partner_ids: [partner],
    });
    await world().write(id, { start: '2031-02-10T10:00:00Z' }, ben);
    expect((await rows())[0]?.due_date).toBe('2031-02-10');
    await world().work((env) => env.model('mail.activity').write([activity], { due_date: '2031-02-12' }), ben);
    expect((await rows())[0]?.['event_id.start']).toBe('2031-02-12T10:00:00.000Z');
    const [counted] = await world().work((env) => env.model('core.partner').read([partner], ['event_count']), ada);
    expect(counted?.event_count).toBe(1);
    await world().work((env) => env.model('mail.activity').call([activity], 'done', {}), ben);
    await world().write(id, { start: '2031-02-20T10:00:00Z' }, ben);
    expect((await rows())[0]?.due_date).toBe('2031-02-12');
  });
});
