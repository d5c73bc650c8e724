import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { approveProposal, type Decider, refuseProposal, type SeenProposal } from '@kontor/parts';
import { invalidArgs, KontorError, type ProposalDecision } from '@kontor/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rememberChange } from '../answers/answer-post.ts';
import { checkCsrf, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { okEnvelope } from '../http/envelope.ts';
import { type Fields, readFields, textField } from '../http/fields.ts';

const most = 200;

/** A user decides on proposals of agents: only by session, never with a key. Each has its own outcome. */
export function proposalRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/proposals/decide', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const { requestId, address, via } = originOf(request, caller);
    const decider: Decider = { actor: caller.actor, requestId, address, via };
    const decide = decisionOf(fields);
    const decided: ProposalDecision[] = [];
    for (const seen of seenIn(fields)) {
      const problem = (error: unknown) => notDecided(request, seen, error);
      decided.push(await decide(kernel, decider, seen).catch(problem));
    }
    if (decided.some(({ changeSet }) => changeSet !== null)) await rememberChange(kernel, caller);
    return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson(decided)));
  });
}

/** It was decided in another window, or has expired: the others are still decided. */
function notDecided(request: FastifyRequest, { id }: SeenProposal, error: unknown): ProposalDecision {
  if (!(error instanceof KontorError) || !['CONFLICT', 'NOT_FOUND'].includes(error.code)) throw error;
  return { id, state: 'waiting', changeSet: null, problem: error.translated(request.words.say).message };
}

type Decide = (kernel: Kernel, decider: Decider, seen: SeenProposal) => Promise<ProposalDecision>;

function decisionOf(fields: Fields): Decide {
  const decision = textField(fields, 'decision');
  if (decision === 'approve') return approveProposal;
  const word = textField(fields, 'word');
  if (decision === 'refuse') return (kernel, decider, seen) => refuseProposal(kernel, decider, seen, word);
  throw invalidArgs('decision must be approve or refuse.', { field: 'decision' });
}

function seenIn({ proposals }: Fields): readonly SeenProposal[] {
  const isSeen = (value: unknown): value is SeenProposal => {
    const { id, version } = (value ?? {}) as Partial<Record<keyof SeenProposal, unknown>>;
    return [id, version].every(
      (number) => Number.isInteger(number) && (number as number) > 0 && (number as number) < 2 ** 31,
    );
  };
  if (Array.isArray(proposals) && proposals.length > 0 && proposals.length <= most && proposals.every(isSeen))
    return proposals;
  throw invalidArgs(`proposals must be 1 to ${most} of {"id": 1, "version": 1}.`, { field: 'proposals' });
}
