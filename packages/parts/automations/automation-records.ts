import { AddonError, type AutomationSpec, type DataField, type DataRecord } from '@kontor/kernel';

/**
 * The automations that an addon declares in code, as records like those of its data files: they come with the install, go with
 * the uninstall, and an upgrade leaves alone what an administrator changed unless the addon itself changed it.
 */
export function automationRecords(module: string, automations: readonly AutomationSpec[]): readonly DataRecord[] {
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
      action: automation.run,
      module,
    };
    const fields = Object.entries(values).map(
      ([name, json]): DataField => ({ name, value: { kind: 'json', json }, line: place.line }),
    );
    return { place, id, model: 'sys.automation', noupdate: false, fields };
  });
}
