import {
  type CustomDocument,
  fieldSpec,
  fieldsIn,
  type Kernel,
  linesField,
  modelIn,
  standardFields,
} from '@kontor/kernel';
import { type Actor, compileFormula, type Env, type FieldSpec, FormulaError, formulaFieldTypes } from '@kontor/orm';
import { type FormulaCheck, KontorError, type Text, text } from '@kontor/protocol';
import { authorView, pathProblems } from './author-view.ts';
import { checkCustomiser, customiseState } from './customise.ts';

/** What is wrong with a formula while it is typed, with the author's rights. */
export async function checkFormula(
  kernel: Kernel,
  actor: Actor,
  { model: name, type, formula }: { readonly model: string; readonly type: string; readonly formula: string },
): Promise<FormulaCheck> {
  checkCustomiser(actor);
  const { document } = await customiseState(kernel);
  return kernel.read(actor, async (env) => {
    const view = authorView(env, document);
    if (!view.mayAccess(name, 'read') || !view.canExtend(name))
      throw new KontorError('MODEL_NOT_FOUND', undefined, { model: name.slice(0, 80) });
    const say = env.registry.wordsIn(actor.lang);
    const wrong = (message: Text, from: number, to: number): FormulaCheck => ({
      problem: { message: say(message), from, to },
      reads: [],
    });
    const kind = formulaFieldTypes.find((each) => each === type);
    if (!kind) return wrong(text('A field of this type cannot have a formula.'), 0, formula.length);
    try {
      const scope = { model: name, fieldsOf: (of: string) => fieldsFor(env, document, of) };
      const { depends } = compileFormula(formula, { type: kind }, scope);
      const paths = depends.map((path) => path.split('.'));
      const [hidden] = paths.flatMap((path) => pathProblems(view, name, path));
      return hidden ? wrong(hidden, 0, formula.length) : { problem: null, reads: paths.map((path) => path.join('.')) };
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      return wrong(error.problem, error.from, error.to);
    }
  });
}

/** The fields of a model with those of the draft. */
function fieldsFor(
  { registry }: Env,
  document: CustomDocument,
  model: string,
): ReadonlyMap<string, FieldSpec> | undefined {
  const known = registry.models.get(model);
  const added = modelIn(document, model);
  if (!known && !added) return undefined;
  const parts = Object.entries(document.models ?? {}).filter(([, { partOf }]) => partOf?.model === model);
  return new Map([
    ...(added ? Object.entries(standardFields(model, added)) : []),
    ...parts.map(([part]) => [linesField(part), { type: 'one2many', relation: part } as const] as const),
    ...[...(known?.fields ?? [])].map(([name, { spec }]) => [name, spec] as const),
    ...Object.entries(fieldsIn(document, model)).map(([name, field]) => [name, fieldSpec(field)] as const),
  ]);
}
