import { fieldSpec, fieldsIn, type Kernel } from '@kontor/kernel';
import {
  type Actor,
  compileFormula,
  type Env,
  type FieldSpec,
  FormulaError,
  formulaFieldTypes,
  mayAccessModel,
} from '@kontor/orm';
import { type FormulaCheck, KontorError, type Text, text } from '@kontor/protocol';
import { canExtend, pathProblems } from './check-author.ts';
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
    const model = env.registry.models.get(name);
    if (!model || !mayAccessModel(env, model, 'read') || !canExtend(model))
      throw new KontorError('MODEL_NOT_FOUND', undefined, { model: name.slice(0, 80) });
    const say = env.registry.wordsIn(actor.lang);
    const wrong = (message: Text, from: number, to: number): FormulaCheck => ({
      problem: { message: say(message), from, to },
      reads: [],
    });
    const kind = formulaFieldTypes.find((each) => each === type);
    if (!kind) return wrong(text('A field of this type cannot have a formula.'), 0, formula.length);
    try {
      const scope = { model: name, fieldsOf: (of: string) => fieldsFor(env, of, fieldsIn(document, of)) };
      const { depends } = compileFormula(formula, { type: kind }, scope);
      const paths = depends.map((path) => path.split('.'));
      const [hidden] = paths.flatMap((path) => pathProblems(env, model, path));
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
  model: string,
  own: Readonly<Record<string, Parameters<typeof fieldSpec>[0]>>,
): ReadonlyMap<string, FieldSpec> | undefined {
  const known = registry.models.get(model);
  if (!known) return undefined;
  return new Map([
    ...[...known.fields].map(([name, { spec }]) => [name, spec] as const),
    ...Object.entries(own).map(([name, field]) => [name, fieldSpec(field)] as const),
  ]);
}
