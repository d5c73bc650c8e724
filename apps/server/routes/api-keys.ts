import { type Kernel, rpcMethods } from '@kontor/kernel';
import { createApiKey, type KeyScope, toScope } from '@kontor/parts';
import { didYouMean, KontorError, text, ValidationError } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { nextPath } from '../answers/answer-post.ts';
import { checkAdmin, checkCsrf, givenCsrf, signedIn } from '../guards/authenticate.ts';
import { isSecureRequest, setFlash } from '../http/cookies.ts';
import { type Fields, idField, readFields, textField } from '../http/fields.ts';

export function apiKeyRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/action/create_api_key', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller);
    const key = {
      userId: idField(fields, 'user_id') ?? caller.actor.uid,
      name: keyName(fields),
      expiresAt: textField(fields, 'expires_at') || null,
      scope: scopeOf(fields),
    };
    const { result } = await kernel.transact(caller.actor, async (env) => {
      await env.model('core.user').read([key.userId], ['id']);
      return createApiKey(env, key);
    });
    const isSecure = isSecureRequest(kernel.config, request);
    setFlash(
      reply,
      { kind: 'secret', title: request.words.say(text('API key {name}', { name: key.name })), body: result.secret },
      isSecure,
    );
    return reply.redirect(nextPath(textField(fields, 'next'), '/web/settings'), 303);
  });
}

function keyName(fields: Fields): string {
  const name = textField(fields, 'name').trim();
  if (name !== '') return name;
  throw new ValidationError({ name: ['A name says which integration the key is for.'] });
}

/** A model may come with an addon later; a method that does not exist never will. */
function scopeOf(fields: Fields): KeyScope | null {
  const scope = givenScope(fields);
  for (const method of Object.values(scope ?? {}).flat()) {
    if (rpcMethods.has(method)) continue;
    throw new ValidationError({ scope: [`There is no method "${method}".${didYouMean(method, rpcMethods.keys())}`] });
  }
  return scope;
}

function givenScope(fields: Fields): KeyScope | null {
  const given = Object.hasOwn(fields, 'scope') ? fields.scope : undefined;
  if (given === undefined || given === '') return null;
  if (typeof given !== 'string') return toScope(given);
  try {
    return toScope(JSON.parse(given));
  } catch (error) {
    if (error instanceof KontorError) throw error;
    throw new ValidationError({ scope: ['A scope is JSON, such as {"sale.order": ["read"]}.'] });
  }
}
