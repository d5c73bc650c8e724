import { join } from 'node:path';
import {
  assembleRegistry,
  type Change,
  DefinitionError,
  type Env,
  type ModuleModels,
  type Registry,
  typedEnv,
} from '@kontor/orm';
import { KontorError } from '@kontor/protocol';
import { sourceLanguage } from '../translations/language-chain.ts';
import { openWordbooks, type Refuse, readWordbooks, type Wordbooks } from '../translations/read-wordbooks.ts';
import { createTranslations, type Translations } from '../translations/translations.ts';
import type { Observer, RegistryIn } from '../work/work-context.ts';
import { AddonError } from './addon-error.ts';
import { type Addon, addonOf, type Catalogue } from './catalogue.ts';
import { customModule } from './custom/document.ts';
import { assembleFitting, type FittedDocument } from './custom/fit-document.ts';
import { documentWords } from './custom/load-document.ts';
import { nothingPublished, type PublishedDocument } from './custom/revision-models.ts';
import type { AddonDefinition } from './define-addon.ts';
import { dependencyOrder } from './dependency-order.ts';
import { checkKontorRange } from './manifest.ts';

/** Loads the code of an addon. */
export type CodeOf = (addon: Addon) => Promise<AddonDefinition>;
/** Reads its translations. */
export type WordsOf = (addon: Addon) => Promise<Wordbooks>;

interface Registries {
  /** In English, as in the code. */
  readonly registry: Registry;
  readonly registryIn: RegistryIn;
}

export interface AssembledModules extends Registries {
  readonly translations: Translations;
  /** In dependency order. */
  readonly definitions: ReadonlyMap<string, AddonDefinition>;
  readonly wordbooks: ReadonlyMap<string, Wordbooks>;
  readonly custom: CustomLayer;
}

/** The published customisation, on top of all modules. */
export interface CustomLayer extends FittedDocument {
  readonly published: PublishedDocument;
}

/** Loads the code and the translations of the given modules and builds their registry. */
export async function assembleModules(
  context: {
    readonly catalogue: Catalogue;
    readonly codeOf: CodeOf;
    readonly wordsOf?: WordsOf;
    readonly publishedOf?: () => Promise<PublishedDocument>;
  },
  modules: Iterable<string>,
): Promise<AssembledModules> {
  const definitions = new Map<string, AddonDefinition>();
  const wordbooks = new Map<string, Wordbooks>();
  for (const name of dependencyOrder(context.catalogue, modules)) {
    const addon = addonOf(context.catalogue, name);
    checkKontorRange(addon.manifest);
    definitions.set(name, await context.codeOf(addon));
    wordbooks.set(name, await (context.wordsOf ?? wordbooksOf)(addon));
  }
  const models = [...definitions].map(([module, { models, texts }]) => ({ module, definitions: models, texts }));
  const published = (await context.publishedOf?.()) ?? nothingPublished;
  const books = documentWords(published.document);
  const translations = createTranslations(books.size > 0 ? new Map([...wordbooks, [customModule, books]]) : wordbooks);
  const { registries, fitted } = assemble(models, published, translations);
  return { ...registries, definitions, wordbooks, translations, custom: { ...fitted, published } };
}

/** The translations of an addon; throws `AddonError` with file and line. */
export function wordbooksOf(addon: Addon): Promise<Wordbooks> {
  return readWordbooks(wordsFolder(addon), refuseIn(addon));
}

/**
 * The translations of an installed addon: for addons that ship with Kontor, a language is read when a user needs it.
 */
export function installedWordbooksOf(addon: Addon): Promise<Wordbooks> {
  return addon.isShipped ? openWordbooks(wordsFolder(addon), refuseIn(addon)) : wordbooksOf(addon);
}

function wordsFolder({ folder }: Addon): string {
  return join(folder, 'i18n');
}

function refuseIn({ name }: Addon): Refuse {
  return (file, line, message) => new AddonError({ addon: name, file: `i18n/${file}`, line }, message);
}

function assemble(models: readonly ModuleModels[], { document }: PublishedDocument, translations: Translations) {
  try {
    const create = (all: readonly ModuleModels[]) => createRegistries(all, translations);
    const { assembled, fitted } = assembleFitting(models, document, create);
    return { registries: assembled, fitted };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const failure = new KontorError('USER_ERROR', error.message, { problems: error.problems });
    failure.cause = error;
    throw failure;
  }
}

/** Throws `DefinitionError`. */
function createRegistries(models: readonly ModuleModels[], translations: Translations): Registries {
  const { in: wordsIn, importWords, dataLanguages } = translations;
  const assembleIn = (language: string) =>
    assembleRegistry(models, {
      ...{ language, wordsIn, importWords, dataLanguages: dataLanguages(language) },
      inLanguage: (lang) => registryIn(lang),
    });
  const registry = assembleIn(sourceLanguage);
  const known = new Map<string, Registry>([['', registry]]);
  const registryIn: RegistryIn = (lang) => {
    const key = translations.keyOf(lang);
    const found = known.get(key);
    if (found) return found;
    const made = assembleIn(lang);
    known.set(key, made);
    return made;
  };
  return { registry, registryIn };
}

/** Passes the changes of a unit of work to the observers of addons, if one of them is concerned. */
export function addonObservers(definitions: Iterable<AddonDefinition>): Observer {
  const observers = [...definitions].flatMap((definition) => definition.observers);
  return {
    concerns: ({ model, operation, fields }) =>
      observers.some(({ models, concerns }) => {
        if (models === 'chatter' && model.chatter === null) return false;
        return concerns?.({ model: model.name, operation, fields: fields.map((field) => field.spec) }) ?? true;
      }),
    async run(env, since) {
      const changes = env.work.changes.slice(since);
      for (const observer of observers) {
        const own = observer.models === 'chatter' ? changes.filter((change) => hasChatter(env, change)) : changes;
        if (own.length > 0) await observer.run({ env: typedEnv(env), changes: own });
      }
    },
  };
}

function hasChatter(env: Env, { model }: Change): boolean {
  return env.registry.model(model).chatter !== null;
}
