import { randomUUID } from 'node:crypto';
import {
  type ActionCall,
  afterCommit,
  type Env,
  type OutsideResult,
  outsideRequests,
  text,
  wordsFor,
} from '@kontor/addon';
import { requestLimits } from './deliver.ts';
import { meaningOf } from './finish.ts';
import { bodyOf, messageOf } from './message.ts';

const problems = {
  status: text('The receiver rejected it.'),
  redirect: text('The receiver redirects, which is not followed.'),
  late: text('No answer in time.'),
  unreachable: text('No connection.'),
  refused: text('The address is not on the public internet.'),
} as const;

/**
 * Sent directly and not through the queue, so that the user sees the receiver's answer; after the commit, so that no
 * locks are held while the receiver responds. It contains no record.
 */
export async function sendTest({ env, records }: ActionCall<'webhook.subscription'>): Promise<void> {
  const { id } = await records.only('id');
  // As the server: the secret is used for signing and cannot be read, and users cannot write the result. The caller may
  // write this webhook, as checked before; they learn only how its receiver answers.
  const server = env.sudo().model('webhook.subscription');
  const [row] = await server.read([id], ['model', 'url', 'secret', 'secret_before', 'secret_before_until']);
  if (!row) return;
  const event = { event: 'test', model: row.model, res_id: null, changed: null, change_set: null } as const;
  const key = `msg_test_${randomUUID().replaceAll('-', '')}`;
  const body = bodyOf(id, { ...event, key, happened_at: env.now.toISOString() }, null);
  const message = messageOf(row, key, body, env.now);
  const request = outsideRequests(env);
  afterCommit(env, async (transact) => {
    const result = await request({ url: row.url, ...message, ...requestLimits, timeoutMs: 8_000 });
    await transact((later) => keepResult(later, id, result));
  });
}

async function keepResult(env: Env, id: number, result: OutsideResult): Promise<void> {
  const { isSent, values } = meaningOf(result, env.now);
  const { say } = await wordsFor(env, env.uid, 'webhooks');
  const took = { status: values.status ?? 0, ms: values.ms };
  const said = isSent ? text('Accepted with {status} in {ms} ms.', took) : problems[values.problem ?? 'status'];
  const status = !isSent && values.status !== null ? ` (${values.status})` : '';
  // As the server, as above; it may have been deleted meanwhile.
  const server = env.sudo().model('webhook.subscription');
  const there = await server.search([['id', '=', id]]);
  await server.write(there, {
    tested_at: env.now.toISOString(),
    test_result: `${say(said)}${status}`,
    test_answer: values.answer,
  });
}
