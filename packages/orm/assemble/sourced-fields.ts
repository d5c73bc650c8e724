import type { FieldSpec } from '../fields/spec.ts';
import type { ComputeByValue, LoadedRecord } from '../model/behaviour.ts';
import { editable } from '../model/editable.ts';
import type { Field } from '../model/model.ts';
import type { Draft } from './draft.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';

/** Fields with `from` or `follows` become editable computes that take the value at the end of the path. */
export function completeSourcedFields(draft: Draft, problems: Problems): void {
  for (const [name, { module, value: spec }] of draft.fields) {
    const path = sourceOf(spec);
    if (path === undefined) continue;
    const at = { module, model: draft.name, field: name };
    if (spec.from !== undefined && spec.follows !== undefined) problems.add(at, 'it has both "from" and "follows".');
    else if (draft.computes.has(name))
      problems.add(at, `it has a compute, and "${path}" as well: one must give its value.`);
    else {
      draft.fields.set(name, { module, value: Object.freeze({ ...spec, ...editable }) });
      draft.computes.set(name, { module, value: takes(path, spec.follows === undefined ? undefined : null) });
    }
  }
}

/** The mistake in the path of a field with `from` or `follows`, or null. */
export function checkSource(field: Field, table: FieldTable): string | null {
  const path = sourceOf(field.spec);
  if (path === undefined) return field.spec.live ? 'it is live, and has neither "from" nor "follows".' : null;
  const word = field.spec.from === undefined ? 'follows' : 'from';
  const walked = walkPath(table, field.model, path.split('.'));
  if (typeof walked === 'string') return null; // `checkComputes` reports it.
  const target = walked.at(-1) as Field;
  if (walked.length < 2) return `${word} "${path}" must go through a many2one, as in "partner_id.phone".`;
  const many = walked.find(({ kind }) => kind.isList);
  if (many) return `${word} "${path}": "${many.name}" has many values; only many2ones can be followed.`;
  if (target.spec.type !== field.spec.type)
    return `${word} "${path}" is of type ${target.spec.type}, not ${field.spec.type}. Declare it as fields.${target.spec.type}.`;
  const computed = walked.slice(1).find((step) => step.compute !== null || step.related !== null);
  if (field.spec.live && computed) return `it cannot follow "${computed.name}", which is computed, later.`;
  const isSame = target.spec.relation === field.spec.relation;
  return isSame ? null : `${word} "${path}" points at ${target.spec.relation}, not at ${field.spec.relation}.`;
}

function sourceOf({ from, follows }: FieldSpec): string | undefined {
  return from ?? follows;
}

function takes(path: string, empty: null | undefined): ComputeByValue {
  const value = valueAtEnd(path.split('.'));
  return Object.freeze({ depends: Object.freeze([path]), value: (record: LoadedRecord) => value(record) ?? empty });
}

/** The value at the end of the path; a many2one returns its id. */
export function valueAtEnd(path: readonly string[]): (record: LoadedRecord) => unknown {
  return (record) => {
    let value: unknown = record;
    for (const name of path) {
      if (value === null || value === undefined) return null;
      value = (value as LoadedRecord)[name];
    }
    return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
  };
}
