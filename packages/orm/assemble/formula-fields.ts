import { inEnglish } from '@kontor/protocol';
import type { FieldSpec } from '../fields/spec.ts';
import { compileFormula, type FormulaScope } from '../formula/compile-formula.ts';
import { FormulaError, formulaPaths } from '../formula/parse-formula.ts';
import type { ComputeByValue } from '../model/behaviour.ts';
import type { ModelDefinition } from '../model/definition.ts';
import type { Draft, Drafts } from './draft.ts';
import type { Problems } from './problems.ts';

/** Computes of a definition; formulas among them are compiled when all fields are known. */
export function mergeComputes(draft: Draft, module: string, { computes }: ModelDefinition): void {
  for (const [name, compute] of Object.entries(computes)) {
    draft.computeFormulas.delete(name);
    if ('formula' in compute) draft.computeFormulas.set(name, { module, value: compute });
    const value = 'formula' in compute ? { depends: [], value: () => null } : compute;
    draft.computes.set(name, { module, value });
  }
}

/** Fields with a `formula`, and computes that are one, become computes that depend on what it reads. */
export function completeFormulas(drafts: Drafts, problems: Problems): void {
  const groupsOf = sourceGroups(drafts);
  for (const draft of drafts.values()) {
    completeComputes(drafts, draft, problems);
    for (const [name, { module, value: spec }] of draft.fields) {
      if (spec.formula === undefined) continue;
      const at = { module, model: draft.name, field: name };
      const other = (['from', 'follows', 'related', 'default', 'editable'] as const).find(
        (key) => spec[key] !== undefined,
      );
      if (other !== undefined || draft.computes.has(name)) {
        problems.add(at, `it has a formula, and ${other ?? 'a compute'} as well: one must give its value.`);
        continue;
      }
      try {
        const completed = completeField(draft, name, spec, {
          model: draft.name,
          fieldsOf: (model) => specsOf(drafts, model),
        });
        const groups = spec.groups ?? groupsOf(draft.name, completed.compute.depends);
        if (groups === null)
          problems.add(
            at,
            'its formula reads fields that different groups see: choose the groups that see the result.',
          );
        draft.fields.set(name, {
          module,
          value: Object.freeze({ ...completed.spec, ...(groups?.length ? { groups } : {}) }),
        });
        draft.computes.set(name, { module, value: completed.compute });
      } catch (error) {
        if (!(error instanceof FormulaError)) throw error;
        problems.add(at, `its formula: ${inEnglish(error.problem)}`);
      }
    }
  }
}

function completeComputes(drafts: Drafts, draft: Draft, problems: Problems): void {
  for (const [name, { module, value }] of draft.computeFormulas) {
    const spec = draft.fields.get(name)?.value;
    // A compute without a field is reported with the others.
    if (spec === undefined) continue;
    const scope = { model: draft.name, fieldsOf: (model: string) => specsOf(drafts, model) };
    try {
      const { depends, isDaily, run } = compileFormula(value.formula, spec, scope);
      const changes = isDaily && spec.stored && !spec.editable ? ({ changes: 'daily' } as const) : {};
      const reason = value.asServer === undefined ? {} : { asServer: value.asServer };
      draft.computes.set(name, { module, value: Object.freeze({ depends, value: run, ...changes, ...reason }) });
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      problems.add({ module, model: draft.name, field: name }, `its formula: ${inEnglish(error.problem)}`);
    }
  }
}

function completeField(
  { name: model }: Draft,
  name: string,
  spec: FieldSpec,
  scope: FormulaScope,
): { readonly spec: FieldSpec; readonly compute: ComputeByValue } {
  const { depends, isDaily, run } = compileFormula(spec.formula ?? '', spec, scope);
  return {
    spec: { required: false, ...spec, computed: true },
    compute: Object.freeze({
      depends: Object.freeze([...depends]),
      value: run,
      ...(isDaily && spec.stored ? { changes: 'daily' as const } : {}),
      ...(spec.groups ? { asServer: `${model}.${name} names the groups that see it.` } : {}),
    }),
  };
}

const user: FieldSpec = { type: 'many2one', relation: 'core.user' };
const ownFields: ReadonlyMap<string, FieldSpec> = new Map<string, FieldSpec>([
  ['id', { type: 'integer' }],
  ['display_name', { type: 'char' }],
  ['create_date', { type: 'datetime' }],
  ['create_uid', user],
  ['write_date', { type: 'datetime' }],
  ['write_uid', user],
]);

/** The fields of a model that a formula can use, also those that every model has. */
export function specsOf(drafts: Drafts, model: string): ReadonlyMap<string, FieldSpec> | undefined {
  const draft = drafts.get(model);
  return draft && new Map([...ownFields, ...[...draft.fields].map(([name, { value }]) => [name, value] as const)]);
}

function specOf(drafts: Drafts, model: string, name: string): FieldSpec | undefined {
  const draft = drafts.get(model);
  return draft && (draft.fields.get(name)?.value ?? ownFields.get(name));
}

/**
 * The groups that see all of the given paths: those that every limited field on them has. Null if there are none, empty if everybody
 * sees them.
 */
function sourceGroups(drafts: Drafts) {
  /** Each field once, however many formulas read it. */
  const collect = (model: string, path: readonly string[], limits: Map<string, readonly string[] | null>): void => {
    let current: string | undefined = model;
    for (const name of path) {
      const spec: FieldSpec | undefined = current === undefined ? undefined : specOf(drafts, current, name);
      if (!spec || current === undefined) return;
      const key = `${current}.${name}`;
      if (!limits.has(key)) {
        limits.set(key, spec.groups?.length ? spec.groups : null);
        const sources = spec.groups?.length ? [] : sourcesOf(spec);
        for (const source of sources) collect(current, source, limits);
      }
      current = spec.relation;
    }
  };
  return (model: string, depends: readonly string[]): readonly string[] | null => {
    const found = new Map<string, readonly string[] | null>();
    for (const path of depends) collect(model, path.split('.'), found);
    const limits = [...found.values()].filter((groups) => groups !== null);
    const [first = [], ...others] = limits;
    const shared = first.filter((group) => others.every((each) => each.includes(group)));
    return limits.length > 0 && shared.length === 0 ? null : shared;
  };
}

function sourcesOf({ related, formula }: FieldSpec): readonly (readonly string[])[] {
  if (related !== undefined) return [related.split('.')];
  return formula === undefined ? [] : pathsOf(formula);
}

/** A formula with a mistake is reported at its own field. */
function pathsOf(formula: string): readonly (readonly string[])[] {
  try {
    return formulaPaths(formula);
  } catch {
    return [];
  }
}
