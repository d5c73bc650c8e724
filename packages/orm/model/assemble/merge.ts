import { didYouMean } from '@kontor/protocol';
import type { FieldSpec } from '../../fields/spec.ts';
import type { ModelDefinition, ModuleModels } from '../definition.ts';
import { actionNameFault, isSystemName, memberNameFault, modelNameFault } from '../names.ts';
import { completeStateField } from './build-states.ts';
import { type Draft, type Drafts, newDraft } from './draft.ts';
import type { Problems } from './problems.ts';

/** Definitions and extensions become one draft a model, in the order of the modules; a module's own models come first. */
export function mergeDefinitions(modules: readonly ModuleModels[], problems: Problems): Drafts {
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
