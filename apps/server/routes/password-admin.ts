import { createResetToken, hasMail, type Kernel, resetMail, sendMail } from '@kontor/kernel';
import { invalidArgs } from '@kontor/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
    const { result } = await kernel.transact(caller.actor, async (env) => {
      const [user] = await env.model('core.user').read([id], ['name', 'email']);
      const person = { name: String(user?.name), email: String(user?.email ?? '') };
      return { person, token: await createResetToken(env.db, id) };
    });
    const link = `${ownAddress(request)}/web/reset-password?token=${result.token}`;
    const toast = await hand(kernel, request, result.person, link);
    setFlash(reply, toast, isSecureRequest(kernel.config, request));
    return reply.redirect(nextPath(textField(fields, 'next'), '/web/settings'), 303);
  });
}

/** A mail server that is away is no reason to leave somebody without their link. */
async function hand(kernel: Kernel, request: FastifyRequest, person: Person, link: string): Promise<Toast> {
  const shown: Toast = { kind: 'secret', title: `Link for ${person.name}, good for an hour`, body: link };
  if (!hasMail(kernel.config) || person.email === '') return shown;
  try {
    await sendMail(kernel.config, resetMail(person.email, link));
    return { kind: 'success', title: 'Mail sent', body: `${person.name} gets a link, good for an hour.` };
  } catch (error) {
    request.log.warn({ err: error }, 'reset mail was not sent');
    return { ...shown, title: `The mail could not be sent. ${shown.title}` };
  }
}
