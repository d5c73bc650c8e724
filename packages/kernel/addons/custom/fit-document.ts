import { DefinitionError, type ModuleModels } from '@kontor/orm';
import { type Text, text } from '@kontor/protocol';
import { type CustomDocument, type CustomExtension, customModule, extensionIn, fieldsIn } from './document.ts';
import type { DocumentProblem } from './document-reader.ts';
import { documentModels } from './load-document.ts';

/** The part of a document that fits the installed modules, and what does not. */
export interface FittedDocument {
  readonly document: CustomDocument;
  readonly skipped: readonly DocumentProblem[];
}

/**
 * Assembles modules with the document. Fields that do not fit, such as those of a model whose module was uninstalled, are left out and
 * reported, so that a customisation never prevents a start; their columns keep their data. Mistakes of others are thrown.
 */
export function assembleFitting<T>(
  modules: readonly ModuleModels[],
  given: CustomDocument,
  assemble: (all: readonly ModuleModels[]) => T,
): { readonly assembled: T; readonly fitted: FittedDocument } {
  const shipped = new Set(modules.flatMap(({ definitions }) => definitions.map(({ name }) => name)));
  const skipped: DocumentProblem[] = [];
  let document = given;
  for (let lost = lostParts(document, shipped); lost.length > 0; lost = lostParts(document, shipped)) {
    for (const [name, whole] of lost)
      skipped.push({ at: name, message: text('There is no model {model}.', { model: whole }) });
    document = withoutModels(document, new Set(lost.map(([name]) => name)));
  }
  const known = new Set([...shipped, ...Object.keys(document.models ?? {})]);
  for (const model of Object.keys(document.extends).filter((name) => !known.has(name))) {
    for (const name of Object.keys(fieldsIn(document, model)))
      skipped.push({ at: `${model}.${name}`, message: text('There is no model {model}.', { model }) });
    document = without(document, (at) => at.startsWith(`${model}.`));
  }
  for (const [model, message] of strayStates(document, modules)) {
    skipped.push({ at: `${model}.states`, message });
    document = without(document, (at) => at === `${model}.states`);
  }
  for (;;) {
    const definitions = documentModels(document);
    const all = definitions.length > 0 ? [...modules, { module: customModule, definitions }] : modules;
    try {
      return { assembled: assemble(all), fitted: { document, skipped } };
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      const behaviour = blamedBehaviour(document, error);
      const own = behaviour.length > 0 ? behaviour : blamedFields(document, error);
      const models = own.length > 0 ? [] : blamedModels(document, error);
      if (own.length + models.length === 0) throw error;
      skipped.push(...own, ...models);
      const gone = new Set([...own, ...models].map(({ at }) => at));
      document = withoutModels(
        without(document, (at) => gone.has(at)),
        gone,
      );
    }
  }
}

/** States that are added to a choice which no addon has: they would define it. */
function strayStates(
  { extends: all }: CustomDocument,
  modules: readonly ModuleModels[],
): readonly (readonly [string, Text])[] {
  return Object.entries(all).flatMap(([model, { states }]) => {
    if (!states?.choices) return [];
    const isShipped = modules.some(({ definitions }) =>
      definitions.some(({ name, fields }) => name === model && Object.hasOwn(fields, states.field)),
    );
    return isShipped ? [] : [[model, text('No app has states in "{field}".', { field: states.field })] as const];
  });
}

/** Added models that are part of a model that is gone, with its name. */
function lostParts({ models = {} }: CustomDocument, shipped: ReadonlySet<string>): (readonly [string, string])[] {
  return Object.entries(models).flatMap(([name, { partOf }]) =>
    partOf && !shipped.has(partOf.model) && !Object.hasOwn(models, partOf.model) ? [[name, partOf.model] as const] : [],
  );
}

function blamedModels({ models = {} }: CustomDocument, { problems }: DefinitionError): readonly DocumentProblem[] {
  const own = problems.filter(({ model }) => Object.hasOwn(models, model));
  return own.map(({ model, message }) => ({ at: model, message: text(message) }));
}

/** Without the added models of these names, and their fields. */
export function withoutModels(document: CustomDocument, names: ReadonlySet<string>): CustomDocument {
  if (document.models === undefined) return document;
  const left = Object.entries(document.models).filter(([name]) => !names.has(name));
  const { models: _, ...others } = without(document, (at) => names.has(at.split('.')[0] as string));
  return left.length === 0 ? others : { ...others, models: Object.fromEntries(left) };
}

/**
 * The fields of the document that a mistake is about. If none is named, a definition of an addon does not fit together with the
 * document: then it is one of the fields that its model got.
 */
function blamedFields(document: CustomDocument, { problems }: DefinitionError): readonly DocumentProblem[] {
  const blame = (isBlamed: (name: string, problem: DefinitionError['problems'][number]) => boolean) =>
    problems.flatMap((problem) =>
      Object.keys(fieldsIn(document, problem.model))
        .filter((name) => isBlamed(name, problem))
        .map((name) => ({ at: `${problem.model}.${name}`, message: text(problem.message) })),
    );
  const named = blame((name, { field, message }) => name === field || message.includes(`"${name}"`));
  return named.length > 0 ? named : blame(() => true);
}

/** The document without the fields that match, named `model.field`. Views are fitted when their records are loaded. */
export function without(document: CustomDocument, isGone: (at: string) => boolean): CustomDocument {
  const models = Object.entries(document.extends).flatMap(([model, { fields, ...more }]) => {
    const left = Object.entries(fields).filter(([name]) => !isGone(`${model}.${name}`));
    const kept = keptBehaviour(model, more, isGone);
    if (left.length === 0 && Object.keys(kept).length === 0) return [];
    return [[model, { fields: Object.fromEntries(left), ...kept }] as const];
  });
  return { ...document, extends: Object.fromEntries(models) };
}

function keptBehaviour(
  model: string,
  { states, checks }: Omit<CustomExtension, 'fields'>,
  isGone: (at: string) => boolean,
): Omit<CustomExtension, 'fields'> {
  const moves = states?.moves?.filter(({ name }) => !isGone(`${model}.states.${name}`));
  const rules = checks?.filter(({ name }) => !isGone(`${model}.checks.${name}`));
  return {
    ...(states && !isGone(`${model}.states`) && { states: { ...states, ...(moves && { moves }) } }),
    ...(rules?.length && { checks: rules }),
  };
}

/** The parts of states and rules that a mistake is about: a move, a rule, or the states as a whole. */
function blamedBehaviour(document: CustomDocument, { problems }: DefinitionError): readonly DocumentProblem[] {
  return problems.flatMap(({ model, message }) => {
    const { states, checks } = extensionIn(document, model);
    const [, kind, name] = /^(states|move|constraint)(?: "(\w+)")?/.exec(message) ?? [];
    const at =
      kind === 'constraint' && checks?.some((each) => each.name === name)
        ? `${model}.checks.${name}`
        : kind === 'move' && states?.moves?.some((each) => each.name === name)
          ? `${model}.states.${name}`
          : kind && kind !== 'constraint' && states
            ? `${model}.states`
            : null;
    return at === null ? [] : [{ at, message: text(message) }];
  });
}
