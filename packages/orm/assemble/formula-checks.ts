import { inEnglish } from '@kontor/protocol';
import { compileFormula, type Formula } from '../formula/compile-formula.ts';
import { FormulaError } from '../formula/parse-formula.ts';
import type { CheckContext, ComputeContext, ConditionSpec, FormulaCheck, LoadedRecord } from '../model/behaviour.ts';
import type { Draft, Drafts } from './draft.ts';
import { specsOf } from './formula-fields.ts';
import type { Problems } from './problems.ts';

/** Conditions of moves and constraints that are formulas get the paths that they read, and a function. */
export function completeChecks(drafts: Drafts, problems: Problems): void {
  for (const draft of drafts.values()) {
    for (const [index, { module, value }] of draft.states.entries()) {
      const conditions = Object.entries(value.conditions ?? {}).flatMap(([name, spec]) => {
        if ('holds' in spec) return [[name, spec] as const];
        const at = { module, model: draft.name };
        const formula = compiled(drafts, draft, spec, (message) =>
          problems.add(at, `states have a mistake in condition "${name}": ${message}`),
        );
        return [[name, formula ? conditionOf(spec, formula) : broken(spec)] as const];
      });
      draft.states[index] = { module, value: Object.freeze({ ...value, conditions: Object.fromEntries(conditions) }) };
    }
    for (const [name, { module, value }] of draft.formulas) {
      const formula = compiled(drafts, draft, value, (message) =>
        problems.add({ module, model: draft.name }, `constraint "${name}": ${message}`),
      );
      if (!formula) {
        draft.constraints.delete(name);
        continue;
      }
      const on = value.on ?? [...new Set(formula.depends.map((path) => path.split('.')[0] as string))];
      const reads = formula.depends.filter((path) => !on.includes(path));
      const constraint = { ...value, on, ...(reads.length > 0 && { reads }), holds: test(formula) };
      draft.constraints.set(name, { module, value: Object.freeze(constraint) });
    }
  }
}

function compiled(
  drafts: Drafts,
  { name: model }: Draft,
  { formula }: FormulaCheck,
  refuse: (message: string) => void,
): Formula | null {
  try {
    return compileFormula(formula, { type: 'boolean' }, { model, fieldsOf: (of) => specsOf(drafts, of) });
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    refuse(inEnglish(error.problem));
    return null;
  }
}

function conditionOf(spec: FormulaCheck, formula: Formula): ConditionSpec {
  return Object.freeze({ ...spec, reads: Object.freeze([...formula.depends]), holds: test(formula) });
}

/** It has been reported, and nothing is ever asked of it. */
function broken(spec: FormulaCheck): ConditionSpec {
  return Object.freeze({ ...spec, reads: [], holds: () => false });
}

/** A formula of a check uses the day at most. */
function test({ run }: Formula) {
  return (record: LoadedRecord, context: CheckContext) => run(record, context as ComputeContext) === true;
}
