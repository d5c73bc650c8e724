import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { addonFilesPath, compiledClients, isPicture, type Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addonCache } from '../addon-code.ts';
import { sendResult } from '../answers/send-shell.ts';
import type { AddonClients } from '../client/addon-clients.ts';
import { staticPath } from '../client/client-assets.ts';
import { signedIn } from '../guards/authenticate.ts';
import { weightOf } from '../http/compression.ts';

const aYear = 31_536_000;

/** Files of the built client. Names under `assets/` change with their content, so those are cached forever. */
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

/** The only files of addons that a browser can request: the icon in the manifest, and compiled browser code. */
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

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
/** Compressed beside the file by the build, best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface StaticFile {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly etag: string;
  readonly encoding: string | null;
}

/**
 * A file of the folder by its address. Only plain names are looked up: no `..`, no hidden files, no encodings of either, so that
 * nothing outside the folder can be addressed.
 */
async function findStaticFile(folder: string, name: string, acceptEncoding: string): Promise<StaticFile | null> {
  const type = types[extname(name)];
  if (type === undefined || !isPlainPath(name)) return null;
  const path = join(folder, name);
  for (const [encoding, ending] of encodings) {
    if (weightOf(acceptEncoding, encoding) === 0) continue;
    const compressed = await regularFile(path + ending);
    if (compressed) return describe(path + ending, type, compressed, encoding);
  }
  const plain = await regularFile(path);
  return plain && describe(path, type, plain, null);
}

function isPlainPath(name: string): boolean {
  return name.length <= 300 && name.split('/').every((part) => /^[A-Za-z0-9_@-][A-Za-z0-9_.@-]*$/.test(part));
}

async function regularFile(path: string): Promise<Stats | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found : null;
}

function describe(path: string, type: string, { size, mtimeMs }: Stats, encoding: string | null): StaticFile {
  return { path, type, size, etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`, encoding };
}
