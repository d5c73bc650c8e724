import { type DomainTokens, dateIn } from '@kontor/protocol';
import type { Env } from '../model/model.ts';

/** What `$uid`, `$company_id`, `$company_ids`, `$today` and `$now` stand for in an env; says when it is asked for the time. */
export function envTokens(env: Env, onTime: () => void = () => {}): DomainTokens {
  return {
    uid: env.uid,
    companyId: env.actor.companyId,
    companyIds: env.actor.companyIds,
    get today() {
      onTime();
      return dateIn(env.actor.tz, env.now);
    },
    get now() {
      onTime();
      return env.now.toISOString();
    },
  };
}
