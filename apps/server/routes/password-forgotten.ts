import { type Kernel, systemActor, wordsIn } from '@kontor/kernel';
import { queueMail, requestReset, resetMail } from '@kontor/parts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { checkOwnOrigin } from '../guards/origin.ts';
import { readFields, textField } from '../http/fields.ts';
import { setFlash } from '../http/flash.ts';
import { publicAddress } from '../http/own-address.ts';
import { isSecureRequest } from '../http/secure.ts';
import { clientOf } from '../limits/client-of.ts';
import { createTokenBuckets } from '../limits/token-buckets.ts';
import { forgotPage } from '../pages/password-pages.ts';

/** Mails that one address can cause in a minute; for one person it is one. */
const perMinute = 5;

/** The same answer at the same time whoever asks: the work is done after it. */
export function forgotten(server: FastifyInstance, kernel: Kernel): void {
  const underway = new Set<Promise<void>>();
  const buckets = createTokenBuckets({ perMinute });
  server.addHook('onClose', async () => {
    await Promise.all(underway);
  });

  server.get('/web/forgot-password', async (request, reply) => sendPage(reply, forgotPage(reply.nonce, request.words)));

  server.post('/web/forgot-password', async (request, reply) => {
    checkOwnOrigin(request);
    const login = textField(readFields(request), 'login');
    if (buckets.take(clientOf(null, request)) === 0) {
      const work = publicAddress(kernel, request)
        .then((address) => mailLink(kernel, login, address))
        .catch((error: unknown) => request.log.warn({ err: error }, 'reset mail was not sent'));
      underway.add(work);
      void work.finally(() => underway.delete(work));
    }
    const { say } = request.words;
    const toast = { title: say('Check your mail'), body: say('If the login is known, a link is on its way.') };
    setFlash(reply, { kind: 'info', ...toast }, isSecureRequest(kernel.config, request));
    return reply.redirect('/web/login', 303);
  });
}

async function mailLink(kernel: Kernel, login: string, address: string): Promise<void> {
  await kernel.transact(systemActor, async (env) => {
    const request = await requestReset(env.db, login);
    if (!request) return;
    const link = `${address}/web/reset-password?token=${request.token}`;
    await queueMail(env, resetMail(request.email, link, wordsIn(env, request.lang)));
  });
}

function sendPage(reply: FastifyReply, content: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(content);
}
