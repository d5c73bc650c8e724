import { createReadStream } from 'node:fs';
import { addonFilesPath, compiledClients, isPicture, type Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addonCache } from '../addon-code.ts';
import { signedIn } from '../guards/signed-in.ts';
import type { AddonClients } from '../http/addon-clients.ts';
import { sendResult } from '../http/send-shell.ts';
import { findStaticFile, type StaticFile } from '../http/static-file.ts';

const aYear = 31_536_000;

/** Files of addons that a browser may ask for, and no other: the icon that the manifest names, and compiled browser code. */
export function addonFileRoutes(server: FastifyInstance, kernel: Kernel, clients: AddonClients): void {
  const compiled = compiledClients(addonCache(kernel.config));
  server.get(`${addonFilesPath}clients`, async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    return caller ? sendResult(reply, await clients.present()) : reply;
  });
  server.get(`${addonFilesPath}:module/client/:file`, async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { module, file: name } = request.params as { module: string; file: string };
    const isPresent = kernel.loaded.definitions.has(module) && name.startsWith(`addon-${module}-`);
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const file = isPresent ? await findStaticFile(compiled, name, accepted) : null;
    return sendFile(reply, file, `private, max-age=${aYear}, immutable`, request.headers['if-none-match']);
  });
  server.get(`${addonFilesPath}:module/*`, async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { module, '*': name } = request.params as { module: string; '*': string };
    const addon = kernel.catalogue.get(module);
    const isNamed = addon !== undefined && addon.manifest.icon === name && isPicture(name);
    const file = isNamed ? await findStaticFile(addon.folder, name, '') : null;
    return sendFile(reply, file, 'private, max-age=3600', request.headers['if-none-match']);
  });
}

function sendFile(
  reply: FastifyReply,
  file: StaticFile | null,
  cacheControl: string,
  known: string | undefined,
): FastifyReply {
  if (!file) throw new KontorError('NOT_FOUND', 'There is no such file.');
  reply.headers({ 'cache-control': cacheControl, etag: file.etag, vary: 'accept-encoding' });
  if (known === file.etag) return reply.code(304).send();
  if (file.encoding !== null) reply.header('content-encoding', file.encoding);
  return reply.type(file.type).header('content-length', file.size).send(createReadStream(file.path));
}
