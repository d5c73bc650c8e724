import { text } from '@kontor/protocol';
import type { Field } from '../model/model.ts';
import { BadValue, type FieldKind } from './kind.ts';
import { checkText, isAbsent, isBlank } from './text-check.ts';

/** A short text, with an optional size in characters. */
export const charKind: FieldKind = {
  column: (field) => (field.spec.size === undefined ? 'text' : `varchar(${field.spec.size})`),
  cast(value, field) {
    if (isAbsent(value)) return null;
    const given = checkText(value);
    checkSize(given, field);
    return given;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => JSON.stringify(cell),
  wire: 'text',
  isEmpty: isBlank,
};

function checkSize(given: string, field: Field): void {
  const size = field.spec.size;
  if (size === undefined || given.length <= size) return;
  const length = [...given].length;
  if (length > size) throw new BadValue(text('At most {size} characters; this has {length}.', { size, length }));
}
