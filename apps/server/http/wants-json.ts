import type { FastifyRequest } from 'fastify';

/** Programs: whoever sends JSON, asks for JSON, or calls a path that only programs call. */
export function wantsJson(request: FastifyRequest): boolean {
  if (/^\/(?:api|web\/wc)(?:\/|$|\?)/.test(request.url)) return true;
  const { accept = '', 'content-type': type = '' } = request.headers;
  return /^application\/json\b/i.test(type) || /\bapplication\/json\b/i.test(accept);
}
