import { assembleRegistry, type ModuleModels, type Registry } from '@kontor/orm';
import { sourceLanguage } from './language-chain.ts';
import { translateDefinitions } from './translate-definitions.ts';
import type { Translations } from './translations.ts';

/** The registry in somebody's language; languages with the same words share one. */
export type RegistryIn = (lang: string) => Registry;

export interface Registries {
  /** In English, as the code has it. */
  readonly registry: Registry;
  readonly registryIn: RegistryIn;
}

/** Throws `DefinitionError`. */
export function createRegistries(models: readonly ModuleModels[], translations: Translations): Registries {
  const wordsIn = translations.in;
  const registry = assembleRegistry(models, { language: sourceLanguage, wordsIn });
  const known = new Map<string, Registry>([['', registry]]);
  const registryIn: RegistryIn = (lang) => {
    const key = translations.keyOf(lang);
    const found = known.get(key);
    if (found) return found;
    const made = assembleRegistry(translateDefinitions(models, wordsIn(lang)), { language: lang, wordsIn });
    known.set(key, made);
    return made;
  };
  return { registry, registryIn };
}
