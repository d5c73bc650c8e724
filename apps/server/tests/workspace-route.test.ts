import { statementsOfRequest } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Envelope } from './browser.ts';
import { deskAddons } from './desk-addons.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let agent: Browser;

beforeAll(async () => {
  server = await startTestServer({ modules: ['desk'], addonsPath: [deskAddons] });
  agent = (await server.user('Agent Smith', ['desk.group_agent'])).browser;
  await server.work((env) =>
    env.model('desk.ticket').createMany([
      { name: 'One', hours: '0.10' },
      { name: 'Two', is_private: true },
    ]),
  );
});
afterAll(() => server.close());

const open = (query: string, browser = agent) => browser.get(`/web/wc/workspace?${query}`);
const outcome = async (query: string, browser = agent) => {
  const response = await open(query, browser);
  const { ok, result, error } = (await response.json()) as Envelope;
  expect({ ok, result }).toEqual({ ok: false, result: null });
  return `${response.status} ${error?.code}`;
};

it('WSP-1 the workspace comes as its payload, for nobody to keep', async () => {
  const response = await open('action=desk.tickets');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('vary')).toContain('cookie');
  const text = await response.text();
  expect(text).toContain('"hours":0.1,');
  const payload = JSON.parse(text) as Record<string, unknown>;
  expect(payload).toMatchObject({ viewType: 'list', listTotal: 1, csrfToken: agent.csrf });
  expect(Object.keys(payload)).toHaveLength(18);
});

it('WSP-3 a list takes at most four statements, the session among them', async () => {
  await open('action=desk.tickets');
  const cost = await statementsOfRequest(server.kernel.database, async () => {
    expect((await open('action=desk.tickets')).status).toBe(200);
  });
  expect(cost).toBeLessThanOrEqual(4);
});

it('WSP-12 what is wrong with the query comes in the envelope, with its status', async () => {
  expect(await outcome('action=desk.nothing')).toBe('404 NOT_FOUND');
  expect(await outcome('model=nothing')).toBe('404 MODEL_NOT_FOUND');
  expect(await outcome('')).toBe('400 INVALID_ARGS');
  expect(await outcome('action=desk.tickets&filter=nothing')).toBe('400 INVALID_ARGS');
  expect(await outcome('action=desk.tickets&view_type=nothing')).toBe('400 INVALID_ARGS');
  expect(await outcome('action=desk.tickets&q=a&q=b')).toBe('400 INVALID_ARGS');
  expect(await outcome('action=desk.tickets&q=%00')).toBe('400 INVALID_ARGS');
  expect(await outcome('action=desk.tickets&id=999')).toBe('404 NOT_FOUND');
  expect(await outcome('action=desk.tickets&id=2')).toBe('403 ACCESS_DENIED');
  expect(await outcome('model=sys.rule')).toBe('403 ACCESS_DENIED');
  expect(await outcome('__proto__=1')).toBe('400 INVALID_ARGS');
});

it('WSP-12 only a signed-in person gets one, and only by GET', async () => {
  expect(await outcome('action=desk.tickets', server.browser())).toBe('401 UNAUTHORIZED');
  const response = await agent.json('/web/wc/workspace?action=desk.tickets', {});
  expect(response.status).toBe(405);
});
