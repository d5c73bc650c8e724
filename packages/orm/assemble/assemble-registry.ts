import { didYouMean, inEnglish, KontorError, type Translate } from '@kontor/protocol';
import { type FieldSpec, type FieldSpecs, inferredType } from '../fields/spec.ts';
import type { ModelDefinition, ModuleModels, StatesSpec } from '../model/definition.ts';
import { frozenMap } from '../model/frozen-map.ts';
import { labelFromName } from '../model/label.ts';
import type { DueSpec, Field, Model, Registry } from '../model/model.ts';
import { actionNameFault, isSystemName, memberNameFault, modelNameFault } from '../model/names.ts';
import { englishKey } from '../model/translated.ts';
import { buildFields } from './build-fields.ts';
import { buildModel } from './build-model.ts';
import { completeStateField } from './build-states.ts';
import { checkAliases } from './check-mail.ts';
import { checkModel } from './check-model.ts';
import { checkPortalLines } from './check-portal.ts';
import { checkTables } from './check-tables.ts';
import { orderComputes } from './compute-graph.ts';
import { type Draft, type Drafts, newDraft } from './draft.ts';
import { orderEditables } from './editable-computes.ts';
import { completeChecks } from './formula-checks.ts';
import { completeFormulas, mergeComputes } from './formula-fields.ts';
import { inferRelatedTypes } from './infer-related.ts';
import { DefinitionError, type Problem, Problems } from './problems.ts';
import { checkEarlierNames, earlierNames } from './renames.ts';
import { completeSourcedFields } from './sourced-fields.ts';
import { buildTriggers, triggerKey } from './triggers.ts';

let assemblies = 0;

export interface RegistryWords {
  /** The language of labels, choices and messages; definitions are in English. */
  readonly language: string;
  readonly wordsIn: Registry['wordsIn'];
  readonly importWords?: Registry['importWords'];
  readonly dataLanguages?: Registry['dataLanguages'];
  readonly inLanguage?: Registry['inLanguage'];
}

const english: RegistryWords = { language: 'en_US', wordsIn: () => inEnglish };

/** Definitions of the installed modules, in dependency order, become one immutable registry; throws `DefinitionError`. */
export function assembleRegistry(modules: readonly ModuleModels[], words: RegistryWords = english): Registry {
  const problems = new Problems();
  const registry = assemble(modules, words, problems);
  if (problems.all.length > 0) throw new DefinitionError(problems.all);
  return registry;
}

/** The registry with the mistakes in definitions. With mistakes it can be checked against, but not used. */
export function inspectDefinitions(modules: readonly ModuleModels[]): {
  readonly registry: Registry;
  readonly problems: readonly Problem[];
} {
  const problems = new Problems();
  return { registry: assemble(modules, english, problems), problems: problems.all };
}

/** Every step reads what the ones before it built and goes on after a mistake, so that one mistake hides no other. */
function assemble(modules: readonly ModuleModels[], words: RegistryWords, problems: Problems): Registry {
  const translate = words.wordsIn(words.language);
  const drafts = mergeDefinitions(modules, translate, problems);
  const table = buildFields(drafts, problems, translate);
  const models = frozenMap([...drafts.values()].map((draft) => [draft.name, buildModel(draft, table, problems)]));
  for (const model of models.values()) checkModel(drafts.get(model.name) as Draft, model, table, problems);
  checkTables(models.values(), problems);
  checkAliases(drafts, problems);
  checkPortalLines(drafts, models, problems);
  for (const model of models.values()) checkWholes(model, models, problems);
  checkEarlierNames(models, problems);
  const computeOrder = Object.freeze(orderComputes(models, table, problems));
  const triggers = buildTriggers(models, computeOrder, problems);
  const editables = orderEditables(models, problems);
  return registryOf(modules, words, { models, computeOrder, triggers, editables });
}

interface Assembled {
  readonly models: ReadonlyMap<string, Model>;
  readonly computeOrder: readonly Field[];
  readonly triggers: ReturnType<typeof buildTriggers>;
  readonly editables: ReturnType<typeof orderEditables>;
}

function registryOf(
  modules: readonly ModuleModels[],
  words: RegistryWords,
  { models, computeOrder, triggers, editables }: Assembled,
): Registry {
  const byModel = groupByModel(computeOrder);
  const none = Object.freeze([]);
  const registry: Registry = Object.freeze({
    version: ++assemblies,
    language: words.language,
    wordsIn: words.wordsIn,
    importWords: words.importWords ?? (() => none),
    dataLanguages: words.dataLanguages ?? [englishKey],
    modules: Object.freeze(modules.map(({ module }) => module)),
    texts: frozenMap(modules.flatMap(({ texts = [] }) => texts.map((each) => [each.key, each] as const))),
    models,
    model: (name: string) => models.get(name) ?? refuseModel(name, models),
    triggers: (model: string, field: string) => triggers.get(triggerKey(model, field)) ?? none,
    storedComputes: (model: string) => byModel.get(model) ?? none,
    computeOrder,
    editableComputes: (model: string) => editables.get(model) ?? none,
    inLanguage: words.inLanguage ?? (() => registry),
  });
  return registry;
}

/** A model must not be part of itself, directly or indirectly. */
function checkWholes(model: Model, models: ReadonlyMap<string, Model>, problems: Problems): void {
  const seen = new Set<Model>();
  for (let at: Model | undefined = model; at !== undefined; ) {
    if (seen.has(at)) {
      problems.add({ module: model.module, model: model.name }, 'its records are parts of themselves.');
      return;
    }
    seen.add(at);
    const link: Field | undefined = at.partOf === null ? undefined : at.fields.get(at.partOf);
    at = models.get(link?.spec.relation ?? '');
  }
}

function groupByModel(fields: readonly Field[]): ReadonlyMap<string, readonly Field[]> {
  const groups = new Map<string, Field[]>();
  for (const field of fields) groups.set(field.model, [...(groups.get(field.model) ?? []), field]);
  for (const group of groups.values()) Object.freeze(group);
  return groups;
}

function refuseModel(name: string, models: ReadonlyMap<string, Model>): never {
  const shown = name.slice(0, 80);
  const hint = didYouMean(shown, models.keys()).trim();
  throw new KontorError('MODEL_NOT_FOUND', `There is no model ${shown}.`, { model: shown, ...(hint ? { hint } : {}) });
}

/** A module whose definitions are merged. */
interface Source {
  readonly module: string;
  /** Finds the texts of the module in the language of the registry. */
  readonly translate: (english: string) => string;
}

/** Definitions and extensions become one draft per model, in module order; a module's own models come first. */
function mergeDefinitions(modules: readonly ModuleModels[], translate: Translate, problems: Problems): Drafts {
  const drafts = new Map<string, Draft>();
  for (const { module, definitions } of modules) {
    const source: Source = { module, translate: (english) => translate(english, module) };
    for (const definition of definitions) {
      if (definition.kind === 'model') addModel(drafts, source, definition, problems);
    }
    for (const definition of definitions) {
      if (definition.kind === 'inherit') extendModel(drafts, { ...source, modules }, definition, problems);
    }
  }
  inferRelatedTypes(drafts);
  for (const draft of drafts.values()) {
    completeStateField(draft);
    completeSourcedFields(draft, problems);
  }
  completeFormulas(drafts, problems);
  completeChecks(drafts, problems);
  return drafts;
}

function addModel(drafts: Map<string, Draft>, source: Source, definition: ModelDefinition, problems: Problems): void {
  const { module, translate } = source;
  const at = { module, model: definition.name };
  const fault = modelNameFault(definition.name);
  if (fault !== null) problems.add(at, `${fault}.`);
  const other = drafts.get(definition.name);
  if (other !== undefined) {
    problems.add(at, `the model is already defined by module ${other.module}; extend it with inheritModel.`);
    return;
  }
  const draft = newDraft(definition.name, module);
  draft.label = translate(labelFromName(definition.name));
  drafts.set(definition.name, draft);
  merge(draft, source, definition, problems);
}

function extendModel(
  drafts: Map<string, Draft>,
  { modules, ...source }: Source & { readonly modules: readonly ModuleModels[] },
  definition: ModelDefinition,
  problems: Problems,
): void {
  const draft = drafts.get(definition.name);
  if (draft !== undefined) {
    merge(draft, source, definition, problems);
    return;
  }
  const { module } = source;
  const later = modules.find(({ definitions }) =>
    definitions.some(({ kind, name }) => kind === 'model' && name === definition.name),
  );
  const hint =
    later === undefined
      ? didYouMean(definition.name, drafts.keys())
      : ` Module ${later.module} defines it: add it to the depends of ${module}.`;
  problems.add({ module, model: definition.name }, `it extends a model that does not exist.${hint}`);
}

const plainOptions = [
  ...(['joinedBy', 'ownRules', 'noCompany', 'companyRule', 'served'] as const),
  ...(['quiet', 'cached', 'closedToAgents', 'transient'] as const),
];

function merge(draft: Draft, source: Source, definition: ModelDefinition, problems: Problems): void {
  const { module, translate } = source;
  if (definition.label !== undefined) draft.label = translate(definition.label);
  if (definition.was !== undefined) draft.was = earlierNames(definition);
  if (definition.order !== undefined) draft.order = { module, value: definition.order };
  if (definition.displayName !== undefined) draft.displayName = { module, value: definition.displayName };
  if (definition.about !== undefined) draft.about = { module, value: definition.about };
  if (definition.due !== undefined) draft.due = { module, value: translateDue(definition.due, translate) };
  for (const name of plainOptions)
    if (definition[name] !== undefined) Object.assign(draft, { [name]: definition[name] });
  mergeRelations(draft, source, definition);
  if (definition.partOf !== undefined) draft.partOf = { module, value: definition.partOf };
  if (definition.chatter !== undefined) {
    draft.chatter = Object.freeze({ readersComment: false, contactsFollow: false, ...definition.chatter });
  }
  mergeFields(draft, source, definition, problems);
  mergeComputes(draft, module, definition);
  for (const [name, value] of Object.entries(definition.onchange))
    draft.onchange.set(name, [...(draft.onchange.get(name) ?? []), { module, value }]);
  mergeConstraints(draft, source, definition, problems);
  for (const [name, acyclic] of Object.entries(definition.acyclic)) {
    checkName(name, 'acyclic', { module, model: draft.name }, problems);
    draft.acyclic.set(name, { module, value: translateMessage(acyclic, translate) });
  }
  for (const [name, unique] of Object.entries(definition.uniques)) {
    checkName(name, 'unique', { module, model: draft.name }, problems);
    draft.uniques.set(name, { module, value: translateMessage(unique, translate) });
  }
  for (const [name, value] of Object.entries(definition.normalise)) {
    checkName(name, 'normalise', { module, model: draft.name }, problems);
    draft.normalise.set(name, { module, value });
  }
  for (const [name, exclude] of Object.entries(definition.excludes)) {
    checkName(name, 'exclude', { module, model: draft.name }, problems);
    draft.excludes.set(name, { module, value: translateMessage(exclude, translate) });
  }
  for (const [name, spec] of Object.entries(definition.actions)) {
    const value = translateCall(spec, translate);
    if (isActionName(name, 'action', { module, model: draft.name }, problems))
      draft.actions.set(name, [...(draft.actions.get(name) ?? []), { module, value }]);
  }
  for (const [name, variants] of Object.entries(definition.moves)) {
    const value = variants.map((spec) => translateCall(spec, translate));
    if (isActionName(name, 'move', { module, model: draft.name }, problems))
      draft.moves.set(name, [...(draft.moves.get(name) ?? []), { module, value }]);
  }
  draft.hooks.push({ module, value: definition.hooks });
  if (definition.states) draft.states.push({ module, value: translateStates(definition.states, translate) });
  for (const index of definition.indexes) draft.indexes.push({ module, value: index });
}

/** Formulas are compiled when all fields are known, and checked in their place among the others. */
function mergeConstraints(
  draft: Draft,
  { module, translate }: Source,
  definition: ModelDefinition,
  problems: Problems,
): void {
  for (const [name, constraint] of Object.entries(definition.constraints)) {
    checkName(name, 'constraint', { module, model: draft.name }, problems);
    const value = translateMessage(constraint, translate);
    if ('formula' in value) draft.formulas.set(name, { module, value });
    const later = { on: [], holds: () => false };
    draft.constraints.set(name, { module, value: 'formula' in value ? { ...value, ...later } : value });
  }
}

function checkName(name: string, what: string, at: { module: string; model: string }, problems: Problems): void {
  const fault = memberNameFault(name);
  if (fault) problems.add(at, `${what} "${name}": ${fault}.`);
}

function isActionName(name: string, what: string, at: { module: string; model: string }, problems: Problems): boolean {
  const fault = actionNameFault(name);
  if (fault !== null) problems.add(at, `${what} "${name}": ${fault}.`);
  return fault === null;
}

/** An extension may not change these: stored rows would no longer fit. */
const fixed = ['type', 'relation', 'inverse'] as const;

function mergeFields(
  draft: Draft,
  { module, translate }: Source,
  definition: ModelDefinition,
  problems: Problems,
): void {
  for (const [name, declared] of Object.entries(definition.fields)) {
    const spec = translateField(declared, translate);
    const at = { module, model: draft.name, field: name };
    const fault = isSystemName(name) ? 'every model has this field by itself' : memberNameFault(name);
    if (fault !== null) problems.add(at, `${fault}.`);
    if (isSystemName(name)) continue;
    const previous = draft.fields.get(name);
    if (previous === undefined) {
      const value = spec.type === inferredType ? spec : withLabel(name, spec, translate);
      draft.fields.set(name, { module, value });
      continue;
    }
    const changed = fixed.find((key) => spec[key] !== undefined && spec[key] !== previous.value[key]);
    if (changed !== undefined) {
      const was = previous.value[changed] ?? 'nothing';
      problems.add(at, `its ${changed} is ${was} in module ${previous.module} and cannot become ${spec[changed]}.`);
      continue;
    }
    draft.fields.set(name, { module: previous.module, value: override(previous.value, spec) });
  }
}

/** Attributes of the extension win; its choices are added to those of the selection, and to its sets. */
function override(previous: FieldSpec, spec: FieldSpec): FieldSpec {
  const selection = spec.selection && Object.freeze({ ...previous.selection, ...spec.selection });
  const sets =
    spec.sets &&
    mapValues({ ...previous.sets, ...spec.sets }, (_, name) => [
      ...new Set([...(previous.sets?.[name] ?? []), ...(spec.sets?.[name] ?? [])]),
    ]);
  return Object.freeze({ ...previous, ...spec, ...(selection ? { selection } : {}), ...(sets ? { sets } : {}) });
}

type TranslateText = Source['translate'];

function translateField(spec: FieldSpec, translate: TranslateText): FieldSpec {
  return Object.freeze({
    ...spec,
    ...(spec.label === undefined ? {} : { label: translate(spec.label) }),
    ...(spec.help === undefined ? {} : { help: translate(spec.help) }),
    ...(spec.selection === undefined ? {} : { selection: mapValues(spec.selection, translate) }),
  });
}

/** A label made from the name has translations too. An extension without a label leaves the label as it is. */
function withLabel(name: string, spec: FieldSpec, translate: TranslateText): FieldSpec {
  return Object.freeze({ ...spec, label: spec.label ?? translate(labelFromName(name)) });
}

/** Its place in timelines, in the mail, and on the pages of customers. */
function mergeRelations(draft: Draft, { module, translate }: Source, definition: ModelDefinition): void {
  const { timeline = {}, mail, portal } = definition;
  if (mail !== undefined) draft.mail = { module, value: mail };
  if (portal !== undefined) draft.portal = { module, value: { ...portal, label: translate(portal.label) } };
  for (const [kind, spec] of Object.entries(timeline))
    draft.timeline.set(kind, { module, value: Object.freeze({ ...spec, label: translate(spec.label) }) });
}

function translateDue(due: DueSpec, translate: TranslateText): DueSpec {
  return Object.freeze({
    ...due,
    label: translate(due.label),
    ...(due.title === undefined ? {} : { title: translate(due.title) }),
    ...(due.lateTitle === undefined ? {} : { lateTitle: translate(due.lateTitle) }),
  });
}

function translateMessage<Spec extends { readonly message?: string }>(spec: Spec, translate: TranslateText): Spec {
  return spec.message === undefined ? spec : Object.freeze({ ...spec, message: translate(spec.message) });
}

/** The texts of an action or a move. */
interface CallTexts {
  readonly label?: string;
  readonly warns?: string;
  readonly single?: string;
  readonly refusal?: string;
  readonly asks?: FieldSpecs;
}

function translateCall<Spec extends CallTexts>(spec: Spec, translate: TranslateText): Spec {
  const { asks } = spec;
  return Object.freeze({
    ...spec,
    ...(spec.label === undefined ? {} : { label: translate(spec.label) }),
    ...(spec.warns === undefined ? {} : { warns: translate(spec.warns) }),
    ...(spec.single === undefined ? {} : { single: translate(spec.single) }),
    ...(spec.refusal === undefined ? {} : { refusal: translate(spec.refusal) }),
    ...(asks === undefined
      ? {}
      : { asks: mapValues(asks, (asked, name) => withLabel(name, translateField(asked, translate), translate)) }),
  });
}

function translateStates(states: StatesSpec, translate: TranslateText): StatesSpec {
  const conditions = mapValues(states.conditions ?? {}, (spec) => translateMessage(spec, translate));
  return Object.freeze({ ...states, conditions });
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.freeze(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)])));
}
