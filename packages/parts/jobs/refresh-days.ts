import { type Runtime, type SystemJobSpec, systemActor } from '@kontor/kernel';
import { dailyComputes, recomputeDaily } from '@kontor/orm';
import { dateIn } from '@kontor/protocol';
import { keepParameter, readParameter } from '../settings/config-parameter.ts';

/** The day that stored values were last calculated for, by time zone. */
const parameter = 'days.refreshed';

/** Calculates stored values that depend on today's date again when a day begins in the time zone of a company. */
export const refreshDays: SystemJobSpec = {
  name: 'refresh_days',
  async runAsSystem(runtime, signal) {
    if (dailyComputes(runtime.registry).length === 0) return;
    const done = await refreshedDays(runtime);
    const rows = await runtime.read(
      systemActor,
      (env) => env.model('core.company').searchRead([], ['tz'], { order: 'id' }),
      { isSudo: true },
    );
    const companies = rows.map(({ id, tz }) => ({ id, tz: String(tz) }));
    for (const tz of new Set(companies.map((company) => company.tz))) {
      const today = dateIn(tz, new Date());
      if (done[tz] === today || signal.aborted) continue;
      const ids = companies.filter((company) => company.tz === tz).map(({ id }) => id);
      // Records without a company use the day of the first one.
      const isFirst = companies[0]?.tz === tz;
      await recompute(runtime, isFirst ? [...ids, null] : ids, signal);
      if (signal.aborted) return;
      done[tz] = today;
      await keepParameter(runtime.database, parameter, JSON.stringify(done));
    }
  },
};

async function refreshedDays({ database }: Runtime): Promise<Record<string, string>> {
  return JSON.parse((await readParameter(database, parameter)) ?? '{}') as Record<string, string>;
}

/** In steps of a model and some records: nobody waits long, and an interruption loses little. */
async function recompute(runtime: Runtime, companies: readonly (number | null)[], signal: AbortSignal): Promise<void> {
  for (const { model } of dailyComputes(runtime.registry)) {
    let after: number | null = 0;
    while (after !== null && !signal.aborted) {
      const from: number = after;
      const { result } = await runtime.transact(
        systemActor,
        (env) => recomputeDaily(env.sudo(), model, companies, from),
        {
          isSudo: true,
        },
      );
      after = result;
    }
  }
}
