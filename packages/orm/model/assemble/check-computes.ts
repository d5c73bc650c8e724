import { didYouMean } from '@kontor/protocol';
import type { ComputeSpec } from '../behaviour.ts';
import { aggregateOf, computeDepends, isAggregate } from '../depends.ts';
import type { Field } from '../model.ts';
import type { Draft } from './draft.ts';
import { editableFault } from './editable-computes.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';

/** Computes belong to fields that say `computed`, and read paths that exist. */
export function checkComputes(draft: Draft, table: FieldTable, problems: Problems): void {
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  for (const [name, { module, value: compute }] of draft.computes) {
    const at = { module, model: draft.name, field: name };
    const field = fields.get(name);
    if (field === undefined) {
      problems.add(at, `a compute for a field that does not exist.${didYouMean(name, fields.keys())}`);
    } else if (field.spec.computed !== true) {
      problems.add(at, 'it has a compute but is not declared with computed: true.');
    } else if (isAggregate(compute) && field.spec.editable !== true) {
      const fault = aggregateFault(field, compute, table);
      if (fault !== null) problems.add(at, fault);
    } else {
      for (const path of computeDepends(compute)) {
        const walked = walkPath(table, draft.name, path.split('.'));
        if (typeof walked === 'string') problems.add(at, `depends on ${walked}`);
      }
    }
  }
  for (const field of fields.values()) {
    const fault =
      field.spec.editable === true ? editableFault(field, fields, draft.computes.get(field.name)?.value) : null;
    if (fault !== null) problems.add({ module: field.module, model: draft.name, field: field.name }, fault);
    if (field.spec.computed !== true || draft.computes.has(field.name)) continue;
    problems.add({ module: field.module, model: draft.name, field: field.name }, 'it is computed but has no compute.');
  }
}

function aggregateFault(
  field: Field,
  compute: Exclude<ComputeSpec, { depends: readonly string[] }>,
  table: FieldTable,
): string | null {
  if (Object.keys(compute).length !== 1) return 'an aggregate has exactly one of sum, count, min, max.';
  const { measure, path } = aggregateOf(compute);
  const walked = walkPath(table, field.model, path.split('.'));
  if (typeof walked === 'string') return `${measure} ${walked}`;
  const [lines, value] = walked as readonly [Field, Field?];
  const isOverLines = lines.kind.isList && !lines.spec.computed && walked.length === (measure === 'count' ? 1 : 2);
  if (!isOverLines) {
    const example = measure === 'count' ? '"line_ids"' : '"line_ids.subtotal"';
    return `${measure} "${path}": give ${measure === 'count' ? 'an x2many' : 'a field of an x2many'}, such as ${example}.`;
  }
  if (measure === 'count') return field.kind.isWhole ? null : 'a count is an integer field.';
  return valueFault(field, value as Field, measure, path);
}

function valueFault(field: Field, value: Field, measure: string, path: string): string | null {
  const isMeasured = value.kind.isNumber || (value.kind.isDate && measure !== 'sum');
  if (!isMeasured) return `${measure} "${path}": a ${value.spec.type} has no ${measure}.`;
  if (!value.isStored) return `${measure} "${path}": "${value.name}" is not stored.`;
  const isSameFamily = value.kind.isNumber ? field.kind.isNumber : field.spec.type === value.spec.type;
  return isSameFamily ? null : `${measure} "${path}" gives a ${value.spec.type}, not a ${field.spec.type}.`;
}
