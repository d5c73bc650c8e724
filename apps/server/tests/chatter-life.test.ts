import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import type { ChatterPayload, RecordFilesPayload } from '@kontor/protocol';
import { statementsOfRequest } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { eventually, openBus } from './bus-socket.ts';
import { testAddons } from './shop.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

const model = 'parcel.parcel';
let world: TestServer;
let admin: Browser;
let packer: TestUser;
let reader: TestUser;

beforeAll(async () => {
  world = await startTestServer({ addonsPath: [testAddons], modules: ['parcels'] });
  admin = await world.signedIn();
  packer = await world.user('Pia', ['parcels.group_packer']);
  reader = await world.user('Rolf');
});
afterAll(() => world.close());

const inAdminsName = <T>(run: (env: Env) => Promise<T>) => world.work(run);
const makeParcel = (values: object = {}) => inAdminsName((env) => env.model(model).create({ name: 'Box', ...values }));
const messagesOf = async (browser: Browser, id: number, about = model) => {
  const response = await browser.get(`/web/wc/chatter?model=${about}&id=${id}`);
  return ((await response.json()) as ChatterPayload).messages;
};
const post = async (browser: Browser, fields: Record<string, unknown>, key?: string) => {
  const response = await browser.json('/web/chatter/post', fields, key ? { 'idempotency-key': key } : {});
  const body = (await response.json()) as { result: { id: number }; error: { code: string } | null };
  return { status: response.status, id: body.result?.id, code: body.error?.code };
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('CHA-7 files of messages', () => {
  it('CHA-7 hang on the message and come back as they were, to those who may read the record', async () => {
    const id = await makeParcel();
    const files = [
      { name: '../../Offer “7”.pdf', type: 'application/pdf', data: base64('%PDF') },
      { name: 'box.png', type: 'image/png', data: base64('picture') },
    ];
    expect((await post(admin, { model, id, body: '', files })).status).toBe(200);
    const [message] = await messagesOf(reader.browser, id);
    const [pdf, png] = message?.files ?? [];
    expect([pdf?.name, pdf?.size, png?.type]).toEqual(['Offer “7”.pdf', 4, 'image/png']);
    const got = await reader.browser.get(`/web/wc/chatter/file?id=${pdf?.id}`);
    expect([got.status, await got.text()]).toEqual([200, '%PDF']);
    expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''Offer/);
    expect(got.headers.get('content-type')).toBe('application/octet-stream');
    const shown = await reader.browser.get(`/web/wc/chatter/file?id=${png?.id}`);
    expect([shown.headers.get('content-type'), shown.headers.get('content-disposition')]).toEqual([
      'image/png',
      expect.stringMatching(/^inline/),
    ]);
    expect((await world.browser().get(`/web/wc/chatter/file?id=${pdf?.id}`)).status).not.toBe(200);
  });

  it('CHA-7 of a hidden record are refused, and bad ones write nothing', async () => {
    const company = await inAdminsName((env) => env.model('core.company').create({ name: 'Vest', currency_id: 1 }));
    const id = await makeParcel();
    const file = { name: 'a.html', type: 'text/html', data: base64('<script>alert(1)</script>') };
    await post(admin, { model, id, body: 'See', files: [file] });
    const [message] = await messagesOf(admin, id);
    const path = `/web/wc/chatter/file?id=${message?.files?.[0]?.id}`;
    expect((await admin.get(path)).headers.get('content-type')).toBe('application/octet-stream');
    await inAdminsName((env) => env.sudo().model(model).write([id], { company_id: company }));
    const refused = async (id: string) => {
      const answer = await reader.browser.get(id);
      return [answer.status, ((await answer.json()) as { error: { message: string; details: object } }).error];
    };
    const hidden = await refused(path);
    expect(hidden).toMatchObject([404, { message: 'There is no such file.' }]);
    expect(JSON.stringify(hidden)).not.toContain(model);
    const other = await makeParcel();
    for (const [files, status] of [
      ['x', 400],
      [[{ name: 'a' }], 400],
      [[{ ...file, data: 'not base64!' }], 422],
      [Array(11).fill(file), 422],
    ] as const) {
      expect((await post(admin, { model, id: other, body: 'x', files })).status).toBe(status);
    }
    expect(await messagesOf(admin, other)).toEqual([]);
    expect((await admin.get('/web/wc/chatter/file?id=999999')).status).toBe(404);
    expect((await admin.get('/web/wc/chatter/file')).status).toBe(400);
  });
});

describe('SCN-48 files of a record', () => {
  const filesOf = async (browser: Browser, id: number) => {
    const response = await browser.get(`/web/wc/chatter/files?model=${model}&id=${id}`);
    return [response.status, ((await response.json()) as Partial<RecordFilesPayload>).files ?? []] as const;
  };
  const set = async (browser: Browser, id: number, way: 'remove' | 'restore', ids: unknown) =>
    (await browser.json('/web/chatter/post', { model, id, [way]: ids })).status;
  const file = (name: string) => ({ name, type: 'text/plain', data: base64(name) });

  it('SCN-48 are listed whichever message they came with, in few statements however many there are', async () => {
    const id = await makeParcel();
    await post(admin, { model, id, body: 'Both', files: [file('a.txt'), file('b.txt')] });
    const few = await statementsOfRequest(world.kernel.database, () => filesOf(admin, id));
    await post(packer.browser, { model, id, body: '', files: Array.from({ length: 9 }, (_, at) => file(`${at}.txt`)) });
    const many = await statementsOfRequest(world.kernel.database, () => filesOf(admin, id));
    expect(many).toBe(few);
    const [, list] = await filesOf(reader.browser, id);
    expect(list.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 9 }, (_, at) => `${8 - at}.txt`),
      'b.txt',
      'a.txt',
    ]);
    expect(list.at(-1)).toMatchObject({ type: 'text/plain', size: 5, mayRemove: false });
    const response = await admin.get(`/web/wc/activities?model=${model}&id=${id}`);
    expect(await response.json()).toMatchObject({ fileCount: 11 });
  });

  it('SCN-48 are removed and brought back by those who may change the record, and their authors', async () => {
    const id = await makeParcel();
    await post(admin, { model, id, body: '', files: [file('a.txt')] });
    const [, [first]] = await filesOf(admin, id);
    const ids = [first?.id];
    expect(await set(reader.browser, id, 'remove', ids)).toBe(403);
    expect(await set(world.browser(), id, 'remove', ids)).toBe(401);
    expect(await set(packer.browser, id, 'remove', ids)).toBe(200);
    expect(await filesOf(admin, id)).toEqual([200, []]);
    expect((await admin.get(`/web/wc/chatter/file?id=${first?.id}`)).status).toBe(404);
    expect(await messagesOf(admin, id)).toEqual([]);
    expect(await set(admin, id, 'restore', ids)).toBe(200);
    expect((await filesOf(admin, id))[1]).toHaveLength(1);
    for (const bad of ['x', [0], ['1'], [1.5]]) expect(await set(admin, id, 'remove', bad)).toBe(400);
    expect(await set(admin, id, 'remove', [...ids, 999_999])).toBe(404);
    expect((await filesOf(admin, id))[1]).toHaveLength(1);
  });

  it('SCN-48 of a hidden record are neither listed nor removed, and nobody learns that there are any', async () => {
    const company = await inAdminsName((env) => env.model('core.company').create({ name: 'Nord', currency_id: 1 }));
    const id = await makeParcel();
    await post(admin, { model, id, body: '', files: [file('a.txt')] });
    const [, [first]] = await filesOf(admin, id);
    await inAdminsName((env) => env.sudo().model(model).write([id], { company_id: company }));
    expect(await filesOf(packer.browser, id)).toEqual([403, []]);
    expect(await set(packer.browser, id, 'remove', [first?.id])).toBe(403);
    expect(await set(packer.browser, await makeParcel(), 'remove', [first?.id])).toBe(404);
  });
});

describe('CHA-8 posts that are sent again', () => {
  it('CHA-8 are taken once a person and key', async () => {
    const id = await makeParcel();
    const first = await post(admin, { model, id, body: 'Once' }, 'key-1');
    const again = await post(admin, { model, id, body: 'Once' }, 'key-1');
    expect(again.id).toBe(first.id);
    await post(packer.browser, { model, id, body: 'Mine' }, 'key-1');
    expect((await messagesOf(admin, id)).map(({ body }) => body)).toEqual(['<p>Mine</p>', '<p>Once</p>']);
    expect((await post(admin, { model, id, body: 'x' }, 'k'.repeat(65))).status).toBe(400);
  });
});

describe('CHA-9 messages of deleted records', () => {
  const clean = () =>
    inAdminsName((env) =>
      env
        .sudo()
        .model('sys.cron')
        .search([['handler', '=', 'mail.clean_messages']]),
    );
  const runCleanup = async () => {
    const { definitions } = world.kernel.loaded;
    const job = definitions.get('mail')?.jobs.find(({ name }) => name === 'clean_messages');
    if (!job || !('runInSteps' in job)) throw new Error('no such job');
    const step = (run: (env: never) => Promise<unknown>) => world.work((env) => run(env as never));
    await job.runInSteps({ step: step as never, signal: new AbortController().signal, cronId: 0 });
  };
  const age = (id: number) =>
    world.kernel.database.execute(sql`
      update mail_message set gone_at = gone_at - interval '61 days' where model = ${model} and res_id = ${id}`);
  const count = async (id: number) => {
    const [row] = await world.kernel.database.query<{ n: number }>(
      sql`select count(*)::int4 as n from mail_message where model = ${model} and res_id = ${id}`,
    );
    return row?.n;
  };

  it('CHA-9 come back with a deletion that is undone, and go when it cannot be any more', async () => {
    expect(await clean()).toHaveLength(1);
    const [undone, gone] = [await makeParcel(), await makeParcel()];
    for (const id of [undone, gone]) await post(admin, { model, id, body: 'Keep me' });
    const deleted = await admin.call({ model, method: 'unlink', args: [[undone, gone]] });
    expect(deleted.error).toBeNull();
    expect((await admin.get(`/web/wc/chatter?model=${model}&id=${undone}`)).status).toBe(404);
    await runCleanup();
    expect([await count(undone), await count(gone)]).toEqual([1, 1]);
    const [set] = await inAdminsName((env) =>
      env.sudo().model('sys.change.set').search([], { order: '-id', limit: 1 }),
    );
    await inAdminsName((env) =>
      env
        .sudo()
        .model('sys.change.set')
        .call([set as number], 'revert', {}),
    );
    expect((await messagesOf(admin, undone)).at(-1)?.body).toBe('<p>Keep me</p>');
    await inAdminsName((env) => env.model(model).unlink([gone]));
    await age(undone);
    await age(gone);
    await runCleanup();
    expect([await count(undone), await count(gone)]).toEqual([1, 0]);
  });
});

describe('CHA-10 live activities', () => {
  it('CHA-10 readers of the record and the person hear of them, the one whom they are taken from too', async () => {
    const id = await makeParcel();
    const type = await inAdminsName((env) => env.ref('mail.type_call'));
    const [theirs, others] = [await openBus(packer.browser), await openBus(reader.browser)];
    const changed = () => others.of('activity.changed').length;
    const made = await admin.call({
      model: 'mail.activity',
      method: 'create',
      args: [{ model, res_id: id, name: 'Ring', type_id: type, user_id: packer.id }],
    });
    await eventually(() => {
      expect(others.of('activity.changed')).toContainEqual({ model, id });
      expect(theirs.of('activity.assigned')).toHaveLength(1);
    });
    const before = changed();
    await admin.call({ model: 'mail.activity', method: 'write', args: [[made.result], { user_id: 1 }] });
    await eventually(() => {
      expect(changed()).toBeGreaterThan(before);
      expect(theirs.of('activity.assigned')).toHaveLength(2);
    });
    expect(others.of('activity.assigned')).toEqual([]);
    await Promise.all([theirs.close(), others.close()]);
  });
});

describe('EVT-9 notifications', () => {
  const told = (browser: Browser) =>
    browser.rpc<{ id: number; title: string; read_at: string | null; href: string }[]>(
      'sys.notification',
      'search_read',
      [[], ['title', 'read_at', 'href']],
    );

  it('EVT-9 are kept for their person alone, and are read in all windows at once', async () => {
    const id = await makeParcel({ name: 'Box 9' });
    for (const word of ['one', 'two']) await post(admin, { model, id, body: `@[Rolf](user:${reader.id}) ${word}` });
    const mine = await told(reader.browser);
    expect(mine.map(({ title, read_at }) => [title, read_at])).toEqual(
      Array(2).fill(['Ada Lindqvist mentioned you', null]),
    );
    expect(mine[0]?.href).toContain(`id=${id}`);
    expect(await told(packer.browser)).not.toContainEqual(expect.objectContaining({ id: mine[0]?.id }));
    const bus = await openBus(reader.browser);
    const [newest, oldest] = mine;
    if (!newest || !oldest) throw new Error('Nobody was told.');
    const read = (browser: Browser, one: number, action = 'action_read') =>
      browser.call({ model: 'sys.notification', method: 'call', args: [one, action] });
    expect((await read(packer.browser, oldest.id)).error?.code).toBe('ACCESS_DENIED');
    expect((await read(reader.browser, oldest.id)).error).toBeNull();
    expect((await told(reader.browser)).map(({ read_at }) => read_at === null)).toEqual([true, false]);
    await eventually(() => expect(bus.of('notify.read')).toHaveLength(1));
    await read(reader.browser, newest.id, 'action_read_through');
    expect((await told(reader.browser)).every(({ read_at }) => read_at !== null)).toBe(true);
    const forged = await reader.browser.call({
      model: 'sys.notification',
      method: 'create',
      args: [{ user_id: packer.id, kind: 'info', title: 'x' }],
    });
    expect(forged.error?.code).toBe('ACCESS_DENIED');
    await bus.close();
  });
});

describe('CHA-5 people whom somebody may not see', () => {
  it('CHA-5 neither a mention nor an activity tells the name of a person to who may not see people', async () => {
    const portal = await world.user('Petra', ['base.group_portal']);
    const notice = await inAdminsName((env) => env.model('parcel.notice').create({ name: 'Closed on Monday' }));
    const about = { model: 'parcel.notice', id: notice };
    await post(portal.browser, { ...about, body: `Hello @[X](user:${packer.id}) and @[Y](user:${portal.id})` });
    const messages = await messagesOf(portal.browser, notice, about.model);
    expect(messages[0]?.body).toContain('@X');
    expect(messages[0]?.body).toContain('@Petra');
    expect(JSON.stringify(messages)).not.toContain('Pia');
    await inAdminsName(async (env) => {
      const values = { model: 'parcel.notice', res_id: notice, name: 'Call', due_date: '2026-12-01' };
      const [type_id] = await env.model('mail.activity.type').search([], { limit: 1 });
      await env.model('mail.activity').create({ ...values, type_id, user_id: packer.id });
    });
    const answer = await portal.browser.get(`/web/wc/activities?model=parcel.notice&id=${notice}`);
    const { activities } = (await answer.json()) as { activities: readonly { user: object }[] };
    expect(activities[0]?.user).toEqual({ id: packer.id, name: 'Somebody' });
  });
});
