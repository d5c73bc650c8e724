import { type Kernel, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { createResetToken, queueMail, resetMail } from '@kontor/parts';
import { invalidArgs, text } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { checkCsrf } from '../guards/csrf.ts';
import { checkAdmin, signedIn } from '../guards/signed-in.ts';
import { idField, readFields, textField } from '../http/fields.ts';
import { setFlash, type Toast } from '../http/flash.ts';
import { givenCsrf } from '../http/given-csrf.ts';
import { nextPath } from '../http/next-path.ts';
import { ownAddress } from '../http/own-address.ts';
import { isSecureRequest } from '../http/secure.ts';

interface Person {
  readonly name: string;
  readonly email: string;
  readonly lang: string;
}

/** An administrator gives somebody a link to choose a password: by mail, or on their own screen where there is none. */
export function adminReset(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/action/reset_password', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller);
    const id = idField(fields, 'id');
    if (id === null) throw invalidArgs('id must name a user.', { field: 'id' });
    const address = ownAddress(request);
    const { result: toast } = await kernel.transact(caller.actor, async (env) => {
      const [user] = await env.model('core.user').read([id], ['name', 'email', 'lang']);
      const link = `${address}/web/reset-password?token=${await createResetToken(env.db, id)}`;
      const person = { name: String(user?.name), email: String(user?.email ?? ''), lang: String(user?.lang) };
      return hand(env, person, link);
    });
    setFlash(reply, toast, isSecureRequest(kernel.config, request));
    return reply.redirect(nextPath(textField(fields, 'next'), '/web/settings'), 303);
  });
}

/** By the mail queue, which tries until the server takes it; on the screen where there is no mail, or no address. */
async function hand(env: Env, { name, email, lang }: Person, link: string): Promise<Toast> {
  const { say } = wordsIn(env, env.actor.lang);
  if (email !== '' && (await queueMail(env, resetMail(email, link, wordsIn(env, lang))))) {
    return {
      kind: 'success',
      title: say('Mail sent'),
      body: say(text('{name} gets a link, good for an hour.', { name })),
    };
  }
  return { kind: 'secret', title: say(text('Link for {name}, good for an hour', { name })), body: link };
}
