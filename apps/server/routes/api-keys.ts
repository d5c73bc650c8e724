import type { Kernel } from '@kontor/kernel';
import { createApiKey, type KeyAgent, overlapHours, readHeld, readScope, rotateApiKey } from '@kontor/parts';
import { invalidArgs, text, ValidationError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nextPath } from '../answers/answer-post.ts';
import { checkAdmin, checkCsrf, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { type Fields, idField, readFields, textField } from '../http/fields.ts';
import { setSecretFlash } from '../http/flash.ts';

/** What an RPC call has no answer for: a secret, which the next page shows once. */
export function apiKeyRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/action/create_api_key', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller, 'core.user.apikey', 'create');
    const key = {
      userId: idField(fields, 'user_id') ?? caller.actor.uid,
      name: textField(fields, 'name').trim(),
      expiresAt: textField(fields, 'expires_at') || null,
      scope: readScope(Object.hasOwn(fields, 'scope') ? fields.scope : undefined),
      agent: agentOf(fields),
      rate: numberField(fields, 'rate'),
    };
    const { result } = await kernel.transact(caller.actor, (env) => createApiKey(env, key), originOf(request, caller));
    return showOnce({ kernel, uid: caller.actor.uid, request, reply, fields }, key.name, result.secret);
  });

  server.post('/web/action/rotate_api_key', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const id = idField(fields, 'id');
    if (id === null) throw invalidArgs('id must name a key.', { field: 'id' });
    const hours = numberField(fields, 'overlap_hours') ?? overlapHours.usual;
    const { result } = await kernel.transact(
      caller.actor,
      (env) => rotateApiKey(env, id, hours),
      originOf(request, caller),
    );
    return showOnce({ kernel, uid: caller.actor.uid, request, reply, fields }, result.name, result.secret);
  });
}

interface Post {
  readonly kernel: Kernel;
  readonly uid: number;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly fields: Fields;
}

async function showOnce(
  { kernel, uid, request, reply, fields }: Post,
  name: string,
  secret: string,
): Promise<FastifyReply> {
  const title = request.words.say(text('API key {name}', { name }));
  await setSecretFlash(kernel, { request, reply }, uid, { title, body: secret });
  return reply.redirect(nextPath(textField(fields, 'next'), '/web/settings'), 303);
}

/** Null: the key belongs to a plain program. */
function agentOf(fields: Fields): KeyAgent | null {
  const name = textField(fields, 'agent').trim();
  const held = readHeld(Object.hasOwn(fields, 'held') ? fields.held : undefined);
  if (name === '' && held !== null)
    throw new ValidationError({ agent: ['Only changes of an agent can require approval. Enter its name.'] });
  if (name.length > 40 || hasControls(name)) {
    throw new ValidationError({ agent: ['The name of an agent has at most 40 characters, on one line.'] });
  }
  return name === '' ? null : { name, held, approverId: idField(fields, 'approver_id') };
}

function hasControls(value: string): boolean {
  return /\p{C}/u.test(value);
}

function numberField(fields: Fields, name: string): number | null {
  const given = textField(fields, name).trim();
  if (given === '') return null;
  if (/^\d{1,7}$/.test(given)) return Number(given);
  throw new ValidationError({ [name]: ['Enter a whole number.'] });
}
