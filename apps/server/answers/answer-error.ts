import { html } from '@kontor/parts';
import { type ErrorScreenData, KontorError, type Translate } from '@kontor/protocol';
import type { RawQuery } from '@kontor/workspace';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findCaller, type SessionCaller } from '../guards/authenticate.ts';
import { errorEnvelope, toCallerError, wantsJson } from '../http/envelope.ts';
import { type RequestWords, wordsOf } from '../http/request-language.ts';
import { page } from '../pages/page.ts';
import { type Shell, sendShell } from './send-shell.ts';

/** Errors: the envelope for programs, a page for users. Internal errors are only logged. */
export function answerErrors(server: FastifyInstance, shell: Shell): void {
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    const { bodyLimit = 0 } = request.routeOptions;
    const isDevelopment = shell.kernel.config.devMode;
    const shown = toCallerError(error, { requestId: request.id, bodyLimit, isDevelopment });
    if (shown.status >= 500) request.cause = error;
    return showError(shell, { request, reply }, shown);
  });
}

/** For a path that is not served, or not with this method. */
export async function sendUnserved(
  shell: Shell,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  allowed: readonly string[],
): Promise<FastifyReply> {
  if (allowed.length === 0)
    return showError(shell, { request, reply }, new KontorError('NOT_FOUND', 'There is no such page.'));
  reply.header('allow', allowed.join(', '));
  const { method } = request;
  const error = new KontorError('METHOD_NOT_ALLOWED', `${method} is not served here.`, { method });
  return sendError(request, reply, error, 405);
}

/** Signed-in users see the error inside the shell; everyone else gets the bare answer. */
async function showError(
  shell: Shell,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  told: KontorError,
  status = told.status,
): Promise<FastifyReply> {
  const caller = status < 500 && isPageOfShell(request) ? await sessionOf(shell, request) : null;
  if (!caller) return sendError(request, reply, told, status);
  request.caller = caller;
  const { code, message } = told.translated(request.words.say);
  const data: ErrorScreenData = { code, message, status, requestId: request.id };
  request.failure = code;
  const { action, menu_id: menuId } = request.query as RawQuery;
  const asked = { action: textOf(action), menuId: textOf(menuId) };
  return sendShell(shell, caller, { request, reply: reply.code(status) }, { screen: { name: 'error', data }, asked });
}

/** A URL opened in a browser, not an image or a call of a program. */
function isPageOfShell(request: FastifyRequest): boolean {
  const isPage = request.method === 'GET' && /\btext\/html\b/i.test(request.headers.accept ?? '');
  return isPage && !wantsJson(request) && /^\/web(?:[/?]|$)/.test(request.url);
}

async function sessionOf({ kernel, assets }: Shell, request: FastifyRequest): Promise<SessionCaller | null> {
  if (!(await kernel.isInitialised()) || !(await assets())) return null;
  const caller = request.caller ?? (await findCaller(kernel, request));
  return caller?.kind === 'session' ? caller : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The bare answer: the envelope for programs, a page for users. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  told: KontorError,
  status = told.status,
): FastifyReply {
  const words = wordsOf(request);
  const error = told.translated(words.say);
  request.failure = error.code;
  reply.code(status);
  if (typeof error.details.retry_after === 'number') reply.header('retry-after', String(error.details.retry_after));
  if (wantsJson(request) || isProgramsDownload(request))
    return reply.type('application/json; charset=utf-8').send(errorEnvelope(error));
  return reply
    .type('text/html; charset=utf-8')
    .send(errorPage({ nonce: reply.nonce, words, status, error, requestId: request.id }));
}

/** For a download, only a user who followed its link expects a page. */
function isProgramsDownload({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config?.isDownload === true && !/\btext\/html\b/i.test(headers.accept ?? '');
}

interface ErrorPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly status: number;
  /** In the user's language. */
  readonly error: KontorError;
  readonly requestId: string;
}

/** For users: what happened, the request id to quote, and a way to continue. */
function errorPage({ nonce, words, status, error, requestId }: ErrorPage): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: titleOf(status, say),
    about: error.message,
    body: html`<a class="button" href="/">${say('Back to the start')}</a>
      <p class="foot hint">${say('Request')} <code>${requestId}</code></p>`,
  });
}

function titleOf(status: number, say: Translate): string {
  if (status === 404) return say('There is nothing here');
  return status >= 500 ? say('Something went wrong') : say('That did not work');
}
