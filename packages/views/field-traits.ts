import { type Field, fieldAggregate } from '@kontor/orm';
import { type Measure, hasMeasure as typeHasMeasure } from '@kontor/protocol';

/** Computed in server code on read: the database has no value for it. */
function isComputedOnRead(field: Field): boolean {
  return field.compute !== null && 'value' in field.compute && !field.isStored;
}

export function isSortable(field: Field): boolean {
  return field.kind.isSortable && !isComputedOnRead(field);
}

export function isGroupable(field: Field): boolean {
  return field.kind.isGroupable && !isComputedOnRead(field);
}

export function isSearchable(field: Field): boolean {
  const { compute } = field;
  if (compute !== null && 'value' in compute && !field.isStored) return compute.search !== undefined;
  return true;
}

export function hasMeasure(field: Field, measure: Measure): boolean {
  return typeHasMeasure(field.kind, measure, fieldAggregate(field)) && !isComputedOnRead(field);
}

/** The default measure of a number. */
export function usualMeasure(field: Field): Measure {
  const aggregate = fieldAggregate(field);
  if (aggregate === 'none') return 'count_distinct';
  return aggregate === undefined ? 'sum' : aggregate === 'average' ? 'avg' : 'ratio';
}
