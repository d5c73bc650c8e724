import type { Addon, InstallState, Kernel } from '@kontor/kernel';
import {
  addonIcon,
  catalogueWords,
  dependsOf,
  planInstall,
  presentModules,
  previewUninstall,
  type UninstallPreview,
} from '@kontor/kernel';
import { KontorError, type Translate } from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';

/** One addon of the catalogue, as the person who installs it wants to know it. */
export interface CatalogueEntry {
  readonly module: string;
  readonly label: string;
  readonly summary: string;
  readonly category: string;
  readonly author: string;
  readonly icon: string;
  readonly version: string;
  readonly application: boolean;
  readonly required: boolean;
  readonly state: InstallState;
  readonly depends: readonly string[];
  /** Installed modules that stand on it: while there are any, it cannot go. */
  readonly dependents: readonly string[];
  /** What an install would bring along. */
  readonly brings: readonly string[];
  /** Why it cannot be installed, where it cannot. */
  readonly problem?: string;
}

export interface AppsScreen {
  readonly modules: readonly CatalogueEntry[];
  readonly categories: readonly string[];
  /** What an uninstall of the module that was asked for would take away. */
  readonly uninstall?: UninstallPreview;
}

/** The module catalogue, as it is on disk right now. */
export async function appsScreen(
  kernel: Kernel,
  { actor }: Pick<WorkspaceCaller, 'actor'>,
  module: string,
): Promise<AppsScreen> {
  const catalogue = await kernel.refreshCatalogue();
  const say = await catalogueWords(kernel, actor.lang);
  const modules = [...catalogue.values()].map((addon) => entryOf(kernel, addon, say));
  const categories = [...new Set(modules.map(({ category }) => category))].filter((name) => name !== '').sort();
  if (module === '') return { modules, categories };
  const uninstall = await kernel.inspectModules((context) => previewUninstall(context, module));
  return { modules, categories, uninstall };
}

function entryOf({ catalogue, loaded }: Kernel, addon: Addon, translate: Translate): CatalogueEntry {
  const { author, version, application, required } = addon.manifest;
  const say = (words: string) => translate(words, addon.name);
  const present = presentModules(loaded.states);
  const others = [...catalogue.values()].filter(({ name }) => present.has(name));
  return {
    module: addon.name,
    label: say(addon.manifest.label),
    summary: say(addon.manifest.summary),
    category: say(addon.manifest.category),
    ...{ author, icon: addonIcon(addon), version, application, required },
    state: loaded.states.get(addon.name) ?? 'uninstalled',
    depends: dependsOf(addon, catalogue),
    dependents: others.filter((other) => dependsOf(other, catalogue).includes(addon.name)).map(({ name }) => name),
    ...planOf(catalogue, present, addon, translate),
  };
}

function planOf(catalogue: Kernel['catalogue'], present: ReadonlySet<string>, { name }: Addon, translate: Translate) {
  if (present.has(name)) return { brings: [] };
  try {
    const { install } = planInstall(catalogue, present, [name]);
    return { brings: install.filter((other) => other !== name) };
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    return { brings: [], problem: translate(error.words) };
  }
}
