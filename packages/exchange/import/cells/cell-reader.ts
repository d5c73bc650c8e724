import { BadValue, type Field } from '@kontor/orm';
import type { Notation } from './notation.ts';
import { readBoolean } from './read-boolean.ts';
import { choiceReader } from './read-choice.ts';
import { readDate, readInstant } from './read-date.ts';
import { type DecimalMark, readNumber } from './read-number.ts';

/** Turns the text of a cell into a value of its field's type; throws BadValue. Relations are looked up elsewhere. */
export type CellReader = (cell: string) => unknown;

export interface ColumnNotation extends Notation {
  /** The mark before decimals that the cells of the column agree on. */
  readonly mark: () => DecimalMark;
}

export function cellReader(field: Field, notation: ColumnNotation): CellReader {
  const { decimal, mark } = notation;
  switch (field.spec.type) {
    case 'integer':
      return (cell) => Number(readNumber(cell, decimal, mark, true));
    case 'float':
      return (cell) => Number(readNumber(cell, decimal, mark));
    case 'decimal':
    case 'monetary':
      return (cell) => readNumber(cell, decimal, mark);
    case 'boolean':
      return readBoolean;
    case 'date':
      return (cell) => readDate(cell, notation);
    case 'datetime':
      return (cell) => readInstant(cell, notation);
    case 'selection':
      return choiceReader(field);
    case 'json':
      return readJson;
    default:
      return (cell) => cell;
  }
}

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    throw new BadValue('Give a JSON value.');
  }
}
