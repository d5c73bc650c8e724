import { KontorError, type Text, text } from '@kontor/protocol';
import { assembleModules } from './assemble-modules.ts';
import { addonOf } from './catalogue.ts';
import type { InstallContext, InstallState, ModuleChange } from './install-context.ts';
import { lockModules } from './lock-modules.ts';
import { writeModuleRows } from './module-rows.ts';
import { presentModules, readModuleStates } from './read-module-states.ts';

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
