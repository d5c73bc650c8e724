import type { Decimal } from '../decimal.ts';
import type {
  CharOptions,
  Checked,
  DateOptions,
  DatetimeOptions,
  DecimalOptions,
  Given,
  Many2manyOptions,
  Many2oneOptions,
  MonetaryOptions,
  NumberOptions,
  One2manyOptions,
  ReferenceOptions,
  SharedOptions,
} from './field-options.ts';
import type { Many, One, TypedField } from './typed-field.ts';

type Builder<Value, Known> = <const Options extends Known = Known>(
  options?: Checked<Options, Known>,
) => TypedField<Given<Value, Options>>;

/** One builder per field type; `Name` bounds the models that a relation may name. */
export interface FieldBuilders<Name extends string> {
  /** A short text. */
  readonly char: Builder<string, CharOptions>;
  /** A long text. */
  readonly text: Builder<string, SharedOptions<string>>;
  /** Rich text, sanitised when it is written. */
  readonly html: Builder<string, SharedOptions<string>>;
  readonly integer: Builder<number, NumberOptions>;
  /** A binary floating point number, for measurements. */
  readonly float: Builder<number, NumberOptions>;
  /** An exact number. */
  readonly decimal: Builder<Decimal, DecimalOptions>;
  /** An amount of money; `currency` names the field that holds its currency. */
  readonly monetary: Builder<Decimal, MonetaryOptions>;
  /** Never null: nothing counts as false. */
  boolean(options?: SharedOptions<boolean>): TypedField<boolean>;
  /** `YYYY-MM-DD`. */
  readonly date: Builder<string, DateOptions>;
  /** ISO 8601 in UTC. */
  readonly datetime: Builder<string, DatetimeOptions>;
  /** Base64. */
  readonly binary: Builder<string, SharedOptions<string>>;
  /** Base64 of a PNG, JPEG, GIF or WebP picture. */
  readonly image: Builder<string, SharedOptions<string>>;
  /** Any JSON value. */
  json(options?: SharedOptions<unknown>): TypedField<unknown>;
  /** One of the declared values: `{ draft: 'Quotation', sale: 'Order' }`. */
  selection<
    const Values extends Readonly<Record<string, string>>,
    const Options extends SharedOptions<keyof Values & string> = SharedOptions<keyof Values & string>,
  >(
    selection: Values,
    options?: Checked<Options, SharedOptions<string>>,
  ): TypedField<Given<keyof Values & string, Options>>;
  /** One record of another model. */
  many2one<Relation extends Name, const Options extends Many2oneOptions = Many2oneOptions>(
    relation: Relation,
    options?: Checked<Options, Many2oneOptions>,
  ): TypedField<Given<One<Relation>, Options>>;
  /** The records whose many2one `inverse` points here. */
  one2many<Relation extends Name>(
    relation: Relation,
    inverse: string,
    options?: One2manyOptions,
  ): TypedField<Many<Relation>>;
  many2many<Relation extends Name>(relation: Relation, options?: Many2manyOptions): TypedField<Many<Relation>>;
  /** A record of one of several models, `sale.order,7`. */
  readonly reference: Builder<string, ReferenceOptions<Name>>;
}
