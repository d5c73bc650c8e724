import { type DomainTokens, dateIn } from '@kontor/protocol';
import type { Env } from '../env.ts';

/** What `$uid`, `$company_id`, `$company_ids`, `$today` and `$now` stand for in an env. */
export function envTokens(env: Env): DomainTokens {
  return {
    uid: env.uid,
    companyId: env.actor.companyId,
    companyIds: env.actor.companyIds,
    today: dateIn(env.actor.tz, env.now),
    now: env.now.toISOString(),
  };
}
