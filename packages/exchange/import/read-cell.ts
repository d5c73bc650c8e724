import { BadValue, type Field, isDecimal, type TextNotation } from '@kontor/orm';

/** This many different texts of a column are cached with their values. */
const maxKept = 2_000;

/**
 * The value of a text in the column, or the reason why there is none. Dates, choices and codes repeat in a file, so results are
 * cached; a column with few repetitions stops using the cache.
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
    // Mutable values are not shared.
    else if (typeof read !== 'object' || read instanceof BadValue || isDecimal(read)) known.set(cell, read);
    return read;
  };
}

function readCell(field: Field, notation: TextNotation, cell: string): unknown {
  try {
    const cast = field.kind.cast(field.kind.fromText(cell, field, notation), field);
    field.kind.checkGiven?.(cast, field);
    return cast;
  } catch (error) {
    if (error instanceof BadValue) return error;
    throw error;
  }
}
