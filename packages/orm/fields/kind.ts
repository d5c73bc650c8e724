import { isDeepStrictEqual } from 'node:util';
import type { Cell, CellForm, Sql } from '@kontor/database';
import {
  type FieldType,
  type FieldTypeTraits,
  fieldTypes,
  inEnglish,
  type TimeNotation,
  type Words,
} from '@kontor/protocol';
import type { FieldSpec } from './spec.ts';

/** What a type needs to know about a field. */
export interface DeclaredField {
  readonly spec: FieldSpec;
  /** Choices with their labels. */
  readonly selection: ReadonlyMap<string, string> | null;
}

export interface Preparation {
  /** May throw `BadValue`, which the cast throws again. */
  work(): void;
  forget(): void;
}

/**
 * A field type: one object with everything that depends on the type. Values in server code: text types, selection,
 * date, datetime (ISO, `Z`) and reference (`model,id`) are strings; integer and float numbers; decimal and monetary
 * `Decimal`; binary and image base64 strings (a binary may also be written as bytes); json anything; many2one an id or null; x2many arrays of ids.
 */
export interface FieldKind extends FieldTypeTraits {
  /** PostgreSQL type of the column, or null if the type has none (x2many). */
  column(field: DeclaredField): string | null;
  /** SQL of the value for existing rows when a required column is added; null if no value would be right. */
  backfill(field: DeclaredField): string | null;
  /** The value of a record if none was given. */
  readonly absent: null | false;
  /** Casts and checks a value from a caller or from server code; throws `BadValue` with a message for users. */
  cast(value: unknown, field: DeclaredField): unknown;
  /** Work that is done before the value is cast, with others served in between; null if casting takes no time. */
  prepare?(value: unknown): Preparation | null;
  /** Checks of a cast value that a caller gives, but not of a computed or existing one. */
  checkGiven?(value: unknown, field: DeclaredField): void;
  /** The result of a compute or a handler, ready to be cast. Never called with null. */
  fromResult(result: unknown): unknown;
  /**
   * A value that users write in a file or as an answer, ready to be cast. Without a notation only the plain forms are read: digits
   * with a point, ISO 8601, `true` and `1`. Never called with an empty text.
   */
  fromText(text: string, field: DeclaredField, notation: TextNotation | null): unknown;
  /** The exact text of a value, for files. Never called with null. */
  toText(value: unknown): string;
  /** A cast value as the driver expects it, for a parameter of the column's type. */
  toParameter(value: unknown): unknown;
  fromCell(cell: Cell): unknown;
  /** JSON text of a cell, exact for decimals. Never called with null. */
  cellToJson(cell: Exclude<Cell, null>): string;
  /** The form in which the database sends the value, if that can be written as JSON without decoding. */
  readonly wire?: Exclude<CellForm, (...args: never[]) => unknown>;
  /** What a query of records selects, if that is not the value itself. */
  readonly cellSql?: (value: Sql) => Sql;
  /**
   * A stored value as jsonb, equal to the result of `toJson` in server code; absent if only server code can compute it. Null stays
   * null.
   */
  readonly jsonSql?: (value: Sql) => Sql;
  /** The value as a part of a record's name. */
  nameSql(value: Sql, field: DeclaredField): Sql;
  /** Whether a cast value counts as empty for `required`. */
  isEmpty(value: unknown): boolean;
  /** Whether two cast values are equal. Never called with null or with identical values. */
  isSame(left: unknown, right: unknown): boolean;
}

/** How a user writes numbers, dates, times and booleans. */
export interface TextNotation extends TimeNotation {
  /** The decimal mark of the user's language. */
  readonly decimal: string;
  /** The mark that the cells of the column share, for an ambiguous cell; null if they share none. */
  mark(): '.' | ',' | null;
}

type Own = Pick<FieldKind, 'column' | 'cast'> & Partial<Omit<FieldKind, keyof FieldTypeTraits>>;

/**
 * What a type defines; the rest has defaults. All kinds have the same keys in the same order, so that V8 sees one shape: nearly
 * everything asks a field for its kind.
 */
export function defineKind(type: FieldType, own: Own): FieldKind {
  const { column, cast, checkGiven, wire, cellSql, jsonSql } = own;
  const kind = {
    ...fieldTypes[type],
    ...{ column, cast, checkGiven, wire, cellSql, jsonSql },
    backfill: () => null,
    absent: null,
    fromResult: (result: unknown) => result,
    fromText: (text: string) => text,
    toText: (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
    toParameter: (value: unknown) => value,
    fromCell: (cell: Cell) => cell,
    cellToJson: (cell: Exclude<Cell, null>) => JSON.stringify(cell),
    nameSql: (value: Sql) => value,
    isEmpty: isAbsent,
    isSame: (left: unknown, right: unknown) =>
      typeof left === 'object' && typeof right === 'object' && isDeepStrictEqual(left, right),
    ...own,
  };
  return Object.freeze(kind as FieldKind);
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** A value that a field rejects; the message is shown at the field. */
export class BadValue extends Error {
  readonly words: Words;

  constructor(words: Words) {
    super(inEnglish(words));
    this.words = words;
  }
}
