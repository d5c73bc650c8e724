import { BadValue, type Field, isDecimal, type TextNotation } from '@kontor/orm';

/** So many different texts of a column are kept with what they were read as. */
const maxKept = 2_000;

/**
 * What a text of the column means, or why nothing. Days, choices and codes repeat in a file, so what was read before is known; a
 * column in which little repeats is not asked for it any longer.
 */
export function cellReader(field: Field, notation: TextNotation): (cell: string) => unknown {
  let known: Map<string, unknown> | null = new Map();
  let repeated = 0;
  return (cell) => {
    if (known === null) return readCell(field, notation, cell);
    const before = known.get(cell);
    if (before !== undefined) {
      repeated++;
      return before;
    }
    const read = readCell(field, notation, cell);
    if (known.size >= maxKept) known = repeated < maxKept ? null : known;
    // What can be changed by whoever gets it is not shared.
    else if (typeof read !== 'object' || read instanceof BadValue || isDecimal(read)) known.set(cell, read);
    return read;
  };
}

function readCell(field: Field, notation: TextNotation, cell: string): unknown {
  try {
    return field.kind.cast(field.kind.fromText(cell, field, notation), field);
  } catch (error) {
    if (error instanceof BadValue) return error;
    throw error;
  }
}
