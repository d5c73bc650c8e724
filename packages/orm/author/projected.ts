import type { Projection, WireRecord } from '../records/records.ts';
import type { AnyRecord, LinesOf, NoSuchField, ValidPath } from './path.ts';

/** A path, or nested projections of relations to many: `{ line_ids: ['product_id', 'qty'] }`. */
export type ProjectionItem = string | Readonly<Record<string, Projection>>;

/** For array elements whose types are inferred as `Item`. */
export type ItemIn<Rec, Item> = Item &
  (Item extends string
    ? ValidPath<Rec, Item>
    : Exclude<keyof Item, LinesOf<Rec>> extends never
      ? unknown
      : NoSuchField<Exclude<keyof Item, LinesOf<Rec>>, LinesOf<Rec>>);

/** What a read gives: `id`, exactly the paths asked for, and the lines of nested projections. */
export type Projected<Rec, Item> = AnyRecord & {
  readonly [Name in Extract<Item, string>]: ValueAt<Rec, Name>;
} & { readonly [Name in KeysOf<Item>]: readonly WireRecord[] };

type KeysOf<Item> = Item extends string ? never : keyof Item;

/** Behind a many2one there may be nothing, or nothing that the caller may see. */
type ValueAt<Rec, Path extends string> = string extends Path
  ? unknown
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Rec
      ? ValueAt<NonNullable<Rec[Head]>, Rest> | null
      : never
    : Path extends keyof Rec
      ? Flat<Rec[Path]>
      : never;

type Flat<Value> = unknown extends Value
  ? Value
  : NonNullable<Value> extends readonly AnyRecord[]
    ? readonly number[]
    : NonNullable<Value> extends AnyRecord
      ? number | Extract<Value, null>
      : Value;
