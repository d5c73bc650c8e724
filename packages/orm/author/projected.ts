import type { Projection, WireRecord } from '../records/records.ts';
import type { AnyRecord, LinesOf } from './path.ts';

/** Nested projections of relations to many: `{ line_ids: ['product_id', 'qty'] }`. */
export type NestedOf<Rec> = { readonly [Name in LinesOf<Rec>]?: Projection };

/** What a read gives: `id` and exactly the paths asked for. */
export type Projected<Rec, Path extends string, Nested> = AnyRecord & {
  readonly [Name in Path]: ValueAt<Rec, Name>;
} & { readonly [Name in KeysOf<Nested>]: readonly WireRecord[] };

type KeysOf<Nested> = Nested extends object ? keyof Nested : never;

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
