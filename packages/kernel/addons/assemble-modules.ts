import { join } from 'node:path';
import {
  assembleRegistry,
  type Change,
  DefinitionError,
  type Env,
  type FieldSpec,
  type FieldSpecs,
  labelFromName,
  type ModelDefinition,
  type ModuleModels,
  type Registry,
  type StatesSpec,
  typedEnv,
} from '@kontor/orm';
import { KontorError, type Translate } from '@kontor/protocol';
import { sourceLanguage } from '../translations/language-chain.ts';
import { readWordbooks, type Wordbooks } from '../translations/read-wordbooks.ts';
import { createTranslations, type Translations } from '../translations/translations.ts';
import type { Observe, RegistryIn } from '../work/work-context.ts';
import { AddonError } from './addon-error.ts';
import { type Addon, addonOf, type Catalogue } from './catalogue.ts';
import type { AddonDefinition } from './define-addon.ts';
import { dependencyOrder } from './dependency-order.ts';

/** Loads the code of an addon. */
export type CodeOf = (addon: Addon) => Promise<AddonDefinition>;

interface Registries {
  /** In English, as the code has it. */
  readonly registry: Registry;
  readonly registryIn: RegistryIn;
}

export interface AssembledModules extends Registries {
  readonly translations: Translations;
  /** In dependency order. */
  readonly definitions: ReadonlyMap<string, AddonDefinition>;
}

/** Loads the code and the words of the given modules and builds their registry. */
export async function assembleModules(
  context: { readonly catalogue: Catalogue; readonly codeOf: CodeOf },
  modules: Iterable<string>,
): Promise<AssembledModules> {
  const definitions = new Map<string, AddonDefinition>();
  const wordbooks = new Map<string, Wordbooks>();
  for (const name of dependencyOrder(context.catalogue, modules)) {
    const addon = addonOf(context.catalogue, name);
    definitions.set(name, await context.codeOf(addon));
    wordbooks.set(name, await wordbooksOf(addon));
  }
  const models = [...definitions].map(([module, definition]) => ({ module, definitions: definition.models }));
  const translations = createTranslations(wordbooks);
  return { ...assemble(models, translations), definitions, translations };
}

/** The wordbooks of an addon; throws `AddonError` with file and line. */
export function wordbooksOf({ name, folder }: Addon): Promise<Wordbooks> {
  return readWordbooks(
    join(folder, 'i18n'),
    (file, line, message) => new AddonError({ addon: name, file: `i18n/${file}`, line }, message),
  );
}

function assemble(models: readonly ModuleModels[], translations: Translations): Registries {
  try {
    return createRegistries(models, translations);
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const failure = new KontorError('USER_ERROR', error.message, { problems: error.problems });
    failure.cause = error;
    throw failure;
  }
}

/** Throws `DefinitionError`. */
function createRegistries(models: readonly ModuleModels[], translations: Translations): Registries {
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

type Say = (text: string) => string;

/** The same definitions with labels, help, choices and messages in another language. */
function translateDefinitions(modules: readonly ModuleModels[], translate: Translate): readonly ModuleModels[] {
  const declared = new Set<string>();
  return modules.map(({ module, definitions }) => {
    const say: Say = (text) => translate(text, module);
    return { module, definitions: definitions.map((definition) => translateDefinition(definition, say, declared)) };
  });
}

function translateDefinition(definition: ModelDefinition, say: Say, declared: Set<string>): ModelDefinition {
  const { name, label, fields, constraints, acyclic, uniques, actions, moves, states } = definition;
  const isNew = definition.kind === 'model';
  return {
    ...definition,
    ...(label !== undefined || isNew ? { label: say(label ?? labelFromName(name)) } : {}),
    fields: mapValues(fields, (spec, field) => {
      const key = `${name}.${field}`;
      const isFirst = !declared.has(key);
      declared.add(key);
      return translateField(spec, field, say, isFirst);
    }),
    constraints: mapValues(constraints, (spec) => ({ ...spec, message: say(spec.message) })),
    acyclic: mapValues(acyclic, (spec) => ({ ...spec, message: say(spec.message) })),
    uniques: mapValues(uniques, (spec) =>
      spec.message === undefined ? spec : { ...spec, message: say(spec.message) },
    ),
    actions: mapValues(actions, (spec) => ({ ...spec, ...translateCalled(spec, say) })),
    moves: mapValues(moves, (variants) => variants.map((spec) => ({ ...spec, ...translateCalled(spec, say) }))),
    ...(states ? { states: translateStates(states, say) } : {}),
  };
}

/** What actions and moves say of themselves, and ask. */
function translateCalled(spec: CalledSpec, say: Say): CalledSpec {
  return {
    ...(spec.label === undefined ? {} : { label: say(spec.label) }),
    ...(spec.warns === undefined ? {} : { warns: say(spec.warns) }),
    ...(spec.single === undefined ? {} : { single: say(spec.single) }),
    ...(spec.refusal === undefined ? {} : { refusal: say(spec.refusal) }),
    ...(spec.asks === undefined
      ? {}
      : { asks: mapValues(spec.asks, (asked, field) => translateField(asked, field, say, true)) }),
  };
}

interface CalledSpec {
  readonly label?: string;
  readonly warns?: string;
  readonly single?: string;
  readonly refusal?: string;
  readonly asks?: FieldSpecs;
}

function translateStates(states: StatesSpec, say: Say): StatesSpec {
  const conditions = mapValues(states.conditions ?? {}, (spec) => ({ ...spec, message: say(spec.message) }));
  return { ...states, conditions };
}

/** Only who declares a field first gives it a name of its own: an extension without a label leaves the one there. */
function translateField(spec: FieldSpec, name: string, say: Say, isFirst: boolean): FieldSpec {
  return {
    ...spec,
    ...(spec.label !== undefined || isFirst ? { label: say(spec.label ?? labelFromName(name)) } : {}),
    ...(spec.help === undefined ? {} : { help: say(spec.help) }),
    ...(spec.selection === undefined ? {} : { selection: mapValues(spec.selection, say) }),
  };
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** Shows addons what a unit of work changed. Nothing happens where no change concerns them. */
export function addonObservers(definitions: Iterable<AddonDefinition>): Observe {
  const observers = [...definitions].flatMap((definition) => definition.observers);
  return async (env, since) => {
    const changes = env.work.changes.slice(since);
    for (const observer of observers) {
      const own = observer.models === 'chatter' ? changes.filter((change) => hasChatter(env, change)) : changes;
      if (own.length > 0) await observer.run({ env: typedEnv(env), changes: own });
    }
  };
}

function hasChatter(env: Env, { model }: Change): boolean {
  return env.registry.model(model).chatter !== null;
}
