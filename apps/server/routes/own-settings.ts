import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { switchCompany } from '@kontor/parts';
import { accessDenied, invalidArgs, text } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { answerPost, nextPath } from '../answers/answer-post.ts';
import { checkCsrf, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { okEnvelope } from '../http/envelope.ts';
import { idField, readFields, textField } from '../http/fields.ts';

/** The active company of a user in this session. */
export function companyRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/company/switch', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const companyId = idField(fields, 'company_id');
    if (companyId === null) throw invalidArgs('company_id must name a company.', { field: 'company_id' });
    if (!caller.actor.companyIds.includes(companyId)) {
      throw accessDenied('core.company', 'read', 'rule', { message: text('This company is not among yours.') });
    }
    await switchCompany(kernel.database, caller.sessionId, companyId);
    kernel.ring();
    return answerPost(request, reply, { company_id: companyId }, nextPath(textField(fields, 'next'), '/web/home'));
  });
}

/** A user's pinned apps, in their order. Unknown names are dropped. */
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
    await kernel.transact(
      caller.actor,
      (env) => env.sudo().model('core.user').write([caller.actor.uid], { pinned_apps: modules }),
      originOf(request, caller),
    );
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson({ modules })));
  });
}
