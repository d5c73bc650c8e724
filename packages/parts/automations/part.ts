import { sql } from '@kontor/database';
import { definePart, systemActor } from '@kontor/kernel';
import { sysAutomation } from './automation-model.ts';
import { automationRecords } from './automation-records.ts';
import { automationsCache } from './load-automations.ts';
import { runAutomations } from './run-automations.ts';
import { runCronAutomations } from './run-cron-automations.ts';

/** What happens by itself when records change. */
export const automationsPart = definePart({
  name: 'automations',
  models: [sysAutomation],
  signals: { views: ['sys.automation'] },
  caches: [automationsCache],
  records: (module, { automations }) => automationRecords(module, automations),
  async observe(kernel) {
    const { automations, broken } = await kernel.cached(automationsCache, undefined);
    for (const { name, message } of broken) {
      kernel.log.warn({ automation: name }, `an automation cannot run: ${message}`);
    }
    return async (env, since) => {
      const cutOff = await runAutomations(env, automations, since);
      if (cutOff.length === 0) return;
      kernel.log.warn({ automations: cutOff }, 'automations set each other off too deep and were cut off');
    };
  },
  jobs: [
    {
      name: 'run_automations',
      async runAsSystem(runtime) {
        await runtime.transact(systemActor, runCronAutomations, { isSudo: true });
      },
    },
  ],
  counts: { 'automations.active': sql`select count(*) from sys_automation where active` },
});
