import type { FieldSpec, FieldType } from '../fields/spec.ts';

export type TextKind = 'char' | 'text' | 'html';
export type NumberKind = 'integer' | 'float';
export type ExactKind = 'decimal' | 'monetary';
export type DateKind = 'date' | 'datetime';
export type ManyKind = 'one2many' | 'many2many';
export type RelationKind = 'many2one' | ManyKind;
/** Stored, but neither sorted nor compared. */
export type OpaqueKind = 'binary' | 'image' | 'json';

declare const value: unique symbol;
declare const traits: unique symbol;

/**
 * A declared field. `Value` is its value; for a relation the *name* of its model, which is resolved late, so that models may refer
 * to each other. `Traits` is a union of strings: 'required', 'nullable', 'default', 'computed', 'stored', 'editable', 'cascade',
 * 'system', 'related a.b', 'inverse x', 'inferred a.b', 'from a.b', 'company x', 'set x'.
 */
export interface Field<out Kind extends FieldType = FieldType, out Value = unknown, out Traits = unknown>
  extends FieldSpec {
  readonly type: Kind;
  readonly [value]?: Value;
  readonly [traits]?: Traits;
}
export type FieldMap = Readonly<Record<string, Field>>;

export type KindOf<F> = F extends Field<infer Kind, unknown, unknown> ? Kind : never;
export type ValueOf<F> = F extends Field<FieldType, infer Value, unknown> ? Value : never;
export type TraitsOf<F> = F extends Field<FieldType, unknown, infer Traits> ? Traits : never;
/** Names of the sets of a selection. */
export type SetNames<F> =
  TraitsOf<F> extends infer Traits ? (Traits extends `set ${infer Name}` ? Name : never) : never;
/** The path to the field whose type it has: resolved late, by model. */
export type InferredPath<Traits> = Traits extends `inferred ${infer Path}` ? Path : never;
export type Null<Traits> = 'nullable' extends Traits ? null : never;

/** The fields of every record. */
export interface SystemFields {
  readonly id: Field<'integer', number, 'system' | 'stored'>;
  readonly display_name: Field<'char', string, 'system' | 'stored'>;
  readonly create_date: Field<'datetime', string, 'system' | 'stored'>;
  readonly create_uid: Field<'many2one', 'core.user', 'system' | 'stored' | 'nullable'>;
  readonly write_date: Field<'datetime', string, 'system' | 'stored'>;
  readonly write_uid: Field<'many2one', 'core.user', 'system' | 'stored' | 'nullable'>;
}

/**
 * The base of an interface in `Models`: the declared fields and those of every record.
 * ```ts
 * const shelfFields = { label: fields.char({ required: true }), keeper_id: fields.many2one('core.partner') };
 * export interface Shelf extends FieldsOf<typeof shelfFields> {}
 * ```
 * `Filled` names required fields that the server sets: the first stage, or a field that a hook sets.
 */
export type FieldsOf<Map extends FieldMap, Filled extends keyof Map = never> = SystemFields &
  Omit<Map, Filled> & { readonly [Name in Filled]: WithDefault<Map[Name]> };
type WithDefault<F> =
  F extends Field<infer Kind, infer Value, infer Traits> ? Field<Kind, Value, Traits | 'default'> : never;
