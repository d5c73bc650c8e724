import { isStalePlan, isUndone } from '../errors/sql-state.ts';
import { isConnectionFailure, lostWhileSaving, unavailable } from '../errors/unavailable.ts';
import type { Purpose } from '../pool/connection-queue.ts';
import type { Leases } from '../pool/open-pool.ts';
import { type Answer, type Outgoing, send } from '../pool/send.ts';
import { maxStaleRetries } from './run-transaction.ts';

/**
 * One statement that the server commits by itself, pipelined behind others if it is short. It is sent again only if it certainly
 * had no effect: its plan was outdated, or the server cancelled it as not short.
 */
export async function runChange(leases: Leases, purpose: Purpose, outgoing: Outgoing, stale = 0): Promise<Answer> {
  const { shared } = leases;
  const taken = shared?.take(outgoing.text, 'change') ?? null;
  const lease = (taken instanceof Promise ? await taken : taken) ?? (await leases.take(purpose));
  let isBroken = false;
  let isStale = false;
  try {
    const answer = await send(lease, outgoing);
    if (answer.isUncopied) throw lostWhileSaving(new Error('the standby did not confirm it'));
    if (answer.tookMs !== undefined) shared?.note(outgoing.text, answer.tookMs, 'change');
    return answer;
  } catch (error) {
    isBroken = isConnectionFailure(error);
    // The server may have committed it before its answer was lost.
    if (isBroken) throw lostWhileSaving(error);
    isStale = isStalePlan(error);
    if (isStale) leases.dropPlans();
    const isNotShort = lease.sharedFor !== null && isUndone(error);
    if (isNotShort) shared?.refuse(outgoing.text);
    if (!isNotShort && (!isStale || stale >= maxStaleRetries)) throw unavailable(error) ?? error;
  } finally {
    lease.release(isBroken);
  }
  return runChange(leases, purpose, outgoing, isStale ? stale + 1 : stale);
}
