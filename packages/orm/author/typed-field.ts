import type { FieldSpec, FieldSpecs } from '../fields/spec.ts';
import type { LoadedRecord } from '../model/definition.ts';
import type { ModelName, Models } from './models.ts';

declare const value: unique symbol;

/** A declared field that knows the type of its value in a loaded record. */
export interface TypedField<Value> extends FieldSpec {
  readonly [value]?: Value;
}

/**
 * A relation is typed by the *name* of its model and looked up late, so that models may refer to each other: builders
 * that returned the related record's type would be circular.
 */
export interface One<Name extends string> {
  readonly one: Name;
}
export interface Many<Name extends string> {
  readonly many: Name;
}

/** What every record has. */
export interface SystemFields {
  readonly id: number;
  readonly display_name: string;
  readonly create_date: string;
  readonly create_uid: RecordNamed<'core.user'> | null;
  readonly write_date: string;
  readonly write_uid: RecordNamed<'core.user'> | null;
}

/** The record of a model; one that anything may be read from where the model has declared none. */
export type RecordNamed<Name extends string> = Name extends ModelName ? Models[Name] : LoadedRecord;
type Resolve<Value> =
  Value extends One<infer Name>
    ? RecordNamed<Name>
    : Value extends Many<infer Name>
      ? readonly RecordNamed<Name>[]
      : Value;
type ValueOf<Declared> = Declared extends TypedField<infer Value> ? Resolve<Value> : unknown;

/**
 * The shape of one loaded record, read off its fields.
 * ```ts
 * const shelfFields = { label: fields.char({ required: true }), keeper_id: fields.many2one('core.partner') };
 * export interface Shelf extends RecordOf<typeof shelfFields> {}
 * export const keeper = (shelf: Shelf) => shelf.keeper_id?.name ?? shelf.label;
 * ```
 */
export type RecordOf<Fields extends FieldSpecs> = SystemFields & {
  readonly [Name in keyof Fields]: ValueOf<Fields[Name]>;
};
