import type { Projection } from '../records.ts';
import type { Field, ManyKind, Null } from './field.ts';
import type { ModelName, Models } from './models.ts';
import type { NamesOfKind, PathIn, Target } from './path.ts';

/** A path, or nested projections of relations to many: `{ line_ids: ['product_id', 'qty'] }`. */
export type ProjectionItem = string | Readonly<Record<string, Projection>>;

/** For array elements whose types are inferred as `Item`. */
export type ItemIn<M extends ModelName, Item> = Item extends string
  ? PathIn<M, Item>
  : Item extends Nested<M, Item>
    ? Item
    : Nested<M, Item>;
type Nested<M extends ModelName, Item> = {
  readonly [Name in keyof Item]: Name extends NamesOfKind<M, ManyKind> ? ItemsIn<Target<M, Name>, Item[Name]> : never;
} & { readonly [Name in NamesOfKind<M, ManyKind>]?: unknown };
type ItemsIn<M extends ModelName, Items> = { readonly [Index in keyof Items]: ItemIn<M, Items[Index]> };

/** What a read gives: `id`, exactly the paths asked for, and the lines of nested projections. */
export type Projected<M extends ModelName, Item> = { readonly id: number } & {
  readonly [Path in Extract<Item, string>]: ValueAt<M, Path>;
} & Lines<M, Exclude<Item, string>>;
type Lines<M extends ModelName, Item> = {
  readonly [Name in KeysOf<Item>]: readonly Projected<Target<M, Name>, ElementOf<ItemAt<Item, Name>>>[];
};
type KeysOf<Item> = Item extends unknown ? keyof Item : never;
type ItemAt<Item, Name> = Item extends unknown ? (Name extends keyof Item ? Item[Name] : never) : never;
type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** Behind a many2one there may be nothing, or nothing that the caller may see. */
type ValueAt<M extends ModelName, Path> = Path extends keyof Models[M]
  ? Flat<Models[M][Path]>
  : Path extends `${infer First}.${infer Rest}`
    ? [Target<M, First>] extends [never]
      ? never
      : ValueAt<Target<M, First>, Rest> | null
    : never;
type Flat<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends ManyKind
      ? readonly number[]
      : Kind extends 'many2one'
        ? number | Null<Traits>
        : Value | Null<Traits>
    : never;
