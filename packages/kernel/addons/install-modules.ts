import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { applyModules } from './apply-modules.ts';
import { addonOf } from './catalogue.ts';
import { dependencyOrder } from './dependency-order.ts';
import type { InstallContext, ModuleChange } from './install-context.ts';
import { lockModules } from './lock-modules.ts';
import { planInstall } from './plan-install.ts';
import { presentModules, readModuleStates } from './read-module-states.ts';

/** Installs addons with all they need, in the caller's transaction. What is installed already stays as it is. */
export async function installModules(context: InstallContext, names: readonly string[]): Promise<ModuleChange> {
  await lockModules(context.tx, context.waitMs);
  const before = await readModuleStates(context.tx);
  const { install, modules } = planInstall(context.catalogue, presentModules(before), names);
  const upgrade = context.withDemo ? withLateDemo(context, install) : [];
  return applyModules(context, { before, modules, install: new Set(install), upgrade: new Set(upgrade) });
}

/**
 * Demonstration data build on those of the modules below. Where one of these was installed without, its own are brought in
 * first; where it has them already, nothing is new.
 */
function withLateDemo({ catalogue }: InstallContext, install: readonly string[]): readonly string[] {
  const fresh = new Set(install);
  return dependencyOrder(catalogue, install).filter(
    (name) => !fresh.has(name) && existsSync(join(addonOf(catalogue, name).folder, 'demo')),
  );
}
