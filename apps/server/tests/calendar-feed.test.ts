import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let ada: TestUser;
let ben: TestUser;
const perMinute = 30;
beforeAll(async () => {
  world = await startTestServer({
    modules: ['calendar'],
    env: { KONTOR_RATE_LIMIT_RPM: String(perMinute), KONTOR_TRUSTED_PROXIES: '127.0.0.1' },
  });
  ada = await world.user('Feed Ada', undefined, { tz: 'Europe/Berlin' });
  ben = await world.user('Feed Ben');
  const meet = async (values: Record<string, unknown>, id = ada.id) =>
    world.work((env) => env.model('calendar.event').create(values), (await world.kernel.actor(id)) ?? world.admin);
  const day = { start: '2027-07-13T22:00:00Z', stop: '2027-07-15T22:00:00Z', all_day: true };
  await meet({ name: 'Regatta', ...day });
  const long = 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, 12 boxers; "all" of them\\';
  await meet({
    name: long,
    start: '2027-07-16T07:30:00Z',
    place: 'Pier 3; gate A',
    description: '<p>Bring<br>maps</p>',
  });
  await meet({ name: 'Not of Ada', start: '2027-07-16T09:00:00Z' }, ben.id);
});
afterAll(() => world.close());

const get = (path: string, from: string, headers = {}) =>
  world.browser().get(path, { 'x-forwarded-for': from, ...headers });

async function newAddress(): Promise<string> {
  const found = await ada.browser.call({ model: 'calendar.feed', method: 'search', args: [[]] });
  const [id] = (found.result as number[] | { id: number }[]).map((row) => (typeof row === 'number' ? row : row.id));
  const made = id ?? (await ada.browser.call({ model: 'calendar.feed', method: 'create', args: [{}] })).result;
  const reply = await ada.browser.call({ model: 'calendar.feed', method: 'call', args: [made, 'action_renew'] });
  return (reply.result as { redirect: string }).redirect;
}

describe('the calendar feed', () => {
  it('MTG-15: is a calendar of RFC 5545 of what the person has, at an address of their own', async () => {
    const path = await newAddress();
    expect(path).toMatch(/^\/web\/calendar\/feed\/[0-9a-f]{48}\.ics$/);
    const answer = await get(path, '10.1.0.1');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const text = await answer.text();
    expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:')).toBe(true);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const lines = text.replaceAll('\r\n ', '').split('\r\n');
    expect(lines).toContain('DTSTART;VALUE=DATE:20270714');
    expect(lines).toContain('DTEND;VALUE=DATE:20270716');
    expect(lines).toContain('DTSTART:20270716T073000Z');
    expect(lines).toContain('DTEND:20270716T083000Z');
    const long = 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich\\, 12 boxers\\; "all" of them\\\\';
    expect(lines).toContain(`SUMMARY:${long}`);
    expect(lines).toContain('LOCATION:Pier 3\\; gate A');
    expect(lines).toContain('DESCRIPTION:Bring\\nmaps');
    expect(text).not.toContain('Not of Ada');
    const uids = lines.filter((line) => line.startsWith('UID:'));
    expect(new Set(uids).size).toBe(2);
    const again = await get(path, '10.1.0.1', { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('MTG-16: ends with its address, which is kept as a hash, is nobody else’s, and is in no log', async () => {
    const first = await newAddress();
    const second = await newAddress();
    expect((await get(first, '10.1.0.2')).status).toBe(404);
    expect((await get(second, '10.1.0.2')).status).toBe(200);
    const secret = second.slice(-52, -4);
    const rows = await world.work((env) =>
      env.sudo().model('calendar.feed').searchRead([], ['user_id', 'secret_hash']),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(world.log.join('')).not.toContain(secret);
    const seen = await ben.browser.call({ model: 'calendar.feed', method: 'search', args: [[]] });
    expect(seen.result).toEqual([]);
    await world.work((env) => env.sudo().model('core.user').write([ada.id], { active: false }));
    expect((await get(second, '10.1.0.2')).status).toBe(404);
    await world.work((env) => env.sudo().model('core.user').write([ada.id], { active: true }));
    expect((await get(second, '10.1.0.2')).status).toBe(200);
    await world.work((env) =>
      env
        .sudo()
        .model('calendar.feed')
        .unlink(rows.map(({ id }) => id)),
    );
    expect((await get(second, '10.1.0.2')).status).toBe(404);
  });

  it('MTG-17: is not found by trying', async () => {
    const statuses = new Set<number>();
    for (let at = 0; at <= perMinute; at++) {
      const wrong = `/web/calendar/feed/${String(at).padStart(48, '0')}.ics`;
      statuses.add((await get(wrong, '10.1.0.3')).status);
    }
    expect([...statuses]).toEqual([404, 429]);
  });
});
