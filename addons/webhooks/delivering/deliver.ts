import { type OutsideResult, outsideRequests, type WorkerCall, type WorkerSpec } from '@kontor/addon';
import { type Claim, claimDue } from './claim-due.ts';
import { finish, release } from './finish.ts';
import { changeTaker } from './take-changes.ts';

export const requestLimits = { timeoutMs: 15_000, maxBytes: 2_000 };

/** Reads what was changed, and sends what is due. */
export function deliverer(): WorkerSpec {
  const takeChanges = changeTaker();
  return {
    name: 'deliver',
    async run(call) {
      const { step, begin, signal } = call;
      await takeChanges(step);
      for (let isMore = true; isMore && !signal.aborted; ) {
        const due = await step(async (env) => ({ ...(await claimDue(env)), request: outsideRequests(env) }));
        for (const claim of due.claims) {
          const send = () => due.request({ url: claim.url, ...claim.message, ...requestLimits, signal });
          begin(() => sendOne(call, claim, send));
        }
        isMore = due.isMore;
      }
    },
  };
}

/** A request that a stop cut off counts for nothing: another process sends it. */
async function sendOne({ step, signal }: WorkerCall, claim: Claim, send: () => Promise<OutsideResult>): Promise<void> {
  const result = await send();
  const isCut = result.kind === 'failure' && signal.aborted;
  await step((env) => (isCut ? release(env, claim) : finish(env, claim, result)));
}
