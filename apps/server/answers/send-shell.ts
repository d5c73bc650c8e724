import type { Kernel, Translations } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { type BootstrapPage, buildBootstrap } from '@kontor/workspace';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AddonClients } from '../client/addon-clients.ts';
import type { ClientAssets } from '../client/client-assets.ts';
import type { SessionCaller } from '../guards/authenticate.ts';
import { isSecureRequest, takeFlash } from '../http/cookies.ts';
import { okEnvelope } from '../http/envelope.ts';
import { shellPage } from '../pages/shell-page.ts';

export interface Shell {
  readonly kernel: Kernel;
  readonly assets: () => Promise<ClientAssets | null>;
  readonly clients: AddonClients;
  readonly clientWords: Translations;
}

/** The page around the client, with its bootstrap object; the message of the last post is shown once, here. */
export async function sendShell(
  { kernel, assets, clients, clientWords }: Shell,
  caller: SessionCaller,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  page: Omit<BootstrapPage, 'toasts' | 'clientAddons'>,
): Promise<FastifyReply> {
  const flash = takeFlash(request, reply, isSecureRequest(kernel.config, request));
  const bootstrap = await buildBootstrap(kernel, caller, {
    ...page,
    toasts: flash ? [flash] : [],
    clientAddons: await clients.present(),
    clientWords: clientWords.words(caller.actor.lang),
  });
  const [built, imports] = await Promise.all([assets(), clients.imports()]);
  const content = shellPage({ nonce: reply.nonce, words: request.words, bootstrap, assets: built, imports });
  return reply.header('vary', 'accept, cookie').type('text/html; charset=utf-8').send(content);
}

export function sendResult(reply: FastifyReply, result: unknown): FastifyReply {
  reply.header('vary', 'accept, cookie');
  return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson(result)));
}
