import type { Kernel } from '@kontor/kernel';
import { switchCompany } from '@kontor/parts';
import { invalidArgs, KontorError } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { answerPost, nextPath } from '../answers/answer-post.ts';
import { checkCsrf, givenCsrf, signedIn } from '../guards/authenticate.ts';
import { idField, readFields, textField } from '../http/fields.ts';

export function companyRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/company/switch', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const companyId = idField(fields, 'company_id');
    if (companyId === null) throw invalidArgs('company_id must name a company.', { field: 'company_id' });
    if (!caller.actor.companyIds.includes(companyId)) {
      throw new KontorError('ACCESS_DENIED', 'This company is not among yours.', { layer: 'rule' });
    }
    await switchCompany(kernel.database, caller.sessionId, companyId);
    kernel.ring();
    return answerPost(request, reply, { company_id: companyId }, nextPath(textField(fields, 'next'), '/web/home'));
  });
}
