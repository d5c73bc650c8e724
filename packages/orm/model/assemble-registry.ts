import { didYouMean, inEnglish, KontorError } from '@kontor/protocol';
import type { FieldSpec } from '../fields/spec.ts';
import { buildFields } from './assemble/build-fields.ts';
import { buildModel } from './assemble/build-model.ts';
import { completeStateField } from './assemble/build-states.ts';
import { checkModel } from './assemble/check-model.ts';
import { orderComputes } from './assemble/compute-graph.ts';
import { type Draft, type Drafts, newDraft } from './assemble/draft.ts';
import { orderEditables } from './assemble/editable-computes.ts';
import { Problems } from './assemble/problems.ts';
import { buildTriggers, triggerKey } from './assemble/triggers.ts';
import type { ModelDefinition, ModuleModels } from './definition.ts';
import { frozenMap } from './frozen-map.ts';
import type { Field, Model, Registry } from './model.ts';
import { actionNameFault, isSystemName, memberNameFault, modelNameFault } from './names.ts';

let assemblies = 0;

export interface RegistryWords {
  /** The language that the labels of the definitions are in. */
  readonly language: string;
  readonly wordsIn: Registry['wordsIn'];
}

const english: RegistryWords = { language: 'en_US', wordsIn: () => inEnglish };

/**
 * Definitions of the installed modules, in dependency order, become one immutable registry; throws `DefinitionError`. Their
 * labels are in the language of `words` already; only those of the fields that every model has are put into it here.
 */
export function assembleRegistry(modules: readonly ModuleModels[], words: RegistryWords = english): Registry {
  const problems = new Problems();
  const drafts = mergeDefinitions(modules, problems);
  problems.throwIfAny();

  const table = buildFields(drafts, problems, words.wordsIn(words.language));
  problems.throwIfAny();

  const models = frozenMap([...drafts.values()].map((draft) => [draft.name, buildModel(draft, table, problems)]));
  for (const model of models.values()) checkModel(drafts.get(model.name) as Draft, model, table, problems);
  checkTables(models.values(), problems);
  for (const model of models.values()) checkWholes(model, models, problems);
  problems.throwIfAny();

  const computeOrder = Object.freeze(orderComputes(models, table, problems));
  problems.throwIfAny();
  const triggers = buildTriggers(models, computeOrder, problems);
  problems.throwIfAny();

  const editables = orderEditables(models, problems);
  problems.throwIfAny();

  const byModel = groupByModel(computeOrder);
  const none = Object.freeze([]);
  return Object.freeze({
    version: ++assemblies,
    wordsIn: words.wordsIn,
    modules: Object.freeze(modules.map(({ module }) => module)),
    models,
    model: (name: string) => models.get(name) ?? refuseModel(name, models),
    triggers: (model: string, field: string) => triggers.get(triggerKey(model, field)) ?? none,
    storedComputes: (model: string) => byModel.get(model) ?? none,
    computeOrder,
    editableComputes: (model: string) => editables.get(model) ?? none,
  });
}

/** Going from part to whole comes to an end. */
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

/** Two models, or a model and a many2many, must not share a table. */
export function checkTables(models: Iterable<Model>, problems: Problems): void {
  const owners = new Map<string, string>();
  const all = [...models];
  for (const model of all) {
    const other = owners.get(model.table);
    if (other === undefined) owners.set(model.table, model.name);
    else
      problems.add(
        { module: model.module, model: model.name },
        `its table ${model.table} is already that of ${other}.`,
      );
  }
  for (const model of all) {
    for (const { through, module, name } of model.fields.values()) {
      const other = through && owners.get(through.table);
      if (other) {
        problems.add(
          { module, model: model.name, field: name },
          `its table ${through.table} is already that of ${other}.`,
        );
      }
    }
  }
}

/** Definitions and extensions become one draft a model, in the order of the modules; a module's own models come first. */
function mergeDefinitions(modules: readonly ModuleModels[], problems: Problems): Drafts {
  const drafts = new Map<string, Draft>();
  for (const { module, definitions } of modules) {
    for (const definition of definitions) {
      if (definition.kind === 'model') addModel(drafts, module, definition, problems);
    }
    for (const definition of definitions) {
      if (definition.kind === 'inherit') extendModel(drafts, { module, modules }, definition, problems);
    }
  }
  for (const draft of drafts.values()) completeStateField(draft);
  return drafts;
}

function addModel(drafts: Map<string, Draft>, module: string, definition: ModelDefinition, problems: Problems): void {
  const at = { module, model: definition.name };
  const fault = modelNameFault(definition.name);
  if (fault !== null) {
    problems.add(at, `${fault}.`);
    return;
  }
  const other = drafts.get(definition.name);
  if (other !== undefined) {
    problems.add(at, `the model is already defined by module ${other.module}; extend it with inheritModel.`);
    return;
  }
  const draft = newDraft(definition.name, module);
  drafts.set(definition.name, draft);
  merge(draft, module, definition, problems);
}

function extendModel(
  drafts: Map<string, Draft>,
  { module, modules }: { module: string; modules: readonly ModuleModels[] },
  definition: ModelDefinition,
  problems: Problems,
): void {
  const draft = drafts.get(definition.name);
  if (draft !== undefined) {
    merge(draft, module, definition, problems);
    return;
  }
  const later = modules.find(({ definitions }) =>
    definitions.some(({ kind, name }) => kind === 'model' && name === definition.name),
  );
  const hint =
    later === undefined
      ? didYouMean(definition.name, drafts.keys())
      : ` Module ${later.module} defines it: add it to the depends of ${module}.`;
  problems.add({ module, model: definition.name }, `it extends a model that does not exist.${hint}`);
}

function merge(draft: Draft, module: string, definition: ModelDefinition, problems: Problems): void {
  if (definition.label !== undefined) draft.label = definition.label;
  if (definition.order !== undefined) draft.order = { module, value: definition.order };
  if (definition.displayName !== undefined) draft.displayName = { module, value: definition.displayName };
  if (definition.about !== undefined) draft.about = { module, value: definition.about };
  if (definition.partOf !== undefined) draft.partOf = { module, value: definition.partOf };
  if (definition.ownRules !== undefined) draft.ownRules = definition.ownRules;
  if (definition.quiet !== undefined) draft.quiet = definition.quiet;
  if (definition.transient !== undefined) draft.transient = definition.transient;
  if (definition.companyRule !== undefined) draft.companyRule = definition.companyRule;
  if (definition.chatter !== undefined) {
    draft.chatter = Object.freeze({ readersComment: definition.chatter.readersComment ?? false });
  }
  mergeFields(draft, module, definition, problems);
  for (const [name, compute] of Object.entries(definition.computes))
    draft.computes.set(name, { module, value: compute });
  for (const [name, value] of Object.entries(definition.onchange)) {
    draft.onchange.set(name, [...(draft.onchange.get(name) ?? []), { module, value }]);
  }
  for (const [name, constraint] of Object.entries(definition.constraints)) {
    checkName(name, 'constraint', { module, model: draft.name }, problems);
    draft.constraints.set(name, { module, value: constraint });
  }
  for (const [name, acyclic] of Object.entries(definition.acyclic)) {
    checkName(name, 'acyclic', { module, model: draft.name }, problems);
    draft.acyclic.set(name, { module, value: acyclic });
  }
  for (const [name, unique] of Object.entries(definition.uniques)) {
    checkName(name, 'unique', { module, model: draft.name }, problems);
    draft.uniques.set(name, { module, value: unique });
  }
  for (const [name, value] of Object.entries(definition.actions)) {
    if (isActionName(name, 'action', { module, model: draft.name }, problems))
      draft.actions.set(name, [...(draft.actions.get(name) ?? []), { module, value }]);
  }
  for (const [name, value] of Object.entries(definition.moves)) {
    if (isActionName(name, 'move', { module, model: draft.name }, problems))
      draft.moves.set(name, [...(draft.moves.get(name) ?? []), { module, value }]);
  }
  draft.hooks.push(definition.hooks);
  if (definition.states) draft.states.push({ module, value: definition.states });
  for (const index of definition.indexes) draft.indexes.push({ module, value: index });
}

function checkName(name: string, what: string, at: { module: string; model: string }, problems: Problems): void {
  const fault = memberNameFault(name);
  if (fault !== null) problems.add(at, `${what} "${name}": ${fault}.`);
}

function isActionName(name: string, what: string, at: { module: string; model: string }, problems: Problems): boolean {
  const fault = actionNameFault(name);
  if (fault !== null) problems.add(at, `${what} "${name}": ${fault}.`);
  return fault === null;
}

/** What an extension may not change: rows that exist would no longer fit. */
const fixed = ['type', 'relation', 'inverse'] as const;

function mergeFields(draft: Draft, module: string, definition: ModelDefinition, problems: Problems): void {
  for (const [name, spec] of Object.entries(definition.fields)) {
    const at = { module, model: draft.name, field: name };
    const fault = isSystemName(name) ? 'every model has this field by itself' : memberNameFault(name);
    if (fault !== null) {
      problems.add(at, `${fault}.`);
      continue;
    }
    const previous = draft.fields.get(name);
    if (previous === undefined) {
      draft.fields.set(name, { module, value: spec });
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

/** Attributes that are given win; the options of a selection are added to those there. */
function override(previous: FieldSpec, spec: FieldSpec): FieldSpec {
  const selection = spec.selection && Object.freeze({ ...previous.selection, ...spec.selection });
  return Object.freeze({ ...previous, ...spec, ...(selection ? { selection } : {}) });
}
