import { hasProvider, type Kernel } from '@kontor/kernel';
import {
  checkPassword,
  type Factors,
  mailSettings,
  newTotp,
  noteFailedSignIn,
  type Person,
  sealSecret,
  toLoginName,
} from '@kontor/parts';
import { KontorError, type Queue, queue } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerPost, nextPath } from '../answers/answer-post.ts';
import { findCaller, sessionCookie } from '../guards/authenticate.ts';
import { checkOwnOrigin } from '../guards/setup-right.ts';
import { addCookie, isSecureRequest, writeCookie } from '../http/cookies.ts';
import { wantsJson } from '../http/envelope.ts';
import { readFields, textField } from '../http/fields.ts';
import { takeFlash } from '../http/flash.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { loginFailure, loginPage } from '../pages/sign-in-pages.ts';
import { finishSignIn, leave, waitFor } from './sign-in-steps.ts';

const home = '/web/home';

/** Attempts for one login from one address that are queued, before further ones are rejected. */
const maxTries = 20;

export function loginRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  const hasMail = async () => (await mailSettings(kernel.database, kernel.config)) !== null;
  // An attempt counts as failed until it succeeds; several at once with the right password must not lock each other
  // out.
  const turns = createNamedQueues(maxTries);
  const limit = async (request: FastifyRequest): Promise<void> => {
    await limits.login(request);
  };

  server.get('/web/login', { onRequest: limit }, async (request, reply) => {
    const next = nextPath(String((request.query as { next?: unknown }).next ?? ''), home);
    if ((await findCaller(kernel, request))?.kind === 'session') return reply.redirect(next, 302);
    const flash = await takeFlash(kernel, { request, reply }, null);
    return sendPage(
      reply,
      200,
      loginPage({
        nonce: reply.nonce,
        words: request.words,
        next,
        hasMail: await hasMail(),
        message: flash?.body ?? null,
        isProblem: flash?.kind === 'error',
        provider: providerLabel(kernel),
      }),
    );
  });

  server.post('/web/login', { onRequest: limit }, async (request, reply) => {
    checkOwnOrigin(request);
    const fields = readFields(request);
    const login = textField(fields, 'login');
    const next = nextPath(textField(fields, 'next'), home);
    const credentials = { login, password: textField(fields, 'password'), address: request.ip };
    const pair = `${toLoginName(login)} ${request.ip}`;
    const verdict = await turns.run(pair, () =>
      checkPassword(kernel.database.urgent, credentials, hasProvider(kernel.config)),
    );
    if (!verdict?.isRight) {
      if (verdict && !verdict.isLocked) await noteFailure(kernel, request, verdict.uid);
      return refuse({ request, reply }, { login, next, canMail: await hasMail(), provider: providerLabel(kernel) });
    }
    return goOn(kernel, { request, reply }, verdict, next);
  });

  server.get('/web/logout', async (request, reply) => {
    await leave(kernel, request);
    const isSecure = isSecureRequest(kernel.config, request);
    addCookie(reply, writeCookie(sessionCookie, '', { isSecure, maxAgeSeconds: 0 }));
    return reply.redirect('/web/login', 303);
  });
}

/** The password was correct. Users with a second factor are asked for it next; users who must have one enrol it. */
async function goOn(
  kernel: Kernel,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { person, factors }: { readonly person: Person; readonly factors: Factors },
  next: string,
): Promise<FastifyReply> {
  const { hasTotp, hasPasskey, isRequired } = factors;
  const { request, reply } = exchange;
  if (hasTotp || hasPasskey) {
    const methods = [...(hasTotp ? ['totp'] : []), ...(hasPasskey ? ['passkey'] : []), 'recovery'];
    await waitFor(kernel, exchange, { kind: 'factor', uid: person.uid, data: { next, methods } });
    return answerPost(request, reply, { secondFactor: { methods } }, '/web/login/factor');
  }
  if (isRequired) {
    const { secret } = newTotp(person.login);
    await waitFor(kernel, exchange, {
      kind: 'enrol',
      uid: person.uid,
      data: { next, secret: sealSecret(kernel.config.factorKey, secret) },
    });
    return answerPost(request, reply, { secondFactor: { enrol: '/web/login/enrol' } }, '/web/login/enrol');
  }
  return finishSignIn(kernel, exchange, person, { method: 'password', next });
}

interface LoginFields {
  readonly login: string;
  readonly next: string;
  readonly canMail: boolean;
  readonly provider: string | null;
}

/** The label of its button; null: there is no provider. */
function providerLabel({ config }: Kernel): string | null {
  return hasProvider(config) ? config.oidcLabel : null;
}

function noteFailure(kernel: Kernel, request: FastifyRequest, uid: number | null): Promise<void> {
  const origin = { address: request.ip, requestId: request.id };
  return noteFailedSignIn(kernel.database.urgent, { uid, method: 'password', ...origin });
}

function refuse(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { login, next, canMail, provider }: LoginFields,
) {
  request.failure = 'UNAUTHORIZED';
  if (wantsJson(request)) throw new KontorError('UNAUTHORIZED', loginFailure);
  const { words } = request;
  const content = loginPage({ nonce: reply.nonce, words, next, login, hasFailed: true, hasMail: canMail, provider });
  return sendPage(reply, 401, content);
}

function sendPage(reply: FastifyReply, status: number, content: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}

/** Runs work with the same name one after another; work with different names concurrently. */
interface NamedQueues {
  /** Null if too many are waiting already. */
  run<T>(name: string, work: () => Promise<T>): Promise<T | null>;
}

function createNamedQueues(maxWaiting: number): NamedQueues {
  const queues = new Map<string, Queue>();

  return {
    async run(name, work) {
      const own = queues.get(name) ?? queue();
      if (own.length >= maxWaiting) return null;
      queues.set(name, own);
      try {
        return await own.run(work);
      } finally {
        if (own.length === 0) queues.delete(name);
      }
    },
  };
}
