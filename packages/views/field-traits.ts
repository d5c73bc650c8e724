import type { Field, FieldType } from '@kontor/orm';

const opaque: ReadonlySet<FieldType> = new Set(['binary', 'image', 'json']);
const numeric: ReadonlySet<FieldType> = new Set(['integer', 'float', 'decimal', 'monetary']);
const ordered: ReadonlySet<FieldType> = new Set([...numeric, 'date', 'datetime', 'char', 'text', 'selection']);

export function isToMany(field: Field): boolean {
  return field.spec.type === 'one2many' || field.spec.type === 'many2many';
}

export function isDate(field: Field): boolean {
  return field.spec.type === 'date' || field.spec.type === 'datetime';
}

export function isNumber(field: Field): boolean {
  return numeric.has(field.spec.type);
}

/** Worked out in server code when it is read: the database knows no value of it. */
function isComputedOnRead(field: Field): boolean {
  return field.compute !== null && 'value' in field.compute && !field.isStored;
}

export function isSortable(field: Field): boolean {
  return !isToMany(field) && !isComputedOnRead(field) && !opaque.has(field.spec.type);
}

export function isGroupable(field: Field): boolean {
  return field.spec.type !== 'one2many' && !isComputedOnRead(field) && !opaque.has(field.spec.type);
}

export function isSearchable(field: Field): boolean {
  const { compute } = field;
  if (compute !== null && 'value' in compute && !field.isStored) return compute.search !== undefined;
  return true;
}

export function hasMeasure(field: Field, measure: string): boolean {
  if (isToMany(field) || isComputedOnRead(field)) return false;
  if (measure === 'sum' || measure === 'avg') return isNumber(field);
  if (measure === 'min' || measure === 'max') return ordered.has(field.spec.type);
  return measure === 'count' || !opaque.has(field.spec.type);
}
