import {
  assembleRegistry,
  type FieldSpec,
  type FieldSpecs,
  labelFromName,
  type ModelDefinition,
  type ModuleModels,
  type Registry,
  type StatesSpec,
} from '@kontor/orm';
import type { Translate } from '@kontor/protocol';
import { sourceLanguage } from './language-chain.ts';
import type { Translations } from './translations.ts';

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
