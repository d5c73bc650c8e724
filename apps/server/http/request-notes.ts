import type { RpcRequest } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';

/** What is found out about a request on its way, for the log and the metrics; each is filled as soon as it is known. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its errors are the envelope for everyone but those who ask for a page. */
    isDownload?: boolean;
  }
  interface FastifyRequest {
    caller?: Caller | undefined;
    rpc?: Pick<RpcRequest, 'model' | 'method'> | undefined;
    /** Path of the addon route that answers, as its author wrote it. */
    addonRoute?: string | undefined;
    /** Error code of the answer. */
    failure?: string | undefined;
    /** What went wrong inside the server; for the log alone. */
    cause?: unknown;
  }
}

export function decorateRequests(server: FastifyInstance): void {
  for (const name of ['caller', 'rpc', 'addonRoute', 'failure', 'cause']) server.decorateRequest(name, undefined);
}
