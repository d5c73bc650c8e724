import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Env,
  inSavepoint,
  KontorError,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  wakeQueue,
} from '@kontor/addon';
import { readWhen } from '../running/when.ts';
import { valuesIn } from './read-message.ts';

/** A message that is older, or from the future, is rejected, so that it cannot be sent again later. */
const toleranceMs = 5 * 60_000;
const mostBytes = 100_000;

/** `POST /automations/in/7`: signed as defined by Standard Webhooks, with the key of the automation. */
export const incomingRoute: RouteSpec = {
  method: 'POST',
  path: '/automations/in/:rule',
  auth: 'none',
  handler: takeMessage,
};

async function takeMessage(request: RouteRequest): Promise<RouteAnswer> {
  const { env, body, headers } = request;
  if ((request.bytes?.byteLength ?? 0) > mostBytes)
    throw new KontorError('PAYLOAD_TOO_LARGE', 'A message has at most 100 kB.');
  const rule = await signedRule(request);
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body))
    throw new KontorError('VALIDATION_ERROR', 'Send a JSON object.');
  // As the server: the sender is no user; the signature opened this automation, which does what its author may do.
  const server = env.sudo();
  const key = `${rule.id} ${String(headers['webhook-id']).slice(0, 180)}`;
  const payload = valuesIn(body, readWhen(rule.when).fields);
  const result = await keepOnce(server, { rule_id: rule.id, model: rule.model, key, payload });
  wakeQueue(env, 'automation.run');
  return { status: result.duplicate ? 200 : 202, body: { ok: true, result, error: null } };
}

type NewRun = Parameters<ReturnType<typeof runsOf>['create']>[0] & { readonly key: string };
const runsOf = (env: Env) => env.model('automation.run');

/** The same message may arrive twice at once: the second waits for the first, and is answered as one that came later. */
async function keepOnce(env: Env, run: NewRun): Promise<{ readonly id: number; readonly duplicate: boolean }> {
  const find = () => runsOf(env).search([['key', '=', run.key]]);
  const [known] = await find();
  if (known !== undefined) return { id: known, duplicate: true };
  try {
    return { id: await inSavepoint(env, () => runsOf(env).create(run)), duplicate: false };
  } catch (error) {
    const [first] = await find();
    if (first === undefined) throw error;
    return { id: first, duplicate: true };
  }
}

/** A missing automation is answered like a wrong signature. */
async function signedRule({ env, params, headers, bytes }: RouteRequest) {
  const id = /^[1-9]\d{0,8}$/.test(params.rule ?? '') ? Number(params.rule) : 0;
  const [rule] = await env
    .sudo()
    .model('automation.rule')
    .searchRead(
      [
        ['id', '=', id],
        ['trigger', '=', 'hook'],
        ['state', '=', 'on'],
      ],
      ['model', 'when', 'secret'],
    );
  const { 'webhook-id': key = '', 'webhook-timestamp': time = '', 'webhook-signature': given = '' } = headers;
  const isNow = /^\d{1,12}$/.test(time) && Math.abs(Number(time) * 1_000 - env.now.getTime()) <= toleranceMs;
  const isKey = /^[\x21-\x7e]{1,180}$/.test(key);
  const secret = rule?.secret ?? 'whsec_';
  const signed = `${key}.${time}.${Buffer.from(bytes ?? []).toString('utf8')}`;
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest();
  if (!rule?.secret || !isKey || !isNow || !isSignature(given, expected))
    throw new KontorError(
      'UNAUTHORIZED',
      'Sign the message with the key of this automation, with webhook-id, webhook-timestamp and webhook-signature.',
    );
  return rule;
}

/** One of several signatures, in constant time. */
function isSignature(given: string, expected: Buffer): boolean {
  return given
    .slice(0, 1_000)
    .split(' ')
    .map((each) => Buffer.from(each.startsWith('v1,') ? each.slice(3) : '', 'base64'))
    .some((actual) => actual.length === expected.length && timingSafeEqual(actual, expected));
}
