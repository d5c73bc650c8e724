import type { Decimal } from '../fields/decimal.ts';
import type { ExactKind, Field, ManyKind, Null, TraitsOf } from './field.ts';
import type { ModelName, Models } from './models.ts';
import type { FieldNamed, Names } from './path.ts';
import type { RefTo } from './record.ts';

/** Accepted values of a decimal field: a `Decimal`, a number of up to 15 digits, or digits as text. */
export type DecimalInput = Decimal | number | string;

/** The values that create and write accept for a field. */
export type Input<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends ManyKind
      ? readonly Command<Value & ModelName, Traits extends `inverse ${infer Inverse}` ? Inverse : never>[]
      : Kind extends 'many2one'
        ? number | Null<Traits>
        : Kind extends ExactKind
          ? DecimalInput | Null<Traits>
          : Kind extends 'binary'
            ? string | Uint8Array | Null<Traits>
            : Value | Null<Traits>
    : never;

/** Fields that callers may set: all except system fields and computes that are not editable. */
export type Settable<M extends ModelName> = {
  [Name in Names<M>]: IsSettable<TraitsOf<Models[M][Name]>> extends true ? Name : never;
}[Names<M>];
type IsSettable<Traits> = 'system' extends Traits
  ? false
  : 'computed' extends Traits
    ? 'editable' extends Traits
      ? true
      : false
    : true;

/** Required fields without a default or a compute. */
type Needed<M extends ModelName> = {
  [Name in Names<M>]: 'required' extends TraitsOf<Models[M][Name]>
    ? Extract<TraitsOf<Models[M][Name]>, 'default' | 'computed'> extends never
      ? Name
      : never
    : never;
}[Names<M>];

/**
 * Values to write records with.
 * ```ts
 * const values: WriteValues<'core.partner'> = { city: 'Berlin', child_ids: [['create', { name: 'Byron' }]] };
 * ```
 */
export type WriteValues<M extends ModelName> = { readonly [Name in Settable<M>]?: Input<FieldNamed<M, Name>> };

/**
 * Values to create a record with. `Given` names fields that the server sets, such as the many2one of a line to its parent.
 * ```ts
 * const values: CreateValues<'core.partner'> = { name: 'Ada', child_ids: [['create', { name: 'Byron' }]] };
 * ```
 */
export type CreateValues<M extends ModelName, Given = never> = {
  readonly [Name in Exclude<Needed<M>, Given>]: Input<FieldNamed<M, Name>>;
} & { readonly [Name in Exclude<Settable<M>, Exclude<Needed<M>, Given>>]?: Input<FieldNamed<M, Name>> };

/**
 * A command for a relation to many records.
 * ```ts
 * const link: Command<'core.partner'> = ['link', 7];
 * ```
 */
export type Command<M extends ModelName, Inverse = never> =
  | readonly ['create', CreateValues<M, Inverse>]
  | readonly ['update', id: number, WriteValues<M>]
  | readonly ['link' | 'unlink' | 'delete', id: number]
  | readonly ['set', ids: readonly number[]]
  | readonly ['clear'];

/**
 * Stored values, as hooks get them: decimals are `Decimal`, dates are text in the wire format.
 * ```ts
 * const isMove = (values: CastValues<'core.partner'>) => values.city !== undefined && values.city !== null;
 * ```
 */
export type CastValues<M extends ModelName> = { readonly [Name in Settable<M>]?: Cast<FieldNamed<M, Name>> };
type Cast<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends ManyKind
      ? readonly CastCommand<Value & ModelName>[]
      : (Kind extends 'many2one' ? number : Value) | Null<Traits>
    : never;
type CastCommand<M extends ModelName> =
  | readonly ['create', OrNull<CastValues<M>>]
  | readonly ['update', id: number, OrNull<CastValues<M>>]
  | Exclude<Command<M>, readonly ['create' | 'update', ...unknown[]]>;

/** Before values are stored, a required one may still be null: it is checked afterwards. */
export type OrNull<Values> = { readonly [Name in keyof Values]: Values[Name] | null };
/** The result of a hook: the values that it got, or values as for create and write. */
export type HookValues<M extends ModelName> = {
  readonly [Name in Settable<M>]?: Cast<FieldNamed<M, Name>> | Input<FieldNamed<M, Name>> | null;
};

/** The result of a compute: ids or records for relations, `Decimal` for money. An editable compute may return null or undefined. */
export type Computed<M extends ModelName, Name> = ComputedValue<FieldNamed<M, Name>>;
type ComputedValue<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends ManyKind
      ? readonly RefTo<Value>[] | ('editable' extends Traits ? undefined : never)
      : (Kind extends 'many2one' ? RefTo<Value> : Value) | ('editable' extends Traits ? null | undefined : Null<Traits>)
    : never;
