import { sql } from '@kontor/database';
import { bulkRecords } from '@kontor/parts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  const rows = Array.from({ length: bulkRecords }, (_, at) => ({ name: `Tag ${at}` }));
  await admin.rpc('shop.tag', 'create_many', [rows]);
});
afterAll(() => world.close());

const entries = async (kind: string, model: string) => {
  const rows = await world.kernel.database.query<Record<string, unknown>>(sql`
    select count, who, address, via, request_id, values::text as values from sys_audit
    where kind = ${kind} and model = ${model} order by id`);
  return rows.map((row) => ({ ...row, count: row.count, values: JSON.parse(String(row.values)) as unknown }));
};

it('AUD-5 what is read in bulk is known with what was asked for, by RPC and by the client; ordinary reads are not', async () => {
  const user = await world.user('Reader Rita');
  await user.browser.rpc('shop.tag', 'search_read', [[], ['name']], { limit: bulkRecords - 1 });
  await user.browser.get('/web/wc/workspace?model=shop.tag&view_type=list');
  expect(await entries('read', 'shop.tag')).toEqual([]);
  await user.browser.call(
    { model: 'shop.tag', method: 'search_read', args: [[['name', 'ilike', 'tag']], ['name']] },
    { 'x-request-id': 'bulk-1' },
  );
  const [read] = await entries('read', 'shop.tag');
  expect(read).toMatchObject({
    ...{ count: bulkRecords, who: `Reader Rita <${user.login}>`, request_id: 'bulk-1' },
    ...{ address: expect.stringMatching(/127\.0\.0\.1|::1/), via: expect.stringMatching(/^session \d+$/) },
    values: { method: 'search_read', args: [[['name', 'ilike', 'tag']], ['name']] },
  });
  await user.browser.get(`/web/wc/workspace?model=shop.tag&view_type=list&limit=${bulkRecords}`);
  expect(await entries('read', 'shop.tag')).toHaveLength(2);
  const small = { limit: bulkRecords - 1 };
  for (let at = 0; at < 6; at++) await user.browser.rpc('shop.tag', 'search', [[]], small);
  const paged = await entries('read', 'shop.tag');
  expect(paged).toHaveLength(3);
  expect(Number(paged[2]?.count)).toBeGreaterThanOrEqual(1_000);
});

it('AUD-6 every export is known before a row goes out; what is refused or only tried is not', async () => {
  const user = await world.user('Exporter Eve');
  const path = '/web/export/csv?model=shop.tag&fields=name&ids=1';
  expect((await user.browser.get(`${path}&dry_run=1`)).status).toBe(200);
  expect((await user.browser.get('/web/export/csv?model=shop.tag&fields=nothing')).status).toBe(400);
  expect(await entries('export', 'shop.tag')).toEqual([]);
  await (await user.browser.get(path)).text();
  await (await user.browser.get(path.replace('csv', 'pdf'))).arrayBuffer();
  expect(await entries('export', 'shop.tag')).toMatchObject([
    { who: `Exporter Eve <${user.login}>`, values: { format: 'csv', fields: 'name', ids: '1' } },
    { values: { format: 'pdf' } },
  ]);
});

it('AUD-1 AUD-3 a change has its session or key and address; RPC can read the trail, and no more', async () => {
  await admin.call(
    { model: 'core.partner', method: 'create', args: [{ name: 'Traced' }] },
    { 'x-request-id': 'trace-1' },
  );
  const id = await admin.rpc<number>('sys.audit.check', 'create', [{}]);
  const [found] = await admin.rpc<{ state: string }[]>('sys.audit.check', 'read', [[id], ['state']]);
  expect(found?.state).toBe('whole');
  const rows = await admin.rpc<{ id: number }[]>('sys.audit', 'search_read', [
    [['request_id', '=', 'trace-1']],
    ['kind', 'model', 'address', 'via', 'who'],
  ]);
  expect(rows).toMatchObject([
    { kind: 'create', model: 'core.partner', via: expect.stringMatching(/^session \d+$/), address: expect.any(String) },
  ]);
  const denied = '403 ACCESS_DENIED';
  expect(await admin.outcome('sys.audit', 'write', [[rows[0]?.id], { who: 'x' }])).toBe(denied);
  expect(await admin.outcome('sys.audit', 'unlink', [[rows[0]?.id]])).toBe(denied);
  expect(await admin.outcome('sys.audit', 'create', [{ at: '2026-01-01T00:00:00Z', kind: 'read' }])).toBe(denied);
  expect(await admin.outcome('sys.audit.check', 'write', [[id], { noted_head: '' }])).toBe(denied);
  expect(await admin.outcome('sys.audit.check', 'create', [{ noted_head: 'x' }])).toBe('422 VALIDATION_ERROR');
  expect(await admin.outcome('sys.audit.check', 'create', [{ state: 'whole' }])).toBe(denied);
  const user = await world.user('Curious Carl');
  expect(await user.browser.outcome('sys.audit', 'search', [[]])).toBe(denied);
});
