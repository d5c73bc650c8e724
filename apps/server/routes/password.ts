import {
  createResetToken,
  hasMail,
  isResetToken,
  type Kernel,
  requestReset,
  resetMail,
  resetPassword,
  sendMail,
  systemActor,
} from '@kontor/kernel';
import { invalidArgs, KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkCsrf } from '../guards/csrf.ts';
import { checkOwnOrigin } from '../guards/origin.ts';
import { checkAdmin, signedIn } from '../guards/signed-in.ts';
import { idField, readFields, textField } from '../http/fields.ts';
import { setFlash } from '../http/flash.ts';
import { givenCsrf } from '../http/given-csrf.ts';
import { nextPath } from '../http/next-path.ts';
import { isSecureRequest } from '../http/secure.ts';
import { deadLinkPage, forgotPage, resetPage } from '../pages/password-pages.ts';

export function passwordRoutes(server: FastifyInstance, kernel: Kernel): void {
  adminReset(server, kernel);
  chooseNew(server, kernel);
  if (hasMail(kernel.config)) forgotten(server, kernel);
}

function adminReset(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/action/reset_password', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller);
    const id = idField(fields, 'id');
    if (id === null) throw invalidArgs('id must name a user.', { field: 'id' });
    const { result } = await kernel.transact(caller.actor, async (env) => {
      const [user] = await env.model('core.user').read([id], ['name', 'email']);
      return { name: String(user?.name), email: user?.email, token: await createResetToken(env.db, id) };
    });
    const link = linkOf(request, result.token);
    const isSecure = isSecureRequest(kernel.config, request);
    if (hasMail(kernel.config) && typeof result.email === 'string' && result.email !== '') {
      await sendMail(kernel.config, resetMail(result.email, link));
      setFlash(
        reply,
        { kind: 'success', title: 'Mail sent', body: `${result.name} gets a link, good for an hour.` },
        isSecure,
      );
    } else {
      setFlash(reply, { kind: 'secret', title: `Link for ${result.name}, good for an hour`, body: link }, isSecure);
    }
    return reply.redirect(nextPath(textField(fields, 'next'), '/web/settings'), 303);
  });
}

function chooseNew(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/reset-password', async (request, reply) => {
    const token = String((request.query as { token?: unknown }).token ?? '');
    const isGood = (await kernel.isInitialised()) && (await isResetToken(kernel.database, token));
    return isGood
      ? sendPage(reply, 200, resetPage(reply.nonce, token))
      : sendPage(reply, 404, deadLinkPage(reply.nonce));
  });

  server.post('/web/reset-password', async (request, reply) => {
    checkOwnOrigin(request);
    const fields = readFields(request);
    const token = textField(fields, 'token');
    try {
      const { result: isDone } = await kernel.transact(systemActor, (env) =>
        resetPassword(env, token, textField(fields, 'password')),
      );
      if (!isDone) return sendPage(reply, 404, deadLinkPage(reply.nonce));
    } catch (error) {
      const problems = passwordProblems(error);
      if (!problems) throw error;
      return sendPage(reply, 422, resetPage(reply.nonce, token, problems));
    }
    const isSecure = isSecureRequest(kernel.config, request);
    setFlash(reply, { kind: 'success', title: 'Password set', body: 'Sign in with your new password.' }, isSecure);
    return reply.redirect('/web/login', 303);
  });
}

/** The same answer at the same time whoever asks: the work is done after it. */
function forgotten(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/forgot-password', async (_request, reply) => sendPage(reply, 200, forgotPage(reply.nonce)));

  server.post('/web/forgot-password', async (request, reply) => {
    checkOwnOrigin(request);
    const login = textField(readFields(request), 'login');
    const link = (token: string) => linkOf(request, token);
    setImmediate(() => {
      mailLink(kernel, login, link).catch((error: unknown) =>
        request.log.warn({ err: error }, 'reset mail was not sent'),
      );
    });
    const isSecure = isSecureRequest(kernel.config, request);
    const body = 'If the login is known, a link is on its way.';
    setFlash(reply, { kind: 'info', title: 'Check your mail', body }, isSecure);
    return reply.redirect('/web/login', 303);
  });
}

async function mailLink(kernel: Kernel, login: string, link: (token: string) => string): Promise<void> {
  const request = await requestReset(kernel.database, login);
  if (request) await sendMail(kernel.config, resetMail(request.email, link(request.token)));
}

function linkOf(request: FastifyRequest, token: string): string {
  return `${request.protocol}://${request.host}/web/reset-password?token=${token}`;
}

function passwordProblems(error: unknown): readonly string[] | null {
  if (!(error instanceof KontorError) || error.code !== 'VALIDATION_ERROR') return null;
  const fields = error.details.fields as Record<string, readonly string[]> | undefined;
  return fields?.password ?? null;
}

function sendPage(reply: FastifyReply, status: number, content: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}
