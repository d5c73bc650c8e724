import { type Kernel, type KeyScope, methodsOf, rpcMethods } from '@kontor/kernel';
import { type Env, toJson } from '@kontor/orm';
import { createApiKey, type KeyAgent, switchCompany, toHeld, toScope } from '@kontor/parts';
import { accessDenied, didYouMean, invalidArgs, KontorError, type Text, text, ValidationError } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { answerPost, nextPath } from '../answers/answer-post.ts';
import { checkAdmin, checkCsrf, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { isSecureRequest, setFlash } from '../http/cookies.ts';
import { okEnvelope } from '../http/envelope.ts';
import { type Fields, idField, readFields, textField } from '../http/fields.ts';

/** The company that a person acts in from now on, in this session. */
export function companyRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/company/switch', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const companyId = idField(fields, 'company_id');
    if (companyId === null) throw invalidArgs('company_id must name a company.', { field: 'company_id' });
    if (!caller.actor.companyIds.includes(companyId)) {
      throw accessDenied('core.company', 'read', 'rule', { message: text('This company is not among yours.') });
    }
    await switchCompany(kernel.database, caller.sessionId, companyId);
    kernel.ring();
    return answerPost(request, reply, { company_id: companyId }, nextPath(textField(fields, 'next'), '/web/home'));
  });
}

/** Which apps a person wants first, in their order. Names that mean nothing (any more) are dropped. */
export function pinnedAppsRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/user/pinned-apps', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const { modules: given } = fields;
    if (!Array.isArray(given) || !given.every((name) => typeof name === 'string')) {
      throw invalidArgs('modules must be an array of module names.', { field: 'modules' });
    }
    const { states } = kernel.loaded;
    const modules = [...new Set(given as string[])].filter(
      (name) => (states.get(name) ?? 'uninstalled') !== 'uninstalled',
    );
    await kernel.transact(
      caller.actor,
      (env) => env.sudo().model('core.user').write([caller.actor.uid], { pinned_apps: modules }),
      originOf(request, caller),
    );
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson({ modules })));
  });
}

export function apiKeyRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/action/create_api_key', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller, 'core.user.apikey', 'create');
    const key = {
      userId: idField(fields, 'user_id') ?? caller.actor.uid,
      name: keyName(fields),
      expiresAt: textField(fields, 'expires_at') || null,
      scope: scopeOf(fields),
      agent: agentOf(fields),
    };
    const make = async (env: Env) => {
      const [owner] = await env.model('core.user').read([key.userId], ['active']);
      checkOfUse(env.now, key.expiresAt, owner?.active === true);
      return createApiKey(env, key);
    };
    const { result } = await kernel.transact(caller.actor, make, originOf(request, caller));
    const isSecure = isSecureRequest(kernel.config, request);
    setFlash(
      reply,
      { kind: 'secret', title: request.words.say(text('API key {name}', { name: key.name })), body: result.secret },
      isSecure,
    );
    return reply.redirect(nextPath(textField(fields, 'next'), '/web/settings'), 303);
  });
}

/** A key that could never be used is a mistake of whoever makes it. */
function checkOfUse(now: Date, expiresAt: string | null, isActive: boolean): void {
  if (!isActive) throw new ValidationError({ user_id: ['This person is archived: a key of theirs opens nothing.'] });
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) {
    throw new ValidationError({ expires_at: ['This is in the past: the key would open nothing.'] });
  }
}

function keyName(fields: Fields): string {
  const name = textField(fields, 'name').trim();
  if (name !== '') return name;
  throw new ValidationError({ name: ['A name says which integration the key is for.'] });
}

/** A model may come with an addon later; a method that does not exist never will. */
function scopeOf(fields: Fields): KeyScope | null {
  const scope = givenScope(fields);
  for (const method of Object.values(scope ?? {}).flatMap(methodsOf)) {
    if (rpcMethods.has(method)) continue;
    throw new ValidationError({ scope: [`There is no method "${method}".${didYouMean(method, rpcMethods.keys())}`] });
  }
  return scope;
}

function givenScope(fields: Fields): KeyScope | null {
  return givenJson(fields, 'scope', toScope, text('A scope is JSON, such as {"sale.order": ["read"]}.'));
}

/** Null: the key is a plain program's. */
function agentOf(fields: Fields): KeyAgent | null {
  const name = textField(fields, 'agent').trim();
  const held = givenJson(fields, 'held', toHeld, text('What is held is JSON, such as {"*": ["unlink"]}.'));
  if (name === '' && held !== null)
    throw new ValidationError({ agent: ['Only changes of an agent are held: name it.'] });
  if (name.length > 40 || hasControls(name)) {
    throw new ValidationError({ agent: ['The name of an agent has at most 40 characters, on one line.'] });
  }
  return name === '' ? null : { name, held };
}

function hasControls(value: string): boolean {
  return /\p{C}/u.test(value);
}

function givenJson<T>(fields: Fields, name: string, read: (value: unknown) => T, expected: Text): T | null {
  const given = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (given === undefined || given === '') return null;
  if (typeof given !== 'string') return read(given);
  try {
    return read(JSON.parse(given));
  } catch (error) {
    if (error instanceof KontorError) throw error;
    throw new ValidationError({ [name]: [expected] });
  }
}
