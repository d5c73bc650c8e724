import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createApiKey } from '@kontor/parts';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('RPC-4 every curl example of docs/rpc.md gives what the page says', async () => {
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
