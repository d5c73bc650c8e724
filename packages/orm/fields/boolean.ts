import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** Yes or no; nothing counts as no. */
export const booleanKind: FieldKind = {
  column: () => 'boolean',
  cast(value) {
    if (isAbsent(value)) return false;
    if (typeof value !== 'boolean') throw new BadValue('Give true or false.');
    return value;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell ?? false,
  cellToJson: (cell) => (cell ? 'true' : 'false'),
  wire: 'boolean',
  isEmpty: isAbsent,
};
