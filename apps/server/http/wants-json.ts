import type { FastifyRequest } from 'fastify';

/** Programs: whoever sends JSON, asks for JSON, or calls a path that only programs call. */
export function wantsJson(request: FastifyRequest): boolean {
  if (/^\/(?:api|metrics|web\/wc)(?:\/|$|\?)/.test(request.url)) return true;
  const { accept = '', 'content-type': type = '' } = request.headers;
  return isJsonType(type) || /\bapplication\/json\b/i.test(accept);
}

/** `application/json`, alone or with parameters; JSON is UTF-8, so no other charset. */
export function isJsonType(type: string): boolean {
  const [media = '', ...parameters] = type.split(';');
  if (media.trim().toLowerCase() !== 'application/json') return false;
  return parameters.every((part) => !/^\s*charset\s*=/i.test(part) || /=\s*"?utf-?8"?\s*$/i.test(part));
}
