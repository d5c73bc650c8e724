import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KontorError, type Text, text } from '@kontor/protocol';
import { applyModules } from './apply-modules.ts';
import { assembleModules } from './assemble-modules.ts';
import { addonOf } from './catalogue.ts';
import { dependencyOrder } from './dependency-order.ts';
import type { InstallContext, InstallState, ModuleChange } from './install-context.ts';
import { lockModules, presentModules, readModuleStates, writeModuleRows } from './module-rows.ts';
import { planInstall } from './plan-install.ts';

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

/** Lets an inactive module work again. */
export function activateModule(context: InstallContext, name: string): Promise<ModuleChange> {
  return setState(context, name, 'inactive', 'installed');
}

/** Hides a module's menus and pauses its jobs and routes; its models are still served. */
export function deactivateModule(context: InstallContext, name: string): Promise<ModuleChange> {
  return setState(context, name, 'installed', 'inactive');
}

async function setState(
  context: InstallContext,
  name: string,
  from: InstallState,
  to: InstallState,
): Promise<ModuleChange> {
  await lockModules(context.tx, context.waitMs);
  const { manifest } = addonOf(context.catalogue, name);
  const before = await readModuleStates(context.tx);
  const state = before.get(name) ?? 'uninstalled';
  if (state === 'uninstalled')
    throw refusal(name, text('The module "{module}" is not installed.', { module: manifest.label }));
  if (to === 'inactive' && manifest.required)
    throw refusal(name, text('"{module}" is required and stays active.', { module: manifest.label }));
  const assembled = await assembleModules(context, presentModules(before));
  const states = new Map(before).set(name, to);
  if (state === from)
    await writeModuleRows(context.envFor(assembled.registry, context.tx).sudo(), context.catalogue, states);
  const report = {
    module: name,
    done: to === 'inactive' ? ('deactivated' as const) : ('activated' as const),
    ...{ created: 0, updated: 0, unchanged: 0, removed: [], kept: [], migrations: [] },
  };
  return { ...assembled, states, reports: [report], schema: { done: [], refused: [] } };
}

function refusal(module: string, message: Text): KontorError {
  return new KontorError('USER_ERROR', message, { module });
}
