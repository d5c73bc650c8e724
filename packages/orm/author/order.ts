import type { KindOf, ManyKind, OpaqueKind, TraitsOf } from './field.ts';
import type { ModelName } from './models.ts';
import type { FieldNamed, Names, NamesOfKind, Target } from './path.ts';

/** Fields that the database can sort and group by. */
export type Sortable<M extends ModelName> = {
  [Name in Names<M>]: IsSortable<FieldNamed<M, Name>> extends true ? Name : never;
}[Names<M>];
export type IsSortable<F> =
  KindOf<F> extends ManyKind | OpaqueKind
    ? false
    : 'computed' extends TraitsOf<F>
      ? 'stored' extends TraitsOf<F>
        ? true
        : false
      : true;

type Trim<Text extends string> = Text extends ` ${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest} `
    ? Trim<Rest>
    : Text;
type Spaces<Text extends string> = Text extends ` ${infer Rest}` ? ` ${Spaces<Rest>}` : '';

/** A path through many2ones to a sortable field; otherwise the nearest ones. */
type SortPath<M extends ModelName, Path extends string> =
  Path extends Sortable<M>
    ? Path
    : Path extends `${infer First}.${infer Rest}`
      ? First extends NamesOfKind<M, 'many2one'>
        ? `${First}.${SortPath<Target<M, First>, Rest>}`
        : `${NamesOfKind<M, 'many2one'>}.${Rest}`
      : Sortable<M>;
type SortTerm<M extends ModelName, Text extends string> = Text extends `-${infer Path}`
  ? `-${SortPath<M, Path>}`
  : SortPath<M, Text>;
type OrderIn<M extends ModelName, Text extends string> = Text extends `${infer First},${infer Rest}`
  ? Trim<First> extends SortTerm<M, Trim<First>>
    ? `${First},${Spaces<Rest>}${OrderIn<M, Trim<Rest>>}`
    : `${SortTerm<M, Trim<First>>},${Rest}`
  : SortTerm<M, Text>;

/** An order such as `'-date_order, id'`: itself if its names exist, otherwise the nearest ones. */
export type CheckedOrder<M extends ModelName, Text> = Text extends string
  ? string extends Text
    ? Sortable<M> | `-${Sortable<M>}`
    : Text extends OrderIn<M, Text>
      ? Text
      : OrderIn<M, Text>
  : Sortable<M> | `-${Sortable<M>}`;

/** An order by keys that are all known, such as those of a row of groups. */
export type OrderBy<Known extends string, Text> = Text extends `${infer First},${infer Rest}`
  ? `${KeyTerm<Known, First>},${OrderBy<Known, Rest>}`
  : Text extends string
    ? KeyTerm<Known, Text>
    : Known;
type KeyTerm<Known extends string, Text extends string> =
  Trim<Text> extends Known | `-${Known}` ? Text : Known | `-${Known}`;
