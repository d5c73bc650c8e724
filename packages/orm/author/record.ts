import type { Field, ManyKind, Null } from './field.ts';
import type { ModelName } from './models.ts';
import type { FieldNamed, Names } from './path.ts';

type First<Path> = Path extends `${infer Name}.${string}` ? Name : Path;
type After<Path, Name extends string> = Path extends `${Name}.${infer Rest}` ? Rest : never;

declare const model: unique symbol;
/** Distinguishes records of different models, although all of them have an id. */
interface Of<out M extends string> {
  readonly [model]?: M;
}

/**
 * A saved record with exactly these paths loaded; reading another path does not compile.
 * ```ts
 * function address(partner: Loaded<'core.partner', 'city' | 'country_id.code'>) {
 *   return [partner.city, partner.country_id?.code].join(' ');
 * }
 * ```
 */
export type Loaded<M extends ModelName, Path = never> = Of<M> & {
  readonly [Name in ('id' | First<Path>) & Names<M>]: LoadedValue<FieldNamed<M, Name>, After<Path, Name>>;
};
type LoadedValue<F, Path> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends 'many2one'
      ? Loaded<Value & ModelName, Path> | Null<Traits>
      : Kind extends ManyKind
        ? readonly Loaded<Value & ModelName, Path>[]
        : Value | Null<Traits>
    : never;

/**
 * A complete record; relations have only their id.
 * ```ts
 * const place = (partner: RecordOf<'core.partner'>) => partner.city ?? partner.name;
 * ```
 */
export type RecordOf<M extends ModelName> = Loaded<M, Names<M>>;

/**
 * A record being filled in: required values may be missing, also in its lines and in its parent record. Records of other many2ones
 * are saved.
 * ```ts
 * const greeting = (draft: Draft<'core.partner', 'name' | 'parent_id.name'>) =>
 *   `${draft.name ?? 'Somebody'} of ${draft.parent_id?.name ?? 'nowhere'}`;
 * ```
 */
export type Draft<M extends ModelName, Path = never> = Of<M> & { readonly id: number | null } & {
  readonly [Name in First<Path> & Exclude<Names<M>, 'id'>]: DraftValue<FieldNamed<M, Name>, After<Path, Name>>;
};
type DraftValue<F, Path> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends 'many2one'
      ? (IsLine<Traits> extends true ? Draft<Value & ModelName, Path> : Loaded<Value & ModelName, Path>) | null
      : Kind extends 'one2many'
        ? readonly Draft<Value & ModelName, Path>[]
        : Kind extends 'many2many'
          ? readonly Loaded<Value & ModelName, Path>[]
          : Kind extends 'boolean'
            ? Value
            : Value | Missing<Traits>
    : never;
/** The many2one of a line to its parent: a line cannot exist without it. */
type IsLine<Traits> = 'cascade' extends Traits ? ('required' extends Traits ? true : false) : false;
/** Computed values always exist; all others may be missing. */
type Missing<Traits> = 'computed' extends Traits ? ('editable' extends Traits ? null : Null<Traits>) : null;

/** Accepted values of a relation in server code: an id, or a record of its model. */
export type RefTo<M> = number | ({ readonly id: number } & Of<M & string>);
