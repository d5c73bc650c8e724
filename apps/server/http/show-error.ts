import type { ErrorScreenData, KontorError } from '@kontor/protocol';
import type { RawQuery } from '@kontor/workspace';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCaller } from '../guards/authenticate.ts';
import type { SessionCaller } from '../guards/signed-in.ts';
import { sendError } from './send-error.ts';
import { type Shell, sendShell } from './send-shell.ts';
import { wantsJson } from './wants-json.ts';

/** For signed-in people the shell stays around what could not be shown; everyone else gets the bare answer. */
export async function showError(
  shell: Shell,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  told: KontorError,
  status = told.status,
): Promise<FastifyReply> {
  const caller = status < 500 && isPageOfShell(request) ? await sessionOf(shell, request) : null;
  if (!caller) return sendError(request, reply, told, status);
  request.caller = caller;
  const { code, message } = told.told(request.words.say);
  const data: ErrorScreenData = { code, message, status, requestId: request.id };
  request.failure = code;
  const { action, menu_id: menuId } = request.query as RawQuery;
  const asked = { action: textOf(action), menuId: textOf(menuId) };
  return sendShell(shell, caller, { request, reply: reply.code(status) }, { screen: { name: 'error', data }, asked });
}

/** An address that somebody opened in a browser, not a picture or a call of a program. */
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
