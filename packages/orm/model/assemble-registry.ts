import { didYouMean, inEnglish, KontorError } from '@kontor/protocol';
import { buildFields } from './assemble/build-fields.ts';
import { buildModel } from './assemble/build-model.ts';
import { checkModel } from './assemble/check-model.ts';
import { orderComputes } from './assemble/compute-graph.ts';
import type { Draft } from './assemble/draft.ts';
import { orderEditables } from './assemble/editable-computes.ts';
import { mergeDefinitions } from './assemble/merge.ts';
import { Problems } from './assemble/problems.ts';
import { buildTriggers, triggerKey } from './assemble/triggers.ts';
import type { ModuleModels } from './definition.ts';
import { frozenMap } from './frozen-map.ts';
import type { Field, Model, Registry } from './model.ts';

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
