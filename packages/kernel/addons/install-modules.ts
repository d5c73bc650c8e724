import { applyModules } from './apply-modules.ts';
import type { InstallContext, ModuleChange } from './install-context.ts';
import { lockModules } from './lock-modules.ts';
import { planInstall } from './plan-install.ts';
import { presentModules, readModuleStates } from './read-module-states.ts';

/** Installs addons with all they need, in the caller's transaction. What is installed already stays as it is. */
export async function installModules(context: InstallContext, names: readonly string[]): Promise<ModuleChange> {
  await lockModules(context.tx, context.waitMs);
  const before = await readModuleStates(context.tx);
  const { install, modules } = planInstall(context.catalogue, presentModules(before), names);
  return applyModules(context, { before, modules, install: new Set(install), upgrade: new Set() });
}
