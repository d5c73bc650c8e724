import { isStalePlan } from '../errors/sql-state.ts';
import { isConnectionFailure, lostWhileSaving, unavailable } from '../errors/unavailable.ts';
import type { Lane } from '../pool/lanes.ts';
import type { Leases } from '../pool/open-pool.ts';
import { type Answer, type Outgoing, send } from '../pool/send.ts';
import { maxStaleRetries } from './run-transaction.ts';

/** One statement that the server commits by itself. Only one whose plan was out of date is sent again: it did nothing. */
export async function runChange(leases: Leases, lane: Lane, outgoing: Outgoing, stale = 0): Promise<Answer> {
  const lease = await leases.take(lane);
  let isBroken = false;
  try {
    const answer = await send(lease, outgoing);
    if (lease.isUncopied) throw lostWhileSaving(new Error('the standby did not confirm it'));
    return answer;
  } catch (error) {
    isBroken = isConnectionFailure(error);
    // The server may have committed it before its answer was lost.
    if (isBroken) throw lostWhileSaving(error);
    if (!isStalePlan(error)) throw unavailable(error) ?? error;
    leases.dropPlans();
    if (stale >= maxStaleRetries) throw error;
  } finally {
    lease.release(isBroken);
  }
  return runChange(leases, lane, outgoing, stale + 1);
}
