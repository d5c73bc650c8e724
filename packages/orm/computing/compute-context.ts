import { dateIn } from '@kontor/protocol';
import type { ComputeContext } from '../model/behaviour.ts';
import type { Env } from '../model/model.ts';

const always = () => true;

/** What computes may know besides their record; `changed` tells what this call changes. */
export function computeContext(env: Env, changed: ComputeContext['changed'] = always): ComputeContext {
  const { actor, registry } = env;
  return {
    user: env.uid > 0 ? { id: env.uid } : null,
    company: actor.companyId === null ? null : { id: actor.companyId },
    now: env.now.toISOString(),
    today: dateIn(actor.tz, env.now),
    changed,
    isNew: false,
    registry,
  };
}
