import { sql } from '@kontor/database';
import {
  AddonError,
  type AutomationSpec,
  type DataField,
  type DataRecord,
  definePart,
  systemActor,
} from '@kontor/kernel';
import { sysAutomation } from './automation-model.ts';
import { automationsCache } from './load-automations.ts';
import { runAutomations, runCronAutomations } from './run-automations.ts';

/** Effects of record changes. */
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
    return {
      concerns: ({ model, operation }) =>
        (automations.get(model.name) ?? []).some(({ trigger }) => trigger === operation),
      async run(env, since) {
        const cutOff = await runAutomations(env, automations, since);
        if (cutOff.length === 0) return;
        kernel.log.warn({ automations: cutOff }, 'automations set each other off too deep and were cut off');
      },
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

/**
 * The automations that an addon declares in code, as records like those of its data files: created by the install, removed by the
 * uninstall; an upgrade keeps an administrator's changes unless the addon itself changed the automation.
 */
function automationRecords(module: string, automations: readonly AutomationSpec[]): readonly DataRecord[] {
  const place = { addon: module, file: 'addon.ts', line: 1 };
  const taken = new Set<string>();
  return automations.map((automation) => {
    const id = `${module}.automation_${automation.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`.slice(0, 120);
    if (taken.has(id)) throw new AddonError(place, `Two automations are called "${automation.name}".`);
    taken.add(id);
    const values = {
      name: automation.name,
      model: automation.model,
      trigger: automation.on,
      domain: automation.domain ?? [],
      before: automation.before ?? [],
      action: automation.run,
      module,
    };
    const fields = Object.entries(values).map(
      ([name, json]): DataField => ({ name, value: { kind: 'json', json }, line: place.line }),
    );
    return { place, id, model: 'sys.automation', noupdate: false, fields };
  });
}
