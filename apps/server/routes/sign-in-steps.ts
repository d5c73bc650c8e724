import type { Kernel } from '@kontor/kernel';
import {
  beginStep,
  csrfToken,
  endSession,
  findStep,
  type NewStep,
  noteSignIn,
  openSession,
  type Person,
  type SignInStep,
  type StepKind,
  stepMinutes,
} from '@kontor/parts';
import { KontorError, text } from '@kontor/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerPost } from '../answers/answer-post.ts';
import { keepSession, sessionCookie } from '../guards/authenticate.ts';
import { addCookie, isSecureRequest, readCookies, writeCookie } from '../http/cookies.ts';
import { wantsJson } from '../http/envelope.ts';
import { setFlash } from '../http/flash.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Opens the session after all required proofs, and records who signed in, from where and how. */
export async function openDoor(
  kernel: Kernel,
  { request, reply }: Exchange,
  { uid, companyId }: Person,
  method: string,
): Promise<string> {
  const db = kernel.database.urgent;
  await leave(kernel, request);
  const userAgent = request.headers['user-agent'] ?? '';
  const { id, token } = await openSession(db, { uid, companyId, address: request.ip, userAgent });
  await noteSignIn(db, { uid, sessionId: id, method, address: request.ip, requestId: request.id });
  keepSession(kernel, request, reply, token);
  keepStep(kernel, { request, reply }, '');
  return csrfToken(token);
}

/** The same, and redirects. */
export async function finishSignIn(
  kernel: Kernel,
  exchange: Exchange,
  person: Person,
  { method, next }: { readonly method: string; readonly next: string },
): Promise<FastifyReply> {
  const token = await openDoor(kernel, exchange, person, method);
  return answerPost(exchange.request, exchange.reply, { csrfToken: token }, next);
}

/** A new sign-in replaces the session of this browser; the old one must end. */
export async function leave(kernel: Kernel, request: FastifyRequest): Promise<void> {
  const token = readCookies(request.headers.cookie).get(sessionCookie);
  if (!token) return;
  await endSession(kernel.database.urgent, token);
  kernel.ring();
}

const stepCookie = 'svc_sign_in';
const stepPath = '/web/login';

/** Only this browser can continue the step. */
export async function waitFor(kernel: Kernel, exchange: Exchange, step: NewStep): Promise<void> {
  keepStep(kernel, exchange, await beginStep(kernel.database.urgent, step));
}

/** Empty: nothing is pending. */
function keepStep({ config }: Kernel, { request, reply }: Exchange, token: string): void {
  const isSecure = isSecureRequest(config, request);
  const had = readCookies(request.headers.cookie).has(stepCookie);
  if (token === '' && !had) return;
  const maxAgeSeconds = token === '' ? 0 : stepMinutes * 60;
  addCookie(reply, writeCookie(stepCookie, token, { isSecure, maxAgeSeconds, path: stepPath }));
}

export function stepToken(request: FastifyRequest): string {
  return readCookies(request.headers.cookie).get(stepCookie) ?? '';
}

/** The pending step of this browser, if any. */
export function findOwnStep(kernel: Kernel, kind: StepKind, request: FastifyRequest): Promise<SignInStep | null> {
  return findStep(kernel.database.urgent, kind, stepToken(request));
}

/** It has expired, or the page was opened directly: start again at the sign-in. */
export function beginAnew(kernel: Kernel, { request, reply }: Exchange): FastifyReply {
  const message = text('This took too long. Sign in again.');
  if (wantsJson(request)) throw new KontorError('UNAUTHORIZED', message);
  request.failure = 'UNAUTHORIZED';
  const { say } = request.words;
  setFlash(kernel, { request, reply }, { kind: 'info', title: '', body: say(message) });
  return reply.redirect('/web/login', 303);
}
