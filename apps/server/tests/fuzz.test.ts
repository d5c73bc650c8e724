import { Agent, request } from 'node:http';
import { createApiKey } from '@kontor/parts';
import { type ErrorCode, errorCatalogue } from '@kontor/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomBody } from './random-bodies.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

const cases = Number(process.env.KONTOR_TEST_FUZZ_CASES ?? 20_000);
const together = 50;
const seed = Number(process.env.KONTOR_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

let world: TestServer;
let key: string;
let ids: number[];
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  world = await startShop({ logLevel: 'error' });
  const admin = await world.signedIn();
  const rows = Array.from({ length: 300 }, (_, at) => ({ name: `order ${at}`, line_ids: [['create', { name: 'a' }]] }));
  ids = await admin.rpc<number[]>('shop.order', 'create_many', [rows]);
  await admin.rpc('shop.tag', 'create_many', [Array.from({ length: 300 }, (_, at) => ({ name: `tag ${at}` }))]);
  key = (await world.work((env) => createApiKey(env, { userId: 1, name: 'fuzz', expiresAt: null, scope: null })))
    .secret;
});
afterAll(async () => {
  agent.destroy();
  await world.close();
});

function post(body: string | Uint8Array): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'content-length': bytes.length };
    const sent = request(`${world.url}/api/rpc`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** What is wrong with an answer; null when it is a whole envelope whose code and status belong together. */
function flaw({ status, text }: { status: number; text: string }): string | null {
  const envelope = JSON.parse(text) as {
    ok: unknown;
    result: unknown;
    error: { code: ErrorCode; message: unknown; details: unknown } | null;
  };
  if (Object.keys(envelope).join() !== 'ok,result,error') return `not an envelope: ${text.slice(0, 200)}`;
  if (envelope.ok === true) return status === 200 && envelope.error === null ? null : `${status} with ok`;
  const { error } = envelope;
  if (envelope.ok !== false || envelope.result !== null || error === null) return `neither: ${text.slice(0, 200)}`;
  const known = errorCatalogue[error.code] as { status: number } | undefined;
  if (!known || known.status !== status) return `${status} with ${error.code}`;
  if (typeof error.message !== 'string' || typeof error.details !== 'object' || error.details === null)
    return 'half an error';
  if (error.code === 'INTERNAL_ERROR') return 'INTERNAL_ERROR';
  return /\b(select|insert|update|delete) .* (from|into|set|where)\b|pg_|syntax error|at position|\.ts:\d+/i.test(
    error.message,
  )
    ? `speaks of its inside: ${error.message}`
    : null;
}

it(`RPC-23 ${cases} random bodies find no 500 and no crash (seed ${seed})`, async () => {
  console.log(`random bodies: seed ${seed}, ${cases} cases (KONTOR_TEST_SEED=${seed} repeats them)`);
  const outcomes = new Map<number, number>();
  const property = fc.asyncProperty(
    fc.array(randomBody(ids), { minLength: together, maxLength: together }),
    async (bodies) => {
      const answers = await Promise.all(bodies.map(post));
      for (const [at, answer] of answers.entries()) {
        outcomes.set(answer.status, (outcomes.get(answer.status) ?? 0) + 1);
        const wrong = flaw(answer);
        if (wrong !== null)
          throw new Error(`${wrong}\n${String(bodies[at]).slice(0, 2_000)}\n${world.log.slice(-3).join('')}`);
      }
    },
  );
  await fc.assert(property, { seed, numRuns: Math.ceil(cases / together), endOnFailure: true });
  console.log('answers by status:', Object.fromEntries([...outcomes].sort()));
  expect(outcomes.get(200) ?? 0).toBeGreaterThan(cases / 50);
  expect(await (await fetch(`${world.url}/api/health`)).json()).toEqual({ ok: true });
});
