import type { Domain } from '@kontor/protocol';
import type { Decimal } from '../decimal.ts';
import type { DefaultContext, FieldSpec } from '../fields/spec.ts';
import type { X2manyCommand } from '../records/records.ts';

/** What may be given where a decimal is meant: exact, or a number of up to 15 digits, or digits as text. */
export type DecimalInput = Decimal | number | string;

type Shared =
  | 'label'
  | 'help'
  | 'required'
  | 'readonly'
  | 'unique'
  | 'index'
  | 'groups'
  | 'secret'
  | 'tracking'
  | 'copy';
type Derived = 'computed' | 'stored' | 'editable' | 'related';

/** What every field takes; `Source` is a default that the kernel works out, such as `today`. */
export interface SharedOptions<Value, Source = never> extends Pick<FieldSpec, Shared | Derived> {
  readonly default?: Value | Source | ((context: DefaultContext) => Value | null);
}

type Bounds = Pick<FieldSpec, 'min' | 'max'>;

export interface CharOptions
  extends SharedOptions<string, { readonly source: 'sequence'; readonly code: string }>,
    Pick<FieldSpec, 'size'> {}
export interface NumberOptions extends SharedOptions<number>, Bounds {}
export interface DecimalOptions extends SharedOptions<DecimalInput>, Bounds, Pick<FieldSpec, 'precision'> {}
export interface MonetaryOptions extends DecimalOptions, Pick<FieldSpec, 'currency'> {}
export interface DateOptions extends SharedOptions<string, { readonly source: 'today' }> {}
export interface DatetimeOptions extends SharedOptions<string, { readonly source: 'now' }> {}
export interface Many2oneOptions
  extends SharedOptions<number, { readonly source: 'user' | 'company' }>,
    Pick<FieldSpec, 'ondelete' | 'checkCompany'> {
  readonly domain?: Domain;
}
export interface One2manyOptions extends SharedOptions<readonly X2manyCommand[]>, Pick<FieldSpec, 'domain'> {}
/** `inverse` names the many2many on the other side, which then shares the table. */
export interface Many2manyOptions
  extends SharedOptions<readonly X2manyCommand[]>,
    Pick<FieldSpec, 'domain' | 'through' | 'inverse' | 'checkCompany'> {}
export interface ReferenceOptions<Name extends string> extends SharedOptions<string> {
  /** Models it may point at; any when absent. */
  readonly models?: readonly Name[];
}

export interface NoSuchOption<Known> {
  readonly 'no such option; known are': Known;
}
/** Inferred options are not checked for names that do not exist, so this does it. */
export type Checked<Options, Known> = Options & {
  readonly [Name in Exclude<keyof Options, keyof Known>]: NoSuchOption<keyof Known>;
};

/**
 * A value may be null unless the field is required. A computed one is taken to have a value; `required: false` says that
 * its compute may give null.
 */
export type Given<Value, Options> = Options extends { readonly required: true }
  ? Value
  : Options extends { readonly required: false }
    ? Value | null
    : Options extends { readonly computed: true }
      ? Value
      : Value | null;
