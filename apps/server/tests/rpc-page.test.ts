import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createApiKey } from '@kontor/parts';
import { domainOperators, granularities, measures } from '@kontor/protocol';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../../docs/rpc.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```sh\n([\s\S]*?)```\n```json\n([\s\S]*?)```/g)].map(
  ([, script = '', answer = '']) => ({
    script,
    answer: JSON.parse(answer) as unknown,
  }),
);

let world: TestServer;
let key: string;
beforeAll(async () => {
  world = await startTestServer();
  key = (await world.work((env) => createApiKey(env, { userId: 1, name: 'docs', expiresAt: null, scope: null })))
    .secret;
});
afterAll(() => world.close());

/** Numbers and `…` on the page stand for any. */
function likeness(shown: unknown): unknown {
  if (typeof shown === 'number') return expect.any(Number);
  if (shown === '…') return expect.any(String);
  if (Array.isArray(shown)) return shown.map(likeness);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, likeness(value)]));
}

it('RPC-29 every operator, measure and part of a date that the server knows is on the page, and its example runs', async () => {
  const caller = Browser.withKey(world.url, key);
  const rows = [...page.matchAll(/^\| `([^`]+)` \| .* \| `(\[".*\])` \|$/gm)];
  expect(rows.map(([, operator]) => operator)).toEqual(domainOperators);
  for (const [, operator, example = ''] of rows) {
    const condition = JSON.parse(example) as unknown[];
    expect(condition[1]).toBe(operator);
    expect([example, await caller.outcome('core.partner', 'search', [[condition]])]).toEqual([example, 'OK']);
  }
  const named = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, name]) => name);
  expect(named(/^\| `create_date:(\w+)` \|/gm)).toEqual(granularities);
  for (const part of granularities) {
    const spec = { domain: [], groupby: [`create_date:${part}`], fields: [] };
    expect(await caller.outcome('core.partner', 'read_group', [spec])).toBe('OK');
  }
  const [table = ''] = page.split('## Measures')[1]?.split('## ') ?? [];
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(measures);
  for (const measure of measures) {
    const spec = { domain: [], groupby: [], fields: [{ name: 'told', field: 'id', measure }] };
    // Only a field that declares what it is a ratio of has one.
    const outcome = measure === 'ratio' ? '400 INVALID_ARGS' : 'OK';
    expect([measure, await caller.outcome('core.partner', 'read_group', [spec])]).toEqual([measure, outcome]);
  }
});

it('RPC-29 what the page says of empty values, ties, archived records and days is so', async () => {
  const caller = Browser.withKey(world.url, key);
  const names = ['Tie B', 'Tie A', 'Tie C'];
  const rows = names.map((name) => ({ name, city: name === 'Tie C' ? null : 'Tietown', active: name !== 'Tie A' }));
  const [b, a, c] = await caller.rpc<number[]>('core.partner', 'create_many', [rows]);
  const found = async (domain: readonly unknown[], order = 'city') =>
    (
      await caller.rpc<{ id: number }[]>('core.partner', 'search_read', [[['name', 'like', 'Tie '], ...domain], []], {
        order,
      })
    ).map(({ id }) => id);
  expect(await found([])).toEqual([b, a, c]);
  expect(await found([], '-city')).toEqual([c, b, a]);
  expect(await found([], 'city, -id')).toEqual([a, b, c]);
  expect(await found([['active', '=', true]])).toEqual([b, c]);
  expect(await found([['city', '!=', 'Tietown']])).toEqual([c]);
  expect(await found([['city', 'not in', ['Tietown', null]]])).toEqual([]);
  expect(await found([['city', '=', false]])).toEqual([c]);
  expect(
    await found([
      ['create_date', '>=', '$today'],
      ['create_date', '<', '$day+1'],
    ]),
  ).toEqual([b, a, c]);
  const at = (value: string) => caller.outcome('core.user.apikey', 'write', [[1], { expires_at: value }]);
  expect(await at('2090-11-14T10:30+01:00')).toBe('OK');
  expect(await at('2090-11-14T10:30:00')).toBe('422 VALIDATION_ERROR');
  const [read] = await caller.rpc<{ expires_at: string }[]>('core.user.apikey', 'read', [[1], ['expires_at']]);
  expect(read?.expires_at).toBe('2090-11-14T09:30:00.000Z');
  await caller.rpc('core.partner', 'unlink', [[a, b, c]]);
});

long('RPC-4 every curl example of docs/rpc.md gives what the page says', async () => {
  expect(examples.length).toBeGreaterThan(12);
  let id = '';
  for (const { script, answer } of examples) {
    const { stdout } = await run('sh', ['-c', script], {
      env: { ...process.env, KONTOR: world.url, KEY: key, ID: id },
    });
    const given = JSON.parse(stdout) as { result?: unknown };
    expect({ script, given }).toEqual({ script, given: likeness(answer) });
    if (script.includes('"method": "create",')) id = String(given.result);
  }
});
