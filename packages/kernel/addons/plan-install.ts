import { type Catalogue, dependsOf } from './catalogue.ts';
import { dependencyOrder } from './dependency-order.ts';

export interface InstallPlan {
  /** Modules to install, dependencies first. */
  readonly install: readonly string[];
  /** Every module afterwards, in dependency order. */
  readonly modules: readonly string[];
}

/** What installing the wanted addons includes: their dependencies, required addons, and those that install themselves then. */
export function planInstall(catalogue: Catalogue, present: ReadonlySet<string>, wanted: Iterable<string>): InstallPlan {
  const required = [...catalogue.values()].filter((addon) => addon.manifest.required).map((addon) => addon.name);
  let modules = dependencyOrder(catalogue, [...present, ...required, ...wanted]);
  for (;;) {
    const more = selfInstalling(catalogue, present, new Set(modules));
    if (more.length === 0) break;
    modules = dependencyOrder(catalogue, [...modules, ...more]);
  }
  return { install: modules.filter((name) => !present.has(name)), modules };
}

/** Only addons that a newly installed module completes: an uninstalled addon does not come back when something else is installed. */
function selfInstalling(
  catalogue: Catalogue,
  present: ReadonlySet<string>,
  modules: ReadonlySet<string>,
): readonly string[] {
  return [...catalogue.values()]
    .filter((addon) => {
      if (!addon.manifest.auto_install || modules.has(addon.name)) return false;
      const depends = dependsOf(addon, catalogue);
      return depends.every((name) => modules.has(name)) && depends.some((name) => !present.has(name));
    })
    .map((addon) => addon.name);
}
