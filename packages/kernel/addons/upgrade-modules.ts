import { KontorError, text } from '@kontor/protocol';
import { applyModules } from './apply-modules.ts';
import { addonOf } from './catalogue.ts';
import type { InstallContext, ModuleChange } from './install-context.ts';
import { lockModules } from './lock-modules.ts';
import { planInstall } from './plan-install.ts';
import { presentModules, readModuleStates } from './read-module-states.ts';

/** Brings installed modules to what their addons are now; dependencies that are new are installed on the way. */
export async function upgradeModules(context: InstallContext, names: readonly string[]): Promise<ModuleChange> {
  await lockModules(context.tx, context.waitMs);
  const before = await readModuleStates(context.tx);
  const present = presentModules(before);
  for (const name of names) {
    addonOf(context.catalogue, name);
    if (!present.has(name))
      throw new KontorError('USER_ERROR', text('The module "{module}" is not installed.', { module: name }), {
        module: name,
      });
  }
  const { install, modules } = planInstall(context.catalogue, present, []);
  return applyModules(context, { before, modules, install: new Set(install), upgrade: new Set(names) });
}
