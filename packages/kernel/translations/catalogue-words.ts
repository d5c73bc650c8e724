import { inEnglish, type Translate } from '@kontor/protocol';
import { wordbooksOf } from '../addons/assemble-modules.ts';
import { presentModules } from '../addons/read-module-states.ts';
import type { Kernel } from '../kernel.ts';
import { createTranslations } from './translations.ts';

/**
 * How the addons of the catalogue call themselves in a language, also those that are not installed. An addon whose words
 * cannot be read is shown in English; whoever installs it learns why.
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
