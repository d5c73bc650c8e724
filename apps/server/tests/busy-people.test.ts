import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let anna: TestUser;
let ben: TestUser;
let guest: number;

const tz = 'Europe/Berlin';
/** A Friday and a Monday in winter, when Berlin is an hour ahead of UTC. */
const [friday, monday] = ['2027-01-15', '2027-01-18'];
const at = (day: string, time: string) => `${day}T${time}:00.000Z`;
const make = (model: string, values: object) => world.work((env) => env.model(model).create({ ...values }));
const meeting = (name: string, start: string, stop: string, values: object = {}) =>
  make('calendar.event', { name, start, stop, tz, user_ids: [['set', [ben.id]]], organiser_id: ben.id, ...values });

interface Busy {
  readonly people: readonly { key: string; name: string; isBusy: boolean; busy: { start: string; stop: string }[] }[];
  readonly next: { readonly start: string; readonly stop: string } | null;
}
async function ask(query: object, who = anna): Promise<Response> {
  return who.browser.get(`/web/calendar/busy?${new URLSearchParams({ tz, ...query } as Record<string, string>)}`);
}
const busy = async (query: object, who = anna) => (await (await ask(query, who)).json()) as Busy;

beforeAll(async () => {
  world = await startTestServer({ modules: ['calendar'] });
  anna = await world.user('Anna', ['base.group_user'], { tz });
  ben = await world.user('Ben', ['base.group_user'], { tz });
  guest = await make('core.partner', { name: 'Astrid' });
});
afterAll(() => world.close());

describe('the people of a meeting', () => {
  it('MTG-24 are busy or free on its day, and all are free at the next time', async () => {
    await meeting('Payroll of Ben', at(friday, '12:30'), at(friday, '15:45'), { privacy: 'people' });
    const declined = await meeting('Declined', at(friday, '08:00'), at(friday, '09:00'));
    await world.work((env) =>
      env
        .sudo()
        .model('calendar.event')
        .write([declined], { declined_ids: [['set', [ben.id]]] }),
    );
    await meeting('With the guest', at(monday, '08:00'), at(monday, '08:30'), {
      ...{ user_ids: [['set', [anna.id]]], organiser_id: anna.id, partner_ids: [['set', [guest]]] },
    });
    const times = { start: at(friday, '13:00'), stop: at(friday, '15:00') };
    const found = await busy({ users: `${anna.id},${ben.id}`, guests: String(guest), ...times });
    expect(found.people).toEqual([
      { key: `users ${anna.id}`, name: 'Anna', isBusy: false, busy: [] },
      {
        ...{ key: `users ${ben.id}`, name: 'Ben', isBusy: true },
        busy: [{ start: at(friday, '12:30'), stop: at(friday, '15:45') }],
      },
      { key: `guests ${guest}`, name: 'Astrid', isBusy: false, busy: [] },
    ]);
    expect(JSON.stringify(found)).not.toContain('Payroll');
    expect(found.next).toEqual({ start: at(monday, '08:30'), stop: at(monday, '10:30') });
  });

  it('MTG-24 are not busy because of the meeting itself', async () => {
    const own = await meeting('Own', at('2027-02-01', '09:00'), at('2027-02-01', '10:00'));
    const times = { start: at('2027-02-01', '09:00'), stop: at('2027-02-01', '10:00') };
    expect((await busy({ users: String(ben.id), ...times })).people[0]?.isBusy).toBe(true);
    expect((await busy({ users: String(ben.id), event: String(own), ...times })).people[0]?.isBusy).toBe(false);
  });

  it('MTG-24 are known only to those who may see them, and a guest is busy only in meetings that they may see', async () => {
    const hidden = await world.work((env) =>
      env.sudo().model('core.partner').create({ name: 'Secret', is_private: true }),
    );
    const start = at('2027-03-01', '09:00');
    const stop = at('2027-03-01', '10:00');
    await meeting('Talk of Ben', start, stop, { privacy: 'people', partner_ids: [['set', [guest]]] });
    const found = await busy({ users: '999999', guests: `${hidden},${guest}`, start, stop });
    expect(found.people).toEqual([{ key: `guests ${guest}`, name: 'Astrid', isBusy: false, busy: [] }]);
    expect((await busy({ guests: String(guest), start, stop }, ben)).people[0]?.isBusy).toBe(true);
  });

  it.each([
    { start: 'x' },
    { tz: 'Nowhere' },
    { users: '1;2' },
    { users: Array.from({ length: 51 }, (_, n) => n + 1).join() },
    { start: '+275760-09-13T00:00:00Z' },
  ])('MTG-24 rejects %j', async (wrong) => {
    const good = { users: '1', start: at(friday, '13:00'), stop: at(friday, '14:00') };
    expect((await ask({ ...good, ...wrong })).status).toBe(400);
  });
});
