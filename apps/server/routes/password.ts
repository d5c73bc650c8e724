import { hasMail, type Kernel, systemActor } from '@kontor/kernel';
import { isResetToken, resetPassword } from '@kontor/parts';
import { KontorError, type Translate } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkOwnOrigin } from '../guards/origin.ts';
import { readFields, textField } from '../http/fields.ts';
import { setFlash } from '../http/flash.ts';
import { isSecureRequest } from '../http/secure.ts';
import { sendError } from '../http/send-error.ts';
import { wantsJson } from '../http/wants-json.ts';
import { deadLinkPage, resetPage } from '../pages/password-pages.ts';
import { adminReset } from './password-admin.ts';
import { forgotten } from './password-forgotten.ts';

export function passwordRoutes(server: FastifyInstance, kernel: Kernel): void {
  adminReset(server, kernel);
  chooseNew(server, kernel);
  if (hasMail(kernel.config)) forgotten(server, kernel);
}

function chooseNew(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/reset-password', async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    const isGood = typeof token === 'string' && (await isResetToken(kernel.database, token));
    return isGood
      ? sendPage(reply, 200, resetPage({ nonce: reply.nonce, words: request.words, token }))
      : refuse(request, reply);
  });

  server.post('/web/reset-password', async (request, reply) => {
    checkOwnOrigin(request);
    const fields = readFields(request);
    const token = textField(fields, 'token');
    try {
      const { result: isDone } = await kernel.transact(systemActor, (env) =>
        resetPassword(env, token, textField(fields, 'password')),
      );
      if (!isDone) return refuse(request, reply);
    } catch (error) {
      const { words } = request;
      const problems = wantsJson(request) ? null : passwordProblems(error, words.say);
      if (!problems) throw error;
      return sendPage(reply, 422, resetPage({ nonce: reply.nonce, words, token, problems }));
    }
    const isSecure = isSecureRequest(kernel.config, request);
    const { say } = request.words;
    const toast = { title: say('Password set'), body: say('Sign in with your new password.') };
    setFlash(reply, { kind: 'success', ...toast }, isSecure);
    return reply.redirect('/web/login', 303);
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = new KontorError('NOT_FOUND', 'This link is no longer good.');
  if (wantsJson(request)) return sendError(request, reply, error);
  request.failure = error.code;
  return sendPage(reply, 404, deadLinkPage(reply.nonce, request.words));
}

function passwordProblems(error: unknown, say: Translate): readonly string[] | null {
  if (!(error instanceof KontorError) || error.code !== 'VALIDATION_ERROR') return null;
  const fields = error.told(say).details.fields as Record<string, readonly string[]> | undefined;
  return fields?.password ?? null;
}

function sendPage(reply: FastifyReply, status: number, content: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}
