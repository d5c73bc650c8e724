import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { switchCompany } from '@kontor/parts';
import { accessDenied, invalidArgs, text } from '@kontor/protocol';
import { isAddedApp } from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { answerPost, nextPath } from '../answers/answer-post.ts';
import { checkCsrf, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { okEnvelope } from '../http/envelope.ts';
import { type Fields, idField, readFields, textField } from '../http/fields.ts';

/** The active company of a user in this session, and those whose records are shown with it. */
export function companyRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/company/switch', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const companyId = idField(fields, 'company_id');
    if (companyId === null) throw invalidArgs('company_id must name a company.', { field: 'company_id' });
    const shown = shownCompanies(fields);
    if (![companyId, ...shown].every((id) => caller.actor.companyIds.includes(id))) {
      throw accessDenied('core.company', 'read', 'rule', { message: text('This company is not among yours.') });
    }
    await switchCompany(kernel.database, caller.sessionId, { companyId, shown });
    kernel.ring();
    const result = { company_id: companyId, ...(shown.length > 0 ? { company_ids: [companyId, ...shown] } : {}) };
    return answerPost(request, reply, result, nextPath(textField(fields, 'next'), '/web/home'));
  });
}

const mostCompanies = 200;

/** The companies in `company_ids` besides the active one: ids, or one text with commas between them. */
function shownCompanies(fields: Fields): readonly number[] {
  const { company_ids: given = '' } = fields;
  const texts = Array.isArray(given) ? given.map(String) : String(given ?? '').split(',');
  const ids = [...new Set(texts.map((one) => one.trim()).filter((one) => one !== ''))];
  const isValid = (id: string) => /^\d{1,10}$/.test(id);
  if (ids.length > mostCompanies || !ids.every(isValid)) {
    throw invalidArgs('company_ids must be ids of companies with commas between them.', { field: 'company_ids' });
  }
  const active = idField(fields, 'company_id');
  return ids.map(Number).filter((id) => id !== active);
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
      (name) => (states.get(name) ?? 'uninstalled') !== 'uninstalled' || isAddedApp(kernel.registry, name),
    );
    await kernel.transact(
      caller.actor,
      (env) => env.sudo().model('core.user').write([caller.actor.uid], { pinned_apps: modules }),
      originOf(request, caller),
    );
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson({ modules })));
  });
}
