import type { Kernel } from '@kontor/kernel';
import { toJson, typedEnv } from '@kontor/orm';
import {
  addFactor,
  beginStep,
  countRecoveryCodes,
  findPerson,
  findStep,
  isOwnPassword,
  newRecoveryCodes,
  newTotp,
  openSecret,
  removeFactors,
  sealSecret,
  stepOf,
  takeStep,
} from '@kontor/parts';
import { invalidArgs, KontorError, UserError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rememberChange } from '../answers/answer-post.ts';
import { checkCsrf, givenCsrf, originOf, type SessionCaller, signedIn } from '../guards/authenticate.ts';
import { okEnvelope } from '../http/envelope.ts';
import { type Fields, idField, readFields, textField } from '../http/fields.ts';
import { qrPicture } from '../pages/qr-picture.ts';

type OwnEnv = ReturnType<typeof typedEnv>;

/** A user's own second factors. Only by session: a program with a key cannot change how its owner signs in. */
export function ownFactorRoutes(server: FastifyInstance, kernel: Kernel): void {
  const { factorKey } = kernel.config;

  postOwn(server, kernel, '/web/user/factors/totp', async (work, fields) => {
    const { uid } = work.caller.actor;
    const isProven = await work.transact((env) => isProof(env, fields));
    const person = isProven && (await findPerson(kernel.database, uid));
    if (!person) throw new KontorError('UNAUTHORIZED');
    const { secret, uri } = newTotp(person.login);
    const token = await beginStep(kernel.database, {
      kind: 'totp',
      uid,
      data: { secret: sealSecret(factorKey, secret) },
    });
    return { token, secret, uri, picture: qrPicture(uri) };
  });

  postOwn(server, kernel, '/web/user/factors/totp/confirm', async (work, fields) => {
    const { uid } = work.caller.actor;
    const token = textField(fields, 'token');
    const step = await findStep(kernel.database, 'totp', token);
    if (!step || step.uid !== uid) throw new UserError('This took too long. Start again.');
    const material = String(step.data.secret);
    const code = textField(fields, 'code').replaceAll(/\s/g, '');
    const lastStep = stepOf(openSecret(factorKey, material) ?? '', code);
    if (lastStep === null) {
      throw new UserError('This is not the current code. Try again, and check the clock of your phone.');
    }
    const name = textField(fields, 'name').trim() || work.say('Authenticator app');
    return work.transact(async (env) => {
      if (!(await takeStep(env.db, 'totp', token))) throw new UserError('This took too long. Start again.');
      await addFactor(env, { uid, kind: 'totp', name, material, lastStep });
      return { recoveryCodes: await codesFor(env, uid) };
    });
  });

  postOwn(server, kernel, '/web/user/factors/remove', async (work, fields) => {
    const id = idField(fields, 'id');
    if (id === null) throw invalidArgs('id must name a factor.', { field: 'id' });
    return work.transact(async (env) => {
      if (!(await isProof(env, fields))) return {};
      if (!(await removeFactors(env, env.uid, [id]))) throw new KontorError('NOT_FOUND');
      return {};
    });
  });

  postOwn(server, kernel, '/web/user/factors/recovery', async (work, fields) =>
    work.transact(async (env) => {
      if (!(await isProof(env, fields))) return {};
      return { recoveryCodes: await newRecoveryCodes(env.db, env.uid) };
    }),
  );
}

/** Proves that the owner of the session is at the keyboard. */
export function isProof(env: OwnEnv, fields: Fields): Promise<boolean> {
  return isOwnPassword(env, textField(fields, 'password'), new UserError('The password is incorrect.'));
}

/** With the first factor; later ones keep the existing codes. */
export async function codesFor(env: OwnEnv, uid: number): Promise<readonly string[] | null> {
  return (await countRecoveryCodes(env.db, uid)) > 0 ? null : newRecoveryCodes(env.db, uid);
}

interface OwnWork {
  readonly caller: SessionCaller;
  say(words: string): string;
  transact<T>(work: (env: OwnEnv) => Promise<T>): Promise<T>;
}

/** A post of the signed-in user about themselves, with their CSRF token; answers with the envelope. */
export function postOwn(
  server: FastifyInstance,
  kernel: Kernel,
  path: string,
  answer: (work: OwnWork, fields: Fields, request: FastifyRequest) => Promise<unknown>,
): void {
  server.post(path, async (request, reply): Promise<FastifyReply> => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const origin = originOf(request, caller);
    const result = await answer(
      {
        caller,
        say: (words) => request.words.say(words),
        transact: async (run) => {
          const done = await kernel.transact(caller.actor, (env) => run(typedEnv(env)), origin);
          await rememberChange(kernel, caller);
          return done.result;
        },
      },
      fields,
      request,
    );
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson(result)));
  });
}
