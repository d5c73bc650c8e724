import type { Env } from '@kontor/addon';

const dayMs = 86_400_000;
/** Days that the log keeps; the dates of records are kept longer than late ones are noticed. */
const keptDays = { runs: 30, reached: 70 };
/** Runs that the log keeps of one automation. */
export const mostRuns = 10_000;
const batch = 1_000;

/** Deletes old rows. Returns whether there may be more. */
export async function cleanRuns(env: Env): Promise<boolean> {
  const before = (days: number) => new Date(env.now.getTime() - days * dayMs).toISOString();
  const runs = env.model('automation.run');
  const old = await runs.search([['ended_at', '<', before(keptDays.runs)]], { order: 'ended_at', limit: batch });
  if (old.length > 0) await runs.unlink(old);
  const reached = env.model('automation.reached');
  const noticed = await reached.search([['create_date', '<', before(keptDays.reached)]], { order: 'id', limit: batch });
  if (noticed.length > 0) await reached.unlink(noticed);
  return old.length === batch || noticed.length === batch || (await cutLongLogs(env));
}

async function cutLongLogs(env: Env): Promise<boolean> {
  const runs = env.model('automation.run');
  const ended = [['state', 'in', ['done', 'skipped', 'failed', 'stopped']]] as const;
  const counts = await runs.readGroup({ domain: ended, groupby: ['rule_id'] });
  let isMore = false;
  for (const group of counts) {
    const excess = group.__count - mostRuns;
    if (excess <= 0) continue;
    const rule = Array.isArray(group.rule_id) ? group.rule_id[0] : group.rule_id;
    const oldest = await runs.search([['rule_id', '=', Number(rule)], ...ended], {
      order: 'id',
      limit: Math.min(excess, batch),
    });
    await runs.unlink(oldest);
    isMore ||= excess > batch;
  }
  return isMore;
}
