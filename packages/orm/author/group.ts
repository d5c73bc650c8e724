import type { Decimal } from '../fields/decimal.ts';
import type { Domain } from './domain.ts';
import type { DateKind, ExactKind, Field, KindOf, NumberKind, RelationKind, TextKind, ValueOf } from './field.ts';
import type { ModelName } from './models.ts';
import type { IsSortable, Sortable } from './order.ts';
import type { FieldAt, NamesOfKind, PathIn } from './path.ts';

type Granularity = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Fields to group by, including those one relation away. */
type Groupable<M extends ModelName> =
  | Sortable<M>
  | NamesOfKind<M, 'many2many'>
  | `${Extract<Sortable<M>, NamesOfKind<M, DateKind>>}:${Granularity}`;
type IsGroupable<F> = KindOf<F> extends 'many2many' ? true : IsSortable<F>;
type IsBucket<F, Period> =
  KindOf<F> extends 'datetime'
    ? Period extends Granularity | 'hour'
      ? true
      : false
    : KindOf<F> extends 'date'
      ? Period extends Granularity
        ? true
        : false
      : false;

/** For elements of `groupby`: the text itself if it is valid, otherwise the nearest valid ones. */
export type GroupIn<M extends ModelName, Text> =
  Text extends Groupable<M>
    ? Text
    : Text extends `${infer Path}:${infer Period}`
      ? [FieldAt<M, Path>] extends [never]
        ? Groupable<M>
        : IsBucket<FieldAt<M, Path>, Period> extends true
          ? Text
          : Groupable<M>
      : Text extends `${string}.${string}`
        ? [FieldAt<M, Text>] extends [never]
          ? PathIn<M, Text>
          : IsGroupable<FieldAt<M, Text>> extends true
            ? Text
            : Groupable<M>
        : Groupable<M>;

/** One entry of `fields`. Paths into other models are not checked. */
export type Measure<M extends ModelName> =
  | {
      readonly name: string;
      readonly field: Measurable<M, NumberKind | ExactKind>;
      readonly measure: 'sum' | 'avg' | 'ratio';
    }
  | {
      readonly name: string;
      readonly field: Measurable<M, NumberKind | ExactKind | DateKind | TextKind | 'selection'>;
      readonly measure: 'min' | 'max';
    }
  | { readonly name: string; readonly field: Sortable<M>; readonly measure: 'count' | 'count_distinct' };
type Measurable<M extends ModelName, Kind extends Field['type']> = Extract<Sortable<M>, NamesOfKind<M, Kind>>;

type GroupValue<M extends ModelName, Text> = Text extends `${string}:${string}`
  ? string | null
  : KindOf<FieldAt<M, Text>> extends RelationKind
    ? number | NullAt<M, Text>
    : ValueOf<FieldAt<M, Text>> | NullAt<M, Text>;
type NullAt<M extends ModelName, Text> = Text extends `${string}.${string}`
  ? null
  : FieldAt<M, Text> extends Field<Field['type'], unknown, infer Traits>
    ? 'nullable' extends Traits
      ? null
      : KindOf<FieldAt<M, Text>> extends 'many2many'
        ? null
        : never
    : never;
type NameOf<M extends ModelName, Text extends string> =
  KindOf<FieldAt<M, Text>> extends RelationKind ? `${Text}.display_name` : never;

type Measured<F, By> = By extends 'count' | 'count_distinct'
  ? number
  : By extends 'sum'
    ? ValueOf<F>
    : By extends 'avg'
      ? (KindOf<F> extends 'float' ? number : Decimal) | null
      : By extends 'ratio'
        ? Decimal | null
        : ValueOf<F> | null;

/** `Text` are the groups, `F` the measures. A related record is given by its id and its name. */
export type GroupRow<M extends ModelName, Text extends string, F> = {
  readonly [Group in Text]: GroupValue<M, Group>;
} & { readonly [Group in Text as NameOf<M, Group>]: string | null } & {
  readonly [One in F as One extends { readonly name: infer Name extends string } ? Name : never]: One extends {
    readonly field: infer Path;
    readonly measure: infer By;
  }
    ? Measured<FieldAt<M, Path>, By>
    : never;
} & { readonly __count: number; readonly __domain: Domain<M> };

/** The keys that rows can be sorted by. */
export type GroupKey<M extends ModelName, Text extends string, F> =
  | Text
  | (Text extends string ? NameOf<M, Text> : never)
  | (F extends { readonly name: infer Name extends string } ? Name : never)
  | '__count';
