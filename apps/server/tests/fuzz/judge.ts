import { Agent, request } from 'node:http';
import { createApiKey } from '@kontor/parts';
import { type ErrorCode, errorCatalogue } from '@kontor/protocol';
import { testAddons } from '../shop.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The server with every shipped app and the shop, and somebody who may do everything. */
export interface FuzzWorld extends TestServer {
  post(body: string | Uint8Array): Promise<Answer>;
}

export async function startFuzzWorld(): Promise<FuzzWorld> {
  const modules = ['contacts', 'product', 'crm', 'sale', 'project', 'calendar', 'shop'];
  const world = await startTestServer({ modules, demo: true, addonsPath: [testAddons], logLevel: 'error' });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const { secret } = await world.work((env) =>
    createApiKey(env, { userId: 1, name: 'fuzz', expiresAt: null, scope: null }),
  );
  await world.work(async (env) => {
    const tags = await env.model('shop.tag').createMany([{ name: 'red' }, { name: 'blue' }]);
    const line_ids = [['create', { name: 'a', qty: 2, price: '0.10' }]];
    const orders = Array.from({ length: 12 }, (_, at) => ({ name: `order ${at}`, line_ids, tag_ids: [['set', tags]] }));
    await env.model('shop.order').createMany(orders);
  });
  return {
    ...world,
    async close() {
      agent.destroy();
      await world.close();
    },
    post: (body) =>
      new Promise((resolve, reject) => {
        const bytes = Buffer.from(body);
        const headers = { 'content-type': 'application/json', 'x-api-key': secret, 'content-length': bytes.length };
        const sent = request(`${world.url}/api/rpc`, { method: 'POST', agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          );
        });
        sent.on('error', reject);
        sent.end(bytes);
      }),
  };
}

interface Envelope {
  readonly ok: unknown;
  readonly result: unknown;
  readonly error: { readonly code: ErrorCode; readonly message: unknown; readonly details: unknown } | null;
}

const inside =
  /\bselect .* from\b|\binsert into\b|\bupdate \S+ set\b|\bdelete from\b|pg_|syntax error|at position|\.ts:\d+/i;

/** What is wrong with an answer; null when it is a whole envelope whose code and status belong together. */
export function flaw({ status, text }: Answer): string | null {
  const envelope = JSON.parse(text) as Envelope;
  if (Object.keys(envelope).join() !== 'ok,result,error') return `not an envelope: ${text.slice(0, 200)}`;
  if (envelope.ok === true) return status === 200 && envelope.error === null ? null : `${status} with ok`;
  const { error } = envelope;
  if (envelope.ok !== false || envelope.result !== null || error === null) return `neither: ${text.slice(0, 200)}`;
  const known = errorCatalogue[error.code] as { status: number } | undefined;
  if (!known || known.status !== status) return `${status} with ${error.code}`;
  if (typeof error.message !== 'string' || typeof error.details !== 'object' || error.details === null)
    return 'half an error';
  if (error.code === 'INTERNAL_ERROR') return 'INTERNAL_ERROR';
  return inside.test(error.message) ? `speaks of its inside: ${error.message}` : null;
}

/** What the log has to say about an answer: the error behind it and where it comes from. */
export function failureOf({ log }: FuzzWorld, { text }: Answer): string {
  const id = /"request_id":"([^"]+)"/.exec(text)?.[1];
  const line = id === undefined ? undefined : log.find((each) => each.includes(id));
  if (line === undefined) return '';
  const { err } = JSON.parse(line) as { err?: { message?: string; stack?: string } };
  return `\n  ${err?.message ?? ''}\n${(err?.stack ?? '').split('\n').slice(0, 8).join('\n')}`;
}
