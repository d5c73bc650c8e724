import type { Kernel } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import {
  addFactor,
  checkCode,
  findPerson,
  newRecoveryCodes,
  noteFailedSignIn,
  openSecret,
  type Person,
  type SignInStep,
  stepOf,
  takeStep,
  totpOf,
} from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nextPath } from '../answers/answer-post.ts';
import { checkOwnOrigin } from '../guards/setup-right.ts';
import { wantsJson } from '../http/envelope.ts';
import { readFields, textField } from '../http/fields.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { codeFailure, enrolPage, factorPage, recoveryPage } from '../pages/factor-pages.ts';
import { beginAnew, findOwnStep, finishSignIn, openDoor, stepToken } from './sign-in-steps.ts';

/** The step after the password: a code of the second factor, or enrolling one if a group requires it. */
export function loginFactorRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  const limit = async (request: FastifyRequest): Promise<void> => {
    await limits.login(request);
  };
  askForFactor(server, kernel, limit);
  askToEnrol(server, kernel, limit);
}

type Limit = (request: FastifyRequest) => Promise<void>;

function askForFactor(server: FastifyInstance, kernel: Kernel, onRequest: Limit): void {
  server.get('/web/login/factor', { onRequest }, async (request, reply) => {
    const step = await findOwnStep(kernel, 'factor', request);
    if (!step) return beginAnew(kernel, { request, reply });
    return sendPage(reply, 200, factorPage({ nonce: reply.nonce, words: request.words, methods: methodsOf(step) }));
  });

  server.post('/web/login/factor', { onRequest }, async (request, reply) => {
    checkOwnOrigin(request);
    const code = textField(readFields(request), 'code');
    const step = await findOwnStep(kernel, 'factor', request);
    const person = await personOf(kernel, step);
    if (!step || !person) return beginAnew(kernel, { request, reply });
    const { urgent } = kernel.database;
    const method = await checkCode(urgent, kernel.config, person, { code, address: request.ip });
    if (method === null) {
      const origin = { address: request.ip, requestId: request.id };
      await noteFailedSignIn(urgent, { uid: person.uid, method: 'code', ...origin });
      if (wantsJson(request)) throw new KontorError('UNAUTHORIZED', codeFailure);
      request.failure = 'UNAUTHORIZED';
      const { words } = request;
      return sendPage(reply, 401, factorPage({ nonce: reply.nonce, words, methods: methodsOf(step), hasFailed: true }));
    }
    if (!(await takeStep(urgent, 'factor', stepToken(request)))) return beginAnew(kernel, { request, reply });
    return finishSignIn(kernel, { request, reply }, person, { method: `password, ${method}`, next: nextOf(step) });
  });
}

function askToEnrol(server: FastifyInstance, kernel: Kernel, onRequest: Limit): void {
  const secretOf = (step: SignInStep) => openSecret(kernel.config.factorKey, String(step.data.secret)) ?? '';
  const show = (request: FastifyRequest, reply: FastifyReply, person: Person, secret: string, hasFailed: boolean) => {
    const { words } = request;
    const content = enrolPage({ nonce: reply.nonce, words, totp: totpOf(secret, person.login), hasFailed });
    return sendPage(reply, hasFailed ? 422 : 200, content);
  };

  server.get('/web/login/enrol', { onRequest }, async (request, reply) => {
    const step = await findOwnStep(kernel, 'enrol', request);
    const person = await personOf(kernel, step);
    if (!step || !person) return beginAnew(kernel, { request, reply });
    return show(request, reply, person, secretOf(step), false);
  });

  server.post('/web/login/enrol', { onRequest }, async (request, reply) => {
    checkOwnOrigin(request);
    const code = textField(readFields(request), 'code').replaceAll(/\s/g, '');
    const step = await findOwnStep(kernel, 'enrol', request);
    const person = await personOf(kernel, step);
    if (!step || !person) return beginAnew(kernel, { request, reply });
    const lastStep = stepOf(secretOf(step), code);
    if (lastStep === null) return show(request, reply, person, secretOf(step), true);
    if (!(await takeStep(kernel.database.urgent, 'enrol', stepToken(request)))) {
      return beginAnew(kernel, { request, reply });
    }
    const codes = await keepTotp(kernel, request, person, { material: String(step.data.secret), lastStep });
    await openDoor(kernel, { request, reply }, person, 'password, totp');
    return sendPage(reply, 200, recoveryPage({ nonce: reply.nonce, words: request.words, codes, next: nextOf(step) }));
  });
}

async function keepTotp(
  kernel: Kernel,
  request: FastifyRequest,
  { uid }: Person,
  factor: { readonly material: string; readonly lastStep: number },
): Promise<readonly string[]> {
  const actor = await kernel.actor(uid);
  if (!actor) throw new KontorError('UNAUTHORIZED');
  const name = request.words.say('Authenticator app');
  const add = async (env: Parameters<typeof typedEnv>[0]) => {
    await addFactor(typedEnv(env), { uid, kind: 'totp', name, ...factor });
    return newRecoveryCodes(env.db, uid);
  };
  const origin = { address: request.ip, via: 'sign-in', requestId: request.id };
  const { result } = await kernel.transact(actor, add, origin);
  return result;
}

async function personOf(kernel: Kernel, step: SignInStep | null): Promise<Person | null> {
  return step?.uid ? findPerson(kernel.database.urgent, step.uid) : null;
}

function nextOf({ data }: SignInStep): string {
  return nextPath(String(data.next ?? ''), '/web/home');
}

function methodsOf({ data }: SignInStep): readonly string[] {
  return Array.isArray(data.methods) ? (data.methods as string[]) : [];
}

function sendPage(reply: FastifyReply, status: number, content: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}
