import { modelHint } from '@kontor/protocol';
import type { FieldSpec, FieldSpecs } from '../fields/spec.ts';
import { frozenMap } from '../model/frozen-map.ts';
import type { Field } from '../model/model.ts';
import { memberNameFault } from '../model/names.ts';
import { buildField } from './build-fields.ts';
import { fieldChecks } from './check-field.ts';
import type { FieldTable } from './path.ts';
import type { AddProblem } from './problems.ts';

/** Keys of `vals` that are not answers. */
const reserved = new Set(['active_ids']);
const unusable = ['computed', 'related', 'stored', 'unique', 'index', 'tracking', 'secret'] as const;

/** The questions of an action as fields without a table: answers are cast and checked like values of a record. */
export function askedFields(
  at: { readonly model: string; readonly module: string },
  asks: FieldSpecs,
  table: FieldTable,
  addProblem: AddProblem,
): ReadonlyMap<string, Field> {
  const fields = Object.entries(asks).map(([name, spec]) => {
    const field = askedField(at, name, spec);
    for (const fault of faultsOf(field, table)) addProblem(`asks "${name}": ${fault}`);
    return [name, field] as const;
  });
  return frozenMap(fields);
}

/** A field that belongs to no table. */
export function askedField(
  at: { readonly model: string; readonly module: string },
  name: string,
  spec: FieldSpec,
): Field {
  const field = buildField({ ...at, name, spec, compute: null, related: null, through: null });
  return Object.freeze({ ...field, isStored: false, column: null });
}

function faultsOf(field: Field, table: FieldTable): string[] {
  const { name, spec, kind } = field;
  const nameFault = reserved.has(name) ? 'this name is reserved' : memberNameFault(name);
  if (nameFault !== null) return [`${nameFault}.`];
  if (kind.isLines) return ['lines of a record cannot be asked for.'];
  if (spec.relation !== undefined && !table.has(spec.relation)) {
    return [`there is no model ${spec.relation}.${modelHint(spec.relation, table.keys())}`];
  }
  const odd = unusable.find((key) => spec[key] !== undefined);
  if (odd !== undefined) return [`an answer is kept nowhere, so it cannot be ${odd}.`];
  return fieldChecks.flatMap((check) => check(field, table) ?? []);
}
