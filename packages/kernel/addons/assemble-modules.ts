import { assembleRegistry, DefinitionError, type ModuleModels, type Registry } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';
import { addonOf, type Catalogue } from './catalogue.ts';
import type { AddonDefinition } from './define-addon.ts';
import { dependencyOrder } from './dependency-order.ts';
import type { InstallContext } from './install-context.ts';

export interface AssembledModules {
  readonly registry: Registry;
  /** In dependency order. */
  readonly definitions: ReadonlyMap<string, AddonDefinition>;
}

/** Loads the code of the given modules and builds their registry. */
export async function assembleModules(
  context: { readonly catalogue: Catalogue; readonly codeOf: InstallContext['codeOf'] },
  modules: Iterable<string>,
): Promise<AssembledModules> {
  const definitions = new Map<string, AddonDefinition>();
  for (const name of dependencyOrder(context.catalogue, modules)) {
    definitions.set(name, await context.codeOf(addonOf(context.catalogue, name)));
  }
  const models = [...definitions].map(([module, definition]) => ({ module, definitions: definition.models }));
  return { registry: assemble(models), definitions };
}

function assemble(models: readonly ModuleModels[]): Registry {
  try {
    return assembleRegistry(models);
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const failure = new KontorError('USER_ERROR', error.message, { problems: error.problems });
    failure.cause = error;
    throw failure;
  }
}
