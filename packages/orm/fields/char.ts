import type { Field } from '../model/model.ts';
import { BadValue, type FieldKind } from './kind.ts';
import { checkText, isAbsent, isBlank } from './text-check.ts';

/** A short text, with an optional size in characters. */
export const charKind: FieldKind = {
  column: (field) => (field.spec.size === undefined ? 'text' : `varchar(${field.spec.size})`),
  cast(value, field) {
    if (isAbsent(value)) return null;
    const text = checkText(value);
    checkSize(text, field);
    return text;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => JSON.stringify(cell),
  wire: 'text',
  isEmpty: isBlank,
};

function checkSize(text: string, field: Field): void {
  const size = field.spec.size;
  if (size === undefined || text.length <= size) return;
  const length = [...text].length;
  if (length > size) throw new BadValue(`At most ${size} characters; this has ${length}.`);
}
