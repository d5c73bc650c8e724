import type { Decimal } from '../decimal.ts';
import type { DecimalInput } from './field-options.ts';
import type { AnyRecord } from './path.ts';
import type { SystemFields } from './typed-field.ts';

/** What create and write take for a field, told from the type of its value in a loaded record. */
export type Input<Value> = unknown extends Value
  ? unknown
  : NonNullable<Value> extends readonly (infer Item extends AnyRecord)[]
    ? readonly CommandOf<Item>[]
    : NonNullable<Value> extends AnyRecord
      ? number | Extract<Value, null>
      : NonNullable<Value> extends Decimal
        ? DecimalInput | Extract<Value, null>
        : Value;

/** Values to create or write a record with. */
export type ValuesOf<Rec> = {
  readonly [Name in Exclude<keyof Rec & string, keyof SystemFields>]?: Input<Rec[Name]>;
};

/** What can be done to the records of a one2many or many2many. */
export type CommandOf<Rec> =
  | readonly ['create', ValuesOf<Rec>]
  | readonly ['update', id: number, ValuesOf<Rec>]
  | readonly ['link' | 'unlink' | 'delete', id: number]
  | readonly ['set', ids: readonly number[]]
  | readonly ['clear'];

/** What a compute gives for a field: ids for relations, exact decimals for money. */
export type Computed<Value> = unknown extends Value
  ? unknown
  : NonNullable<Value> extends readonly AnyRecord[]
    ? readonly number[]
    : NonNullable<Value> extends AnyRecord
      ? number | Extract<Value, null>
      : Value;
