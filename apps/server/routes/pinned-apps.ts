import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { invalidArgs } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { checkCsrf, givenCsrf, signedIn } from '../guards/authenticate.ts';
import { okEnvelope } from '../http/envelope.ts';
import { readFields } from '../http/fields.ts';

/** Which apps a person wants first, in their order. Names that mean nothing (any more) are dropped. */
export function pinnedAppsRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/user/pinned-apps', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const { modules: given } = fields;
    if (!Array.isArray(given) || !given.every((name) => typeof name === 'string')) {
      throw invalidArgs('modules must be an array of module names.', { field: 'modules' });
    }
    const { states } = kernel.loaded;
    const modules = [...new Set(given as string[])].filter(
      (name) => (states.get(name) ?? 'uninstalled') !== 'uninstalled',
    );
    await kernel.transact(caller.actor, (env) =>
      env.sudo().model('core.user').write([caller.actor.uid], { pinned_apps: modules }),
    );
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson({ modules })));
  });
}
