import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import type { ChatterPayload } from '@kontor/protocol';
import { statementsOfRequest } from '@kontor/testing';
import { long } from '@kontor/testing/long';
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
  world = await startTestServer({
    addonsPath: [testAddons],
    modules: ['parcels'],
    env: { KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: '9', KONTOR_SMTP_FROM: 'kontor@example.com' },
  });
  admin = await world.signedIn();
  packer = await world.user('Pia', ['parcels.group_packer'], { email: 'pia@example.com' });
  reader = await world.user('Rolf');
});
afterAll(() => world.close());

const inAdminsName = <T>(run: (env: Env) => Promise<T>) => world.work(run);
const makeParcel = (values: object = {}) => inAdminsName((env) => env.model(model).create({ name: 'Box', ...values }));
const chatter = async (browser: Browser, query: Record<string, string | number>) => {
  const response = await browser.get(`/web/wc/chatter?${new URLSearchParams(query as Record<string, string>)}`);
  return { status: response.status, body: (await response.json()) as ChatterPayload & { error?: { code: string } } };
};
const post = async (browser: Browser, fields: Record<string, unknown>) => {
  const response = await browser.json('/web/chatter/post', fields);
  return {
    status: response.status,
    body: (await response.json()) as { ok: boolean; result: { id: number }; error: { code: string; details: object } },
  };
};

const call = (browser: Browser, name: string, method: string, args: unknown[]) =>
  browser.call({ model: name, method, args });

describe('CHA-1 reading', () => {
  it('CHA-1 gives the messages of a record, newest first, page by page', async () => {
    const id = await makeParcel();
    const posted: number[] = [];
    for (let n = 1; n <= 5; n++) posted.push((await post(admin, { model, id, body: `Note ${n}` })).body.result.id);
    const first = await chatter(admin, { model, id, limit: 2 });
    expect(first.status).toBe(200);
    expect(Object.keys(first.body).sort()).toEqual(['messages', 'model', 'more', 'recordId']);
    expect(first.body).toMatchObject({ model, recordId: id, more: true });
    expect(first.body.messages[0]).toEqual({
      id: posted[4],
      body: '<p>Note 5</p>',
      author: { id: 1, name: 'Ada Lindqvist' },
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      kind: 'comment',
      tracking: [],
    });
    const rest = await chatter(admin, { model, id, before: first.body.messages[1]?.id ?? 0 });
    expect(rest.body.messages.map((message) => message.id)).toEqual([posted[2], posted[1], posted[0]]);
    expect(rest.body.more).toBe(false);
  });

  it('CHA-1 takes a bounded number of statements, however many messages there are', async () => {
    const id = await makeParcel();
    for (let n = 0; n < 8; n++) await inAdminsName((env) => env.model(model).write([id], { weight: n + 1 }));
    const cost = await statementsOfRequest(world.kernel.database, () => chatter(admin, { model, id }));
    expect(cost).toBeLessThanOrEqual(6);
  });
});

describe('CHA-2 posting', () => {
  it('CHA-2 answers a form with 303 and a program with the message’s id', async () => {
    const id = await makeParcel();
    const form = await admin.form('/web/chatter/post', { model, id: String(id), body: 'Hello', next: '/web/home' });
    expect([form.status, form.headers.get('location')]).toEqual([303, '/web/home']);
    const away = await admin.form('/web/chatter/post', {
      model,
      id: String(id),
      body: 'x',
      next: 'https://evil.example',
    });
    expect(away.headers.get('location')).toBe(`/web?model=parcel.parcel&view_type=form&id=${id}`);
    expect((await post(admin, { model, id, body: 'Hello' })).body).toEqual({
      ok: true,
      result: { id: expect.any(Number) },
      error: null,
    });
  });

  it('CHA-2 takes 1 to 10,000 characters', async () => {
    const id = await makeParcel();
    expect((await post(admin, { model, id, body: ' \n ' })).status).toBe(422);
    expect((await post(admin, { model, id })).body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { body: [expect.any(String)] } },
    });
    expect((await post(admin, { model, id, body: 'é'.repeat(10_000) })).status).toBe(200);
    expect((await post(admin, { model, id, body: 'x'.repeat(10_001) })).status).toBe(422);
    expect((await post(admin, { model, id, body: { x: 1 } })).status).toBe(400);
  });

  it('CHA-2 shows light Markdown, and nothing that a browser could run', async () => {
    const id = await makeParcel();
    await post(admin, {
      model,
      id,
      body: '**Bold** <script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=y>',
    });
    const { body } = await chatter(admin, { model, id });
    const html = body.messages[0]?.body ?? '';
    expect(html).toContain('<strong>Bold</strong>');
    expect(html).not.toMatch(/<script|<img|href="javascript/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('CHA-2 is told to everyone who may read the record', async () => {
    const id = await makeParcel();
    const bus = await openBus(reader.browser);
    const { body } = await post(admin, { model, id, body: 'Seen?' });
    await eventually(() => expect(bus.of('chatter.posted')).toEqual([{ model, id, message: body.result.id }]));
    await bus.close();
  });
});

describe('CHA-3 rights', () => {
  it('CHA-3 needs a session, and a post its token', async () => {
    const id = await makeParcel();
    const nobody = world.browser();
    expect((await chatter(nobody, { model, id })).status).toBe(401);
    expect((await post(nobody, { model, id, body: 'x' })).status).toBe(401);
    const page = await nobody.form('/web/chatter/post', { model, id: String(id), body: 'x' });
    expect([page.status, page.headers.get('location')]).toEqual([302, expect.stringContaining('/web/login')]);
    const bare = await admin.fetch('/web/chatter/post', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, id, body: 'x' }),
    });
    expect(bare.status).toBe(403);
  });

  it('CHA-3 readers comment only where the model lets them', async () => {
    const [id, notice] = [
      await makeParcel(),
      await inAdminsName((env) => env.model('parcel.notice').create({ name: 'To all' })),
    ];
    expect((await chatter(reader.browser, { model, id })).status).toBe(200);
    expect(await post(reader.browser, { model, id, body: 'x' })).toMatchObject({
      status: 403,
      body: { error: { code: 'ACCESS_DENIED' } },
    });
    expect((await post(packer.browser, { model, id, body: 'x' })).status).toBe(200);
    expect((await post(reader.browser, { model: 'parcel.notice', id: notice, body: 'Thanks' })).status).toBe(200);
  });

  it('CHA-3 no chatter, no model and no record are 404, a hidden record is 403, bad input 400', async () => {
    const company = await inAdminsName((env) => env.model('core.company').create({ name: 'Vest', currency_id: 1 }));
    const hidden = await inAdminsName((env) => env.sudo().model(model).create({ name: 'Other', company_id: company }));
    const expected = [
      [{ model: 'parcel.place', id: 1 }, 404, 'NOT_FOUND'],
      [{ model: 'no.such', id: 1 }, 404, 'MODEL_NOT_FOUND'],
      [{ model, id: 999_999 }, 404, 'NOT_FOUND'],
      [{ model, id: 9_999_999_999 }, 404, 'NOT_FOUND'],
      [{ model, id: hidden }, 403, 'ACCESS_DENIED'],
      [{ model, id: 'x' }, 400, 'INVALID_ARGS'],
      [{ model, id: 1, limit: -1 }, 400, 'INVALID_ARGS'],
      [{ id: 1 }, 400, 'INVALID_ARGS'],
    ] as const;
    for (const [query, status, code] of expected) {
      const read = await chatter(admin, query as Record<string, string>);
      expect([query, read.status, read.body.error?.code]).toEqual([query, status, code]);
      if ('limit' in query) continue;
      const posted = await post(admin, { ...query, body: 'x' });
      expect([query, posted.status, posted.body.error.code]).toEqual([query, status, code]);
    }
  });

  it('CHA-3 messages cannot be reached around the chatter', async () => {
    const reply = await call(admin, 'mail.message', 'search_read', [[], ['body']]);
    expect(reply.error?.code).toBe('ACCESS_DENIED');
  });
});

describe('CHA-4 tracked changes', () => {
  it('CHA-4 one message a change set, with old and new values as people see them', async () => {
    const [here, there] = await inAdminsName(async (env) => [
      await env.model('parcel.place').create({ name: 'Oslo' }),
      await env.model('parcel.place').create({ name: 'Bergen' }),
    ]);
    const id = await makeParcel({ place_id: here, weight: '1.500' });
    expect((await chatter(admin, { model, id })).body.messages).toEqual([]);
    await inAdminsName(async (env) => {
      await env.model(model).write([id], { state: 'sent', place_id: there, remark: 'not tracked' });
      await env.model(model).write([id], { weight: '2.25', is_fragile: true, name: 'Passing' });
      await env.model(model).write([id], { name: 'Box' });
    });
    const { messages } = (await chatter(admin, { model, id })).body;
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ kind: 'tracking', body: '', author: { id: 1, name: 'Ada Lindqvist' } });
    expect(messages[0]?.tracking).toEqual([
      { field: 'state', label: 'State', old: 'Packed', new: 'On its way' },
      { field: 'place_id', label: 'Where it is', old: 'Oslo', new: 'Bergen' },
      { field: 'weight', label: 'Weight', old: 1.5, new: 2.25 },
      { field: 'is_fragile', label: 'Is fragile', old: false, new: true },
    ]);
  });

  it('CHA-4 fields and names that the reader may not see are left out', async () => {
    const secret = await inAdminsName((env) => env.model('parcel.place').create({ name: 'Vault', is_secret: true }));
    const id = await makeParcel({ cost: '5' });
    await inAdminsName((env) => env.model(model).write([id], { cost: '7' }));
    await inAdminsName((env) => env.model(model).write([id], { place_id: secret, cost: '8' }));
    expect((await chatter(admin, { model, id })).body.messages.map(({ tracking }) => tracking.length)).toEqual([2, 1]);
    const { messages } = (await chatter(reader.browser, { model, id })).body;
    expect(messages.map(({ tracking }) => tracking)).toEqual([
      [{ field: 'place_id', label: 'Where it is', old: null, new: null }],
    ]);
    expect(JSON.stringify(messages)).not.toMatch(/Vault|cost/);
  });

  it('CHA-4 costs a write that tracks nothing no statement', async () => {
    const id = await makeParcel();
    const count = async (values: Record<string, unknown>) => {
      let sent = 0;
      await inAdminsName(async (env) => {
        const before = env.db.statements;
        await env.model(model).write([id], values);
        sent = env.db.statements - before;
      });
      return sent;
    };
    await count({ remark: 'warm' });
    const [plain, tracked] = [await count({ remark: 'again' }), await count({ state: 'sent' })];
    expect(tracked - plain).toBeLessThanOrEqual(2);
  });
});

describe('CHA-5 telling people', () => {
  const queued = () =>
    world.kernel.database.query<{ recipient: string; subject: string; body_text: string; body_html: string }>(
      sql`select recipient, subject, body_text, body_html from mail_queue order by id`,
    );

  it('CHA-5 who is mentioned is told in the client and by mail, by their real name', async () => {
    const id = await makeParcel({ name: 'Box 7' });
    const bus = await openBus(packer.browser);
    const before = (await queued()).length;
    const text = `Look, @[The Boss](user:${packer.id}): **today**? @[Nobody](user:999999)`;
    await post(admin, { model, id, body: text });
    await eventually(() => expect(bus.of('notify')).toHaveLength(1));
    expect(bus.of('notify')[0]).toEqual({
      kind: 'info',
      title: 'Ada Lindqvist mentioned you',
      body: 'Box 7: Look, @Pia: today? @Nobody',
      href: `/web?model=parcel.parcel&view_type=form&id=${id}`,
    });
    const [mail] = (await queued()).slice(before);
    expect(mail).toMatchObject({ recipient: 'pia@example.com', subject: 'Ada Lindqvist mentioned you: Box 7' });
    expect(mail?.body_text).toContain('Look, @Pia: today?');
    expect(mail?.body_html).toContain('Look, @Pia: today?');
    const { messages } = (await chatter(admin, { model, id })).body;
    expect(messages[0]?.body).toContain('>@Pia</a>');
    expect(messages[0]?.body).toContain('@Nobody');
    await bus.close();
  });

  it('CHA-5 nobody is told of what they may not read, or of what they say themselves', async () => {
    const company = await inAdminsName((env) => env.model('core.company').create({ name: 'Nord', currency_id: 1 }));
    const both = await world.user('Siv', ['base.group_system'], {
      company_ids: [['set', [world.admin.companyId, company]]],
      email: 'siv@example.com',
    });
    const id = await inAdminsName((env) => env.sudo().model(model).create({ name: 'Theirs', company_id: company }));
    await both.browser.form('/web/company/switch', { company_id: String(company) });
    const before = (await queued()).length;
    const [pia, siv] = [await openBus(packer.browser), await openBus(both.browser)];
    const body = `@[Pia](user:${packer.id}) @[Siv](user:${both.id})`;
    expect((await post(both.browser, { model, id, body })).status).toBe(200);
    await eventually(() => expect(siv.of('chatter.posted')).toHaveLength(1));
    const told = pia.messages.filter(({ channel, payload }) => channel === 'notify' || payload.model === model);
    expect([told, siv.of('notify')]).toEqual([[], []]);
    expect((await queued()).slice(before)).toEqual([]);
    await Promise.all([pia.close(), siv.close()]);
  });
});

describe('CHA-6 activities', () => {
  const types = () => inAdminsName((env) => env.ref('mail.type_call'));

  it('CHA-11 the next one of several records comes in one call, the soonest first, with how many there are', async () => {
    const [one, two] = [await makeParcel({ name: 'Box 21' }), await makeParcel({ name: 'Box 22' })];
    const type_id = await types();
    for (const [name, due_date] of [
      ['Later', '2031-01-01'],
      ['Sooner', '2030-01-01'],
    ])
      await call(admin, 'mail.activity', 'create', [{ model, res_id: one, name, due_date, type_id }]);
    const ask = async (browser: Browser, ids: string) => browser.get(`/web/wc/activities?model=${model}&ids=${ids}`);
    expect(await (await ask(reader.browser, `${one},${two},987654`)).json()).toEqual({
      model,
      next: { [one]: { name: 'Sooner', dueDate: '2030-01-01', icon: 'phone', count: 2 } },
    });
    for (const ids of ['x', '0', '1,,2', Array(201).fill('1').join()]) {
      expect((await ask(reader.browser, ids)).status, ids).toBe(400);
    }
    expect((await reader.browser.get('/web/wc/activities?model=core.country&ids=1')).status).toBe(404);
  });

  it('CHA-11 says nothing of records that the caller may not read, nor of what is done', async () => {
    const type_id = await types();
    const plan = (res_id: number, name: string) =>
      inAdminsName((env) =>
        env.sudo().model('mail.activity').create({ model, res_id, name, type_id, due_date: '2030-01-01' }),
      );
    const company = await inAdminsName((env) =>
      env.model('core.company').create({ name: 'Elsewhere', currency_id: 1 }),
    );
    const [seen, hidden] = [
      await makeParcel({ name: 'Seen' }),
      await inAdminsName((env) => env.sudo().model(model).create({ name: 'Hidden', company_id: company })),
    ];
    await plan(hidden, 'Not for you');
    const [first] = [await plan(seen, 'First'), await plan(seen, 'Second')];
    const ask = async () =>
      (await reader.browser.get(`/web/wc/activities?model=${model}&ids=${seen},${hidden}`)).json();
    expect(await ask()).toEqual({ model, next: { [seen]: expect.objectContaining({ name: 'First', count: 2 }) } });
    await inAdminsName((env) => env.model('mail.activity').call([first], 'done'));
    expect(await ask()).toEqual({ model, next: { [seen]: expect.objectContaining({ name: 'Second', count: 1 }) } });
  });

  it('CHA-11 costs the same for many records as for one', async () => {
    const type_id = await types();
    const ids = await inAdminsName((env) =>
      env.model(model).createMany(Array.from({ length: 40 }, (_, at) => ({ name: `Many ${at}` }))),
    );
    const rows = ids.map((res_id) => ({ model, res_id, name: 'Call', type_id, due_date: '2030-01-01' }));
    await inAdminsName((env) => env.sudo().model('mail.activity').createMany(rows));
    const cost = (some: readonly number[]) =>
      statementsOfRequest(world.kernel.database, async () => {
        const answer = await reader.browser.get(`/web/wc/activities?model=${model}&ids=${some.join()}`);
        expect(Object.keys(((await answer.json()) as { next: object }).next)).toHaveLength(some.length);
      });
    expect(await cost(ids)).toBe(await cost(ids.slice(0, 1)));
  });

  long('CHA-6 are given to somebody, who is told, seen by readers of the record, and done in the chatter', async () => {
    const id = await makeParcel({ name: 'Box 8' });
    const bus = await openBus(packer.browser);
    const values = { model, res_id: id, name: 'Ask for the key', due_date: '2030-01-31', type_id: await types() };
    const made = await call(admin, 'mail.activity', 'create', [{ ...values, user_id: packer.id }]);
    expect(made.error).toBeNull();
    await eventually(() => expect(bus.of('notify')).toMatchObject([{ title: 'Call for you' }]));
    expect(bus.of('notify')[0]?.body).toBe('Box 8: Ask for the key, due 2030-01-31');
    const list = await (await reader.browser.get(`/web/wc/activities?model=${model}&id=${id}`)).json();
    expect(list).toMatchObject({
      model,
      recordId: id,
      activities: [{ name: 'Ask for the key', dueDate: '2030-01-31', user: { name: 'Pia' }, type: { name: 'Call' } }],
    });
    const done = await call(packer.browser, 'mail.activity', 'call', [
      made.result,
      'action_done',
      { feedback: 'They *have* it.' },
    ]);
    expect(done.error).toBeNull();
    const { messages } = (await chatter(admin, { model, id })).body;
    expect(messages[0]).toMatchObject({ kind: 'system', author: { name: 'Pia' } });
    expect(messages[0]?.body).toBe('<p><strong>Call done:</strong> Ask for the key</p><p>They <em>have</em> it.</p>');
    const again = await call(packer.browser, 'mail.activity', 'call', [made.result, 'action_done']);
    expect(again.error?.code).toBe('USER_ERROR');
    await bus.close();
  });

  it('CHA-6 only about records that one may comment on, and only one’s own are seen in lists', async () => {
    const id = await makeParcel();
    const values = { model, res_id: id, name: 'Sneak', type_id: await types() };
    expect((await call(reader.browser, 'mail.activity', 'create', [values])).error?.code).toBe('ACCESS_DENIED');
    const made = await call(packer.browser, 'mail.activity', 'create', [values]);
    expect(made.error).toBeNull();
    const seen = await call(reader.browser, 'mail.activity', 'search', [[['res_id', '=', id]]]);
    expect(seen.result).toEqual([]);
    const moved = await call(packer.browser, 'mail.activity', 'write', [[made.result], { model: 'parcel.place' }]);
    expect(moved.error?.code).toBe('NOT_FOUND');
    await inAdminsName((env) => env.model(model).unlink([id]));
    const left = await inAdminsName((env) =>
      env.model('mail.activity').count([
        ['model', '=', model],
        ['res_id', '=', id],
      ]),
    );
    expect(left).toBe(0);
  });
});
