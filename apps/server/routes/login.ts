import type { Kernel } from '@kontor/kernel';
import { csrfToken, endSession, mailSettings, signIn, toLoginName } from '@kontor/parts';
import { KontorError, type Queue, queue } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerPost, nextPath } from '../answers/answer-post.ts';
import { findCaller, keepSession, sessionCookie } from '../guards/authenticate.ts';
import { checkOwnOrigin } from '../guards/setup-right.ts';
import { addCookie, isSecureRequest, readCookies, takeFlash, writeCookie } from '../http/cookies.ts';
import { wantsJson } from '../http/envelope.ts';
import { readFields, textField } from '../http/fields.ts';
import { clientOf, type RateLimits } from '../limits/rate-limits.ts';
import { loginFailure, loginPage } from '../pages/sign-in-pages.ts';

const home = '/web/home';

/** Tries of one login from one address that wait for each other, before further ones are refused. */
const maxTries = 20;

export function loginRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  const hasMail = async () => (await mailSettings(kernel.database, kernel.config)) !== null;
  // A try counts as failed until it has succeeded; several at once with the right password must not lock each other out.
  const turns = createNamedQueues(maxTries);
  const limit = async (request: FastifyRequest): Promise<void> => {
    if (kernel.config.rateLimitRpm > 0) await limits.login(clientOf(await findCaller(kernel, request), request));
  };

  server.get('/web/login', { onRequest: limit }, async (request, reply) => {
    const next = nextPath(String((request.query as { next?: unknown }).next ?? ''), home);
    if ((await findCaller(kernel, request))?.kind === 'session') return reply.redirect(next, 302);
    const flash = takeFlash(request, reply, isSecureRequest(kernel.config, request));
    return sendPage(
      reply,
      200,
      loginPage({
        nonce: reply.nonce,
        words: request.words,
        next,
        hasMail: await hasMail(),
        message: flash?.body ?? null,
      }),
    );
  });

  server.post('/web/login', { onRequest: limit }, async (request, reply) => {
    checkOwnOrigin(request);
    const fields = readFields(request);
    const login = textField(fields, 'login');
    const next = nextPath(textField(fields, 'next'), home);
    const credentials = {
      login,
      password: textField(fields, 'password'),
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    };
    const pair = `${toLoginName(login)} ${request.ip}`;
    const session = await turns.run(pair, () => signIn(kernel.database.urgent, credentials));
    if (!session) return refuse(request, reply, login, next, await hasMail());
    await leave(kernel, request);
    keepSession(kernel, request, reply, session.token);
    return answerPost(request, reply, { csrfToken: csrfToken(session.token) }, next);
  });

  server.get('/web/logout', async (request, reply) => {
    await leave(kernel, request);
    const isSecure = isSecureRequest(kernel.config, request);
    addCookie(reply, writeCookie(sessionCookie, '', { isSecure, maxAgeSeconds: 0 }));
    return reply.redirect('/web/login', 303);
  });
}

/** A new sign-in replaces the session of this browser; the old one must not live on. */
async function leave(kernel: Kernel, request: FastifyRequest): Promise<void> {
  const token = readCookies(request.headers.cookie).get(sessionCookie);
  if (!token) return;
  await endSession(kernel.database.urgent, token);
  kernel.ring();
}

function refuse(request: FastifyRequest, reply: FastifyReply, login: string, next: string, canMail: boolean) {
  request.failure = 'UNAUTHORIZED';
  if (wantsJson(request)) throw new KontorError('UNAUTHORIZED', loginFailure);
  const { words } = request;
  const content = loginPage({ nonce: reply.nonce, words, next, login, hasFailed: true, hasMail: canMail });
  return sendPage(reply, 401, content);
}

function sendPage(reply: FastifyReply, status: number, content: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}

/** Runs work of one name one after another; work of different names at the same time. */
interface NamedQueues {
  /** Null when too many wait already. */
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
