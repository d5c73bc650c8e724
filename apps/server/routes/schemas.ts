import { type Kernel, modelSchema, oneOpenModel, openApi, openModels } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { baseAddress } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, findCaller } from '../guards/authenticate.ts';
import { clientOf, type RateLimits } from '../limits/rate-limits.ts';

/** The API schema as far as the caller may use it: by session or by key, with the rate limit of the endpoint. */
export function schemaRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  const admit = async (request: FastifyRequest): Promise<Caller> => {
    if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
    const caller = await findCaller(kernel, request);
    request.caller = caller ?? undefined;
    await limits.client(clientOf(caller, request));
    if (!caller) throw new KontorError('UNAUTHORIZED');
    return caller;
  };
  const scopeOf = (caller: Caller) => (caller.kind === 'apikey' ? caller.scope : null);
  const read = <T>({ actor }: Caller, work: (env: Env, address: string) => T): Promise<T> =>
    kernel.read(actor, async (env) => work(env, kernel.config.baseUrl || ((await baseAddress(env)) ?? '')), {
      isOutside: true,
    });

  server.get('/web/openapi.json', { config: { isDownload: true } }, async (request, reply) => {
    const caller = await admit(request);
    const page = await read(caller, (env, address) => openApi(openModels(env, scopeOf(caller)), address));
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(page));
  });

  server.get('/web/schema/:model.json', { config: { isDownload: true } }, async (request, reply) => {
    const caller = await admit(request);
    const { model } = request.params as { model: string };
    const schema = await read(caller, (env, address) =>
      modelSchema(oneOpenModel(env, model, scopeOf(caller)), `${address}/web/schema/${model}.json`),
    );
    return reply.type('application/schema+json; charset=utf-8').send(JSON.stringify(schema));
  });
}
