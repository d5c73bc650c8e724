import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import {
  addFactor,
  beginStep,
  findPerson,
  newPasskeyOptions,
  noteFailedSignIn,
  type Person,
  passkeyOptions,
  readNewPasskey,
  type SignInStep,
  takeStep,
  usePasskey,
} from '@kontor/parts';
import { KontorError, text, UserError } from '@kontor/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { nextPath } from '../answers/answer-post.ts';
import { checkOwnOrigin } from '../guards/setup-right.ts';
import { okEnvelope } from '../http/envelope.ts';
import { readFields, textField } from '../http/fields.ts';
import { ownAddress } from '../http/own-address.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { codesFor, isProof, postOwn } from './own-factors.ts';
import { findOwnStep, openDoor, stepToken } from './sign-in-steps.ts';

const failure = text('This passkey did not work. Try again, or sign in another way.');

/** Passkeys: created in the profile; used after the password, or instead of it. */
export function passkeyRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  ownPasskeys(server, kernel);
  const { urgent } = kernel.database;
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    await limits.login(request);
  };

  server.post('/web/login/passkey/options', { onRequest }, async (request, reply) => {
    checkOwnOrigin(request);
    const step = await findOwnStep(kernel, 'factor', request);
    if (!step) await limits.stranger(request);
    const options = await passkeyOptions(urgent, step?.uid ?? null, siteOf(kernel, request));
    const data = { challenge: options.challenge };
    const token = await beginStep(urgent, { kind: 'passkey', uid: step?.uid ?? null, data });
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson({ token, options })));
  });

  server.post('/web/login/passkey', { onRequest }, async (request, reply) => {
    checkOwnOrigin(request);
    const fields = readFields(request);
    const step = await takeStep(urgent, 'passkey', textField(fields, 'token'));
    if (!step) throw new KontorError('UNAUTHORIZED', text('This took too long. Sign in again.'));
    const person = await provenBy(kernel, request, step, fields.response);
    // After the password: using the passkey completes the pending sign-in.
    const before = step.uid === null ? null : await takeStep(urgent, 'factor', stepToken(request));
    if (!person || (step.uid !== null && before?.uid !== step.uid)) {
      const origin = { address: request.ip, requestId: request.id };
      await noteFailedSignIn(urgent, { uid: person?.uid ?? step.uid, method: 'passkey', ...origin });
      throw new KontorError('UNAUTHORIZED', failure);
    }
    const next = nextPath(textField(fields, 'next') || String(before?.data.next ?? ''), '/web/home');
    const method = step.uid === null ? 'passkey' : 'password, passkey';
    const csrfToken = await openDoor(kernel, { request, reply }, person, method);
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson({ csrfToken, next })));
  });
}

async function provenBy(
  kernel: Kernel,
  request: FastifyRequest,
  { uid, data }: SignInStep,
  response: unknown,
): Promise<Person | null> {
  const { urgent } = kernel.database;
  const site = siteOf(kernel, request);
  const shown = await usePasskey(urgent, { response, challenge: String(data.challenge), site, uid });
  return shown === null ? null : findPerson(urgent, shown);
}

function ownPasskeys(server: FastifyInstance, kernel: Kernel): void {
  postOwn(server, kernel, '/web/user/factors/passkey/options', async (work, fields, request) => {
    const { uid } = work.caller.actor;
    const isProven = await work.transact((env) => isProof(env, fields));
    const person = isProven && (await findPerson(kernel.database, uid));
    if (!person) throw new KontorError('UNAUTHORIZED');
    const options = await newPasskeyOptions(kernel.database, person, siteOf(kernel, request));
    const token = await beginStep(kernel.database, { kind: 'register', uid, data: { challenge: options.challenge } });
    return { token, options };
  });

  postOwn(server, kernel, '/web/user/factors/passkey', async (work, fields, request) => {
    const { uid } = work.caller.actor;
    const step = await takeStep(kernel.database, 'register', textField(fields, 'token'));
    if (!step || step.uid !== uid) throw new UserError('This took too long. Start again.');
    const made = await readNewPasskey(fields.response, String(step.data.challenge), siteOf(kernel, request));
    if (!made) throw new UserError('The browser did not create a passkey for this address. Start again.');
    const name = textField(fields, 'name').trim() || work.say('Passkey');
    return work.transact(async (env) => {
      await addFactor(env, { uid, kind: 'passkey', name, ...made });
      return { recoveryCodes: await codesFor(env, uid) };
    });
  });
}

/** The expected origin: as configured, otherwise from the headers of this request, which its `Origin` must match. */
function siteOf({ config }: Kernel, request: FastifyRequest): URL {
  const address = config.baseUrl || ownAddress(request);
  if (address === '') throw new UserError('The address of this server is not known. Set base_url.');
  return new URL(address);
}
