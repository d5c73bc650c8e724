import { DefinitionError, type ModuleModels } from '@kontor/orm';
import { text } from '@kontor/protocol';
import { type CustomDocument, customModule, fieldsIn } from './document.ts';
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
    document = without(document, (at) => at.startsWith(`${model}.x_`));
  }
  for (;;) {
    const definitions = documentModels(document);
    const all = definitions.length > 0 ? [...modules, { module: customModule, definitions }] : modules;
    try {
      return { assembled: assemble(all), fitted: { document, skipped } };
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      const own = blamedFields(document, error);
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
  const { models: _, ...others } = without(document, (at) => names.has(at.slice(0, at.lastIndexOf('.'))));
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
  const models = Object.entries(document.extends).flatMap(([model, { fields }]) => {
    const left = Object.entries(fields).filter(([name]) => !isGone(`${model}.${name}`));
    return left.length === 0 ? [] : [[model, { fields: Object.fromEntries(left) }] as const];
  });
  return { ...document, extends: Object.fromEntries(models) };
}
