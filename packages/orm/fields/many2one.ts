import { BadValue, type FieldKind } from './kind.ts';
import { isRecordId } from './record-id.ts';
import { isAbsent } from './text-check.ts';

/** The id of one record of another model. */
export const many2oneKind: FieldKind = {
  column: () => 'integer',
  cast(value) {
    if (isAbsent(value) || value === false) return null;
    if (!isRecordId(value)) throw new BadValue('Give the id of a record, or null.');
    return value;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => String(cell),
  wire: 'digits',
  isEmpty: isAbsent,
};
