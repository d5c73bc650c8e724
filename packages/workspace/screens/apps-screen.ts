import {
  type Addon,
  addonIcon,
  createTranslations,
  dependsOf,
  type Kernel,
  planInstall,
  presentModules,
  previewWithDependents,
  wordbooksOf,
} from '@kontor/kernel';
import { type AppsScreenData, type CatalogueEntry, inEnglish, KontorError, type Translate } from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';

/** The module catalogue, as it is on disk right now. */
export async function appsScreen(
  kernel: Kernel,
  { actor }: Pick<WorkspaceCaller, 'actor'>,
  module: string,
): Promise<AppsScreenData> {
  const catalogue = await kernel.refreshCatalogue();
  const say = await catalogueWords(kernel, actor.lang);
  const modules = [...catalogue.values()].map((addon) => entryOf(kernel, addon, say));
  const categories = [...new Set(modules.map(({ category }) => category))].filter((name) => name !== '').sort();
  const { addonUpload: mayAdd } = kernel.config;
  if (module === '') return { modules, categories, mayAdd };
  const preview = await kernel.inspectModules((context) => previewWithDependents(context, module));
  const things = preview.things.map((thing) => ({ ...thing, label: say(thing.label, thing.module) }));
  return { modules, categories, mayAdd, uninstall: { ...preview, things } };
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
    ...(addon.added && { added: addon.added }),
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

/**
 * The labels of the catalogue's addons in a language, including those that are not installed. An addon with unreadable wordbooks is
 * shown in English; installing it reports the error.
 */
export async function catalogueWords({ catalogue, loaded }: Kernel, lang: string): Promise<Translate> {
  const installed = loaded.translations.in(lang);
  const present = presentModules(loaded.states);
  const others = [...catalogue.values()].filter(({ name }) => !present.has(name));
  const books = await Promise.all(
    others.map(async (addon) => [addon.name, await wordbooksOf(addon).catch(() => new Map())] as const),
  );
  const own = createTranslations(new Map(books)).in(lang);
  return (words, module) => {
    if (module === undefined || present.has(module)) return installed(words, module);
    const said = own(words, module);
    return said === inEnglish(words) ? installed(words) : said;
  };
}
