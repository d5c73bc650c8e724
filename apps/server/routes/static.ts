import { createReadStream } from 'node:fs';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { staticPath } from '../http/client-assets.ts';
import { findStaticFile } from '../http/static-file.ts';

const aYear = 31_536_000;

/** Files of the built client. Names under `assets/` change with their content, so those are kept for ever. */
export function staticRoutes(server: FastifyInstance, folder: string): void {
  server.get(`${staticPath}*`, async (request, reply) => {
    const name = String((request.params as { '*': string })['*']);
    const file = await findStaticFile(folder, name, String(request.headers['accept-encoding'] ?? ''));
    if (!file) throw new KontorError('NOT_FOUND', 'There is no such file.');
    reply.headers({
      'cache-control': name.startsWith('assets/') ? `public, max-age=${aYear}, immutable` : 'no-cache',
      etag: file.etag,
      vary: 'accept-encoding',
    });
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    if (file.encoding !== null) reply.header('content-encoding', file.encoding);
    reply.type(file.type).header('content-length', file.size);
    return reply.send(createReadStream(file.path));
  });
}
