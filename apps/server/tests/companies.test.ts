import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let admin: Browser;
/** Two in one company, one in another. */
let anna: TestUser;
let ben: TestUser;
let olga: TestUser;
let other: number;
beforeAll(async () => {
  world = await startTestServer({ modules: ['calendar'] });
  admin = await world.signedIn();
  const currency_id = await world.work((env) => env.ref('base.EUR'));
  other = await world.work((env) => env.sudo().model('core.company').create({ name: 'Other Ltd.', currency_id }));
  anna = await world.user('Anna');
  ben = await world.user('Ben');
  olga = await world.user('Olga', undefined, { company_id: other, company_ids: [['set', [other]]] });
});
afterAll(() => world.close());

const idsSeen = async ({ browser }: TestUser, model: string) =>
  (await browser.rpc<{ id: number }[]>(model, 'search', [[]])).map(({ id }) => id);

it('ACC-14 people see those with whom they share a company', async () => {
  const seen = await idsSeen(anna, 'core.user');
  expect(seen).toContain(ben.id);
  expect(seen).not.toContain(olga.id);
  expect(await idsSeen(olga, 'core.user')).toEqual([olga.id]);
  expect(await anna.browser.outcome('core.user', 'read', [[olga.id], ['name', 'email']])).toBe('403 ACCESS_DENIED');
  expect(await admin.rpc('core.user', 'search', [[['id', '=', olga.id]]])).toHaveLength(1);
});

it('ACC-14 shared boards, shared searches and open meetings are seen in the companies of their owner', async () => {
  const meeting = { name: 'Budget', start: '2030-01-07T09:00:00Z', stop: '2030-01-07T10:00:00Z' };
  for (const [model, values] of [
    ['sys.board', { name: 'Ours', is_shared: true }],
    ['sys.saved.search', { name: 'Ours', model: 'core.partner', query: 'q=x', is_shared: true }],
    ['calendar.event', meeting],
    ['calendar.event', { ...meeting, privacy: 'people' }],
  ] as const) {
    const id = await anna.browser.rpc<number>(model, 'create', [values]);
    const isPrivate = 'privacy' in values;
    expect([model, (await idsSeen(ben, model)).includes(id)]).toEqual([model, !isPrivate]);
    expect([model, (await idsSeen(olga, model)).includes(id)]).toEqual([model, false]);
  }
});

it('ACC-14 a shared sequence is changed only by somebody who has all companies', async () => {
  const shared = await world.work((env) =>
    env.sudo().model('sys.sequence').create({ name: 'Shared', code: 'test.shared', number_next: 1 }),
  );
  const boss = await world.user('Boss of other', ['base.group_system'], {
    company_id: other,
    company_ids: [['set', [other]]],
  });
  for (const [method, args] of [
    ['write', [[shared], { number_next: 100 }]],
    ['write', [[shared], { company_id: other }]],
    ['unlink', [[shared]]],
    ['create', [{ name: 'More', code: 'test.shared' }]],
  ] as const) {
    expect([method, await boss.browser.outcome('sys.sequence', method, [...args])]).toEqual([
      method,
      '403 ACCESS_DENIED',
    ]);
  }
  const own = { name: 'Own', code: 'test.shared', company_id: other };
  expect(await boss.browser.outcome('sys.sequence', 'create', [own])).toBe('OK');
  const adminId = 1;
  const all = await world.work((env) => env.sudo().model('core.company').search([]));
  await world.work((env) =>
    env
      .sudo()
      .model('core.user')
      .write([adminId], { company_ids: [['set', all]] }),
  );
  expect(await admin.outcome('sys.sequence', 'write', [[shared], { number_next: 7 }])).toBe('OK');
});

it('ACC-15 people see the records of several of their companies at once, and act in the active one', async () => {
  const own = world.admin.companyId as number;
  const third = await world.work(async (env) => {
    const currency_id = await env.ref('base.EUR');
    return env.sudo().model('core.company').create({ name: 'Third Ltd.', currency_id });
  });
  const both = await world.user('Berta', undefined, { company_ids: [['set', [own, other]]] });
  const { browser } = both;
  const made = (company_id: number) =>
    world.work((env) =>
      env
        .sudo()
        .model('core.partner')
        .create({ name: `Of ${company_id}`, company_id }),
    );
  const [here, there, nowhere] = [await made(own), await made(other), await made(third)];
  const seen = async () =>
    (await idsSeen(both, 'core.partner')).filter((id) => [here, there, nowhere].includes(id)).sort();
  const choose = async (company_id: number, company_ids: string) =>
    (await browser.form('/web/company/switch', { company_id: String(company_id), company_ids })).status;

  expect(await seen()).toEqual([here]);
  expect(await choose(own, `${own},${other}`)).toBe(303);
  expect(await seen()).toEqual([here, there].sort());
  expect(await browser.outcome('core.partner', 'write', [[there], { name: 'Renamed' }])).toBe('OK');
  expect(await browser.outcome('core.partner', 'read', [[nowhere], ['name']])).toBe('403 ACCESS_DENIED');
  // What is new belongs to the active company.
  const id = await browser.rpc<number>('core.partner', 'create', [{ name: 'New' }]);
  const [row] = await browser.rpc<{ company_id: unknown }[]>('core.partner', 'read', [[id], ['company_id']]);
  expect([null, own]).toContain(row?.company_id ?? null);

  // A company that is not the caller's, and what is no company.
  expect(await choose(own, `${other},${third}`)).toBe(403);
  for (const wrong of ['x', '1;2', '-1', '1 or 1=1', '1,'.repeat(300) + '9'.repeat(11)])
    expect(await choose(own, wrong)).toBe(400);
  expect(await seen()).toEqual([here, there].sort());

  // Once a company is taken away from them, nothing of it is shown.
  await world.work((env) =>
    env
      .sudo()
      .model('core.user')
      .write([both.id], { company_ids: [['set', [own]]] }),
  );
  expect(await seen()).toEqual([here]);
  await world.work((env) =>
    env
      .sudo()
      .model('core.user')
      .write([both.id], { company_ids: [['set', [own, other]]] }),
  );
  expect(await choose(other, '')).toBe(303);
  expect(await seen()).toEqual([there]);
});
