import type { Cell, CellForm } from '@kontor/database';
import { inEnglish, type Words } from '@kontor/protocol';
import type { Field } from '../model/model.ts';

/**
 * What a field type knows: its column, how a given value is cast and checked, and how a cell becomes a value or JSON text.
 * Values in server code: text types, selection, date, datetime (ISO, `Z`) and reference (`model,id`) are strings; integer and
 * float numbers; decimal and monetary `Decimal`; binary and image base64 strings; json anything; many2one an id or null;
 * x2many arrays of ids.
 */
export interface FieldKind {
  /** PostgreSQL type of the column, or null where the type has none (x2many). */
  column(field: Field): string | null;
  /** Casts and checks a value from outside or from server code; throws `BadValue` with a message for the person. */
  cast(value: unknown, field: Field): unknown;
  /** A cast value as the driver takes it, for a parameter of the column's type. */
  toParameter(value: unknown): unknown;
  fromCell(cell: Cell): unknown;
  /** JSON text of a cell, exact for decimals. Never called with null. */
  cellToJson(cell: Exclude<Cell, null>): string;
  /** The same in the database's own words, where it has them: such cells are written from the wire. */
  readonly wire?: Exclude<CellForm, (...args: never[]) => unknown>;
  /** Whether a cast value counts as empty for `required`. */
  isEmpty(value: unknown): boolean;
}

/** A value that a field refuses; the message is shown at the field. */
export class BadValue extends Error {
  readonly words: Words;

  constructor(words: Words) {
    super(inEnglish(words));
    this.words = words;
  }
}
