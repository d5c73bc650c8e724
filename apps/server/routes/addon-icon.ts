import { createReadStream } from 'node:fs';
import { addonFilesPath, isPicture, type Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../guards/signed-in.ts';
import { findStaticFile } from '../http/static-file.ts';

/** The picture that an addon's manifest names, and no other file of it. */
export function addonIconRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.get(`${addonFilesPath}:module/*`, async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { module, '*': name } = request.params as { module: string; '*': string };
    const addon = kernel.catalogue.get(module);
    const isNamed = addon !== undefined && addon.manifest.icon === name && isPicture(name);
    const file = isNamed ? await findStaticFile(addon.folder, name, '') : null;
    if (!file) throw new KontorError('NOT_FOUND', 'There is no such file.');
    reply.headers({ 'cache-control': 'private, max-age=3600', etag: file.etag });
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    return reply.type(file.type).header('content-length', file.size).send(createReadStream(file.path));
  });
}
