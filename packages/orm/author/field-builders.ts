import type { Domain } from '@kontor/protocol';
import type { Decimal } from '../fields/decimal.ts';
import type { FieldSpec, FieldType } from '../fields/spec.ts';
import type { Field } from './field.ts';
import type {
  DefaultOf,
  NowSource,
  Options,
  RecordSource,
  SequenceSource,
  TodaySource,
  Traits,
} from './field-options.ts';
import type { DecimalInput } from './values.ts';

type Builder<Kind extends FieldType, Value, Given, More = unknown, Source = never, Without = never> = <
  const R extends boolean = never,
  const C extends boolean = never,
  const S extends boolean = never,
  const E extends boolean = never,
  const L extends string = never,
  const F extends string = never,
  const D extends DefaultOf<Given, Source> = never,
>(
  options?: Options<R, C, S, E, L, F, D, Given> & More,
) => Field<Kind, Value, Exclude<Traits<R, C, S, E, L, F, D>, Without>>;

type Clean = Pick<FieldSpec, 'clean' | 'translated'>;
type Size = Clean & Pick<FieldSpec, 'size' | 'format' | 'isoCode' | 'likelyUnique'>;
type Bounds = Pick<FieldSpec, 'min' | 'max' | 'aggregate'>;
type Unit = Pick<FieldSpec, 'unit'>;
type Digits = Bounds & Pick<FieldSpec, 'precision'>;
type RelationDomain = { readonly domain?: Domain };
type Deletion = NonNullable<FieldSpec['ondelete']>;
type RelatedOptions = Pick<FieldSpec, 'label' | 'help' | 'index' | 'groups' | 'tracking' | 'personal' | 'synonyms'>;
type Cascade<O> = O extends 'cascade' ? O : never;

/** One builder per field type; `Name` limits the models that a relation may name. */
export interface FieldBuilders<Name extends string> {
  /** A short text. */
  readonly char: Builder<'char', string, string, Size, SequenceSource>;
  /** A long text. */
  readonly text: Builder<'text', string, string, Clean>;
  /** Rich text, sanitised when it is written. */
  readonly html: Builder<'html', string, string>;
  /** A whole number. */
  readonly integer: Builder<'integer', number, number, Bounds>;
  /** A binary floating point number, for measurements. */
  readonly float: Builder<'float', number, number, Bounds & Unit>;
  /** An exact number. */
  readonly decimal: Builder<'decimal', Decimal, DecimalInput, Digits & Unit>;
  /** An amount of money; `currency` names the field with its currency. */
  readonly monetary: Builder<'monetary', Decimal, DecimalInput, Digits & Pick<FieldSpec, 'currency'>>;
  /** Yes or no. Never null: an empty value is false. */
  readonly boolean: Builder<'boolean', boolean, boolean, Pick<FieldSpec, 'flag'>, never, 'nullable' | 'required'>;
  /** A day without a time, `YYYY-MM-DD`. */
  readonly date: Builder<'date', string, string, unknown, TodaySource>;
  /** A moment, as ISO 8601 in UTC. */
  readonly datetime: Builder<'datetime', string, string, Pick<FieldSpec, 'ends'>, NowSource>;
  /** A file, as base64. */
  readonly binary: Builder<'binary', string, string>;
  /** A picture: base64 of a PNG, JPEG, GIF or WebP. */
  readonly image: Builder<'image', string, string>;
  /** Any JSON value. */
  readonly json: Builder<'json', unknown, unknown>;
  /** A record of one of several models, `sale.order,7`; without `models` of any model. */
  readonly reference: Builder<'reference', string, string, { readonly models?: readonly Name[] }>;
  /** One of the declared values: `{ draft: 'Quotation', sale: 'Order' }`. */
  selection<
    const Labels extends Readonly<Record<string, string>>,
    const R extends boolean = never,
    const C extends boolean = never,
    const S extends boolean = never,
    const E extends boolean = never,
    const L extends string = never,
    const F extends string = never,
    const D extends DefaultOf<NoInfer<keyof Labels & string>> = never,
    const Set extends string = never,
  >(
    selection: Labels,
    options?: Options<R, C, S, E, L, F, D, NoInfer<keyof Labels & string>> & {
      /** Named sets of the choices: `{ open: ['draft', 'sent'] }`. */
      readonly sets?: { readonly [Name in Set]: readonly NoInfer<keyof Labels & string>[] };
    },
  ): Field<'selection', keyof Labels & string, Traits<R, C, S, E, L, F, D> | `set ${Set}`>;
  /** One record of another model. */
  many2one<
    const M extends Name,
    const R extends boolean = never,
    const C extends boolean = never,
    const S extends boolean = never,
    const E extends boolean = never,
    const L extends string = never,
    const F extends string = never,
    const D extends DefaultOf<number, RecordSource<NoInfer<M>>> = never,
    const O extends Deletion = never,
  >(
    relation: M,
    options?: Options<R, C, S, E, L, F, D, number> &
      RelationDomain &
      Pick<FieldSpec, 'checkCompany' | 'key' | 'ratesOn'> & { readonly ondelete?: O },
  ): Field<'many2one', M, Traits<R, C, S, E, L, F, D> | Cascade<O>>;
  /**
   * The records whose many2one `inverse` refers to this record, such as the lines of an order. `defineModel` checks the name:
   * checked here, the types of two models that refer to each other would be circular.
   */
  one2many<const M extends Name, const Inverse extends string, const C extends boolean = never>(
    relation: M,
    inverse: Inverse,
    options?: Options<boolean, C, boolean, never, never, never, readonly unknown[], never> & RelationDomain,
  ): Field<'one2many', M, `inverse ${Inverse}` | (C extends true ? 'computed' : never)>;
  /**
   * The value at the end of a path through many2ones, such as `order_id.state`: type, choices, relation and label are those of
   * that field. `defineModel` checks the path.
   */
  related<const Path extends string, const S extends boolean = never>(
    path: Path,
    options?: RelatedOptions & Pick<FieldSpec, 'ratesOn'> & { readonly stored?: S },
  ): Field<FieldType, unknown, `inferred ${Path}` | 'nullable' | 'computed' | (S extends true ? 'stored' : never)>;
  /** Several records of another model. `inverse` names the many2many on the other side, which then shares the table. */
  many2many<
    const M extends Name,
    const R extends boolean = never,
    const C extends boolean = never,
    const S extends boolean = never,
    const E extends boolean = never,
    const L extends string = never,
    const F extends string = never,
    const D extends readonly unknown[] = never,
  >(
    relation: M,
    options?: Options<R, C, S, E, L, F, D, readonly unknown[]> &
      RelationDomain &
      Pick<FieldSpec, 'through' | 'inverse' | 'checkCompany'>,
  ): Field<'many2many', M, Exclude<Traits<R, C, S, E, L, F, D>, 'nullable'>>;
}
