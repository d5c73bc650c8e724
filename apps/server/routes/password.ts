import { type Kernel, systemActor, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import {
  baseAddress,
  canMail,
  createResetToken,
  invitationDays,
  invitationMail,
  isResetToken,
  mailSettings,
  queueMail,
  requestReset,
  resetMail,
  resetPassword,
} from '@kontor/parts';
import { invalidArgs, KontorError, type Text, type Translate, text } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../answers/answer-error.ts';
import { nextPath } from '../answers/answer-post.ts';
import { checkAdmin, checkCsrf, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { checkOwnOrigin } from '../guards/setup-right.ts';
import { wantsJson } from '../http/envelope.ts';
import { idField, readFields, textField } from '../http/fields.ts';
import { setFlash, setSecretFlash, type Toast } from '../http/flash.ts';
import { ownAddress } from '../http/own-address.ts';
import { clientOf, type RateLimits } from '../limits/rate-limits.ts';
import { deadLinkPage, forgotPage, resetPage } from '../pages/sign-in-pages.ts';

export function passwordRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  adminReset(server, kernel);
  chooseNew(server, kernel);
  forgotPasswordRoutes(server, kernel, limits);
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
    const { say } = request.words;
    const toast = { title: say('Password set'), body: say('Sign in with your new password.') };
    setFlash(kernel, { request, reply }, { kind: 'success', ...toast });
    return reply.redirect('/web/login', 303);
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = new KontorError('NOT_FOUND', 'This link has expired.');
  if (wantsJson(request)) return sendError(request, reply, error);
  request.failure = error.code;
  return sendPage(reply, 404, deadLinkPage(reply.nonce, request.words));
}

function passwordProblems(error: unknown, say: Translate): readonly string[] | null {
  if (!(error instanceof KontorError) || error.code !== 'VALIDATION_ERROR') return null;
  const fields = error.translated(say).details.fields as Record<string, readonly string[]> | undefined;
  return fields?.password ?? null;
}

function sendPage(reply: FastifyReply, status: number, content: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}

interface Person {
  readonly name: string;
  readonly login: string;
  readonly email: string;
  readonly lang: string;
  readonly companyId: number;
  readonly company: string;
  /** Somebody who never had a password: what they get is an invitation. */
  readonly isInvited: boolean;
}

async function readPerson(env: Env, id: number): Promise<Person> {
  const fields = ['name', 'login', 'email', 'lang', 'has_password', 'company_id', 'company_id.name'];
  const [user] = await env.model('core.user').read([id], fields);
  const of = (field: string) => String(user?.[field] ?? '');
  return {
    ...{ name: of('name'), login: of('login'), email: of('email'), lang: of('lang'), company: of('company_id.name') },
    companyId: user?.company_id as number,
    isInvited: user?.has_password !== true,
  };
}

/**
 * An administrator gives somebody a link to choose a password: by mail, or on their own screen where there is none. Whoever has no
 * password yet gets an invitation.
 */
function adminReset(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/action/reset_password', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller, 'core.user', 'write');
    const id = idField(fields, 'id');
    if (id === null) throw invalidArgs('id must name a user.', { field: 'id' });
    const give = async (env: Env) => {
      const person = await readPerson(env, id);
      const hours = person.isInvited ? invitationDays * 24 : 1;
      const path = `/web/reset-password?token=${await createResetToken(env.db, id, hours)}`;
      return sendLink(env, person, { path, shownAt: ownAddress(request), canMail: await canMail(env) });
    };
    const { result: toast } = await kernel.transact(caller.actor, give, originOf(request, caller));
    if (toast.kind === 'secret') await setSecretFlash(kernel, { request, reply }, caller.actor.uid, toast);
    else setFlash(kernel, { request, reply }, toast);
    return reply.redirect(nextPath(textField(fields, 'next'), '/web/settings'), 303);
  });
}

interface Link {
  readonly path: string;
  /** Where the administrator is; for their own screen. */
  readonly shownAt: string;
  readonly canMail: boolean;
}

/** By the mail queue, which tries until the server takes it; on the screen where nothing can be sent, with the reason. */
async function sendLink(env: Env, person: Person, { path, shownAt, canMail }: Link): Promise<Toast> {
  const { name, email, isInvited } = person;
  const { say } = wordsIn(env, env.actor.lang);
  const address = await baseAddress(env);
  const days = invitationDays;
  const shown = (reason: Text): Toast => {
    const link = isInvited
      ? text('This invitation for {name} is valid for {days} days', { name, days })
      : text('This link for {name} is valid for one hour', { name });
    return { kind: 'secret', title: `${say(reason)} ${say(link)}`, body: `${shownAt}${path}` };
  };
  if (!canMail) return shown(text('E-mail is not set up.'));
  if (email === '') return shown(text('{name} has no e-mail address.', { name }));
  if (address === null) return shown(text('This server does not know its address (base_url).'));
  const addressee = { ...person, link: `${address}${path}` };
  await queueMail(env, await (isInvited ? invitationMail(env, addressee) : resetMail(env, addressee)));
  return {
    kind: 'success',
    title: say(isInvited ? 'Invitation sent' : 'Mail sent'),
    body: say(
      isInvited
        ? text('{name} receives an invitation that is valid for {days} days.', { name, days })
        : text('{name} receives a link that is valid for one hour.', { name }),
    ),
  };
}

/** Mails that one address can cause in a minute; for one person it is one. */
const perMinute = 5;

/** The same answer at the same time whoever asks: the work is done after it. */
function forgotPasswordRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  const underway = new Set<Promise<void>>();
  server.addHook('onClose', async () => {
    await Promise.all(underway);
  });

  const needMail = async () => {
    if ((await mailSettings(kernel.database, kernel.config)) !== null) return;
    throw new KontorError('NOT_FOUND', 'There is no such page.');
  };

  server.get('/web/forgot-password', async (request, reply) => {
    await needMail();
    return sendPage(reply, 200, forgotPage(reply.nonce, request.words));
  });

  server.post('/web/forgot-password', async (request, reply) => {
    checkOwnOrigin(request);
    await needMail();
    const login = textField(readFields(request), 'login');
    if (await limits.isWithin(`mail ${clientOf(null, request)}`, perMinute)) {
      const work = mailLink(kernel, login).catch((error: unknown) =>
        request.log.warn({ reqId: request.id, err: error }, 'reset mail was not sent'),
      );
      underway.add(work);
      void work.finally(() => underway.delete(work));
    }
    setFlash(kernel, { request, reply }, await forgottenToast(kernel, request.words.say));
    return reply.redirect('/web/login', 303);
  });
}

/** The same for every login, known or not. */
async function forgottenToast(kernel: Kernel, say: Translate): Promise<Toast> {
  const address = kernel.config.baseUrl || (await kernel.read(systemActor, (env) => baseAddress(env)));
  if (address) {
    return { kind: 'info', title: say('Check your e-mail'), body: say('If the login exists, a link has been sent.') };
  }
  const body = say('This server does not know its address yet. Ask your administrator for a link.');
  return { kind: 'error', title: say('The e-mail could not be sent'), body };
}

async function mailLink(kernel: Kernel, login: string): Promise<void> {
  await kernel.transact(systemActor, async (env) => {
    const address = await baseAddress(env);
    if (address === null) throw new Error('The address of this server is not known; set base_url.');
    const request = await requestReset(env.db, login);
    if (!request) return;
    const link = `${address}/web/reset-password?token=${request.token}`;
    await queueMail(env, await resetMail(env, { ...request, link }));
  });
}
