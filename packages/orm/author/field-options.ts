import type { DefaultContext, FieldSpec } from '../fields/spec.ts';

type Plain =
  | 'label'
  | 'help'
  | 'synonyms'
  | 'readonly'
  | 'unique'
  | 'index'
  | 'groups'
  | 'meantFor'
  | 'secret'
  | 'tracking'
  | 'unlocked'
  | 'copy'
  | 'personal'
  | 'live'
  | 'was'
  | 'formula'
  | 'names';

/**
 * The options of every field. Only those that become traits are inferred, not the whole object: so the compiler checks the
 * names of options and suggests the nearest one.
 */
export interface Options<R, C, S, E, L, F, D, Value> extends Pick<FieldSpec, Plain> {
  readonly required?: R;
  /** Calculated by the model's `computes`. */
  readonly computed?: C;
  /** For computed and related fields: stored in a column. Other fields always are. */
  readonly stored?: S;
  /** Computed, but users may override the value. */
  readonly editable?: E;
  /** A dotted path through many2ones whose value this field shows. */
  readonly related?: L;
  /**
   * A path through many2ones to the initial value, such as `partner_id.phone`. Users may override it. If the path leads
   * to no value, the field keeps its value.
   */
  readonly from?: F;
  /** Like `from`, but if the path leads to no value, the field is emptied. */
  readonly follows?: F;
  readonly default?: D | ComputedDefault<Value>;
}

/** A default that is computed when a record is created. */
type ComputedDefault<Value> = (context: DefaultContext) => Value | null;
/** `Source` is a default that the kernel computes. */
export type DefaultOf<Value, Source = never> = Value | Source | CompanyValue | ComputedDefault<Value>;
type CompanyValue = { readonly source: 'company-value'; readonly field: string };

/** Defaults that the kernel computes, by kind of field. */
export type SequenceSource<On = string> = { readonly source: 'sequence'; readonly code: string; readonly on?: On };
export type TodaySource = { readonly source: 'today' };
export type NowSource = { readonly source: 'now' };
export type RecordSource<Relation> = Relation extends 'core.user'
  ? { readonly source: 'user' }
  : Relation extends 'core.company'
    ? { readonly source: 'company' }
    : never;

/** The traits that options become; `never` for an option that is not given. */
export type Traits<R, C, S, E, L, F, D> =
  | Nullability<R, C, E | Sourced<F>>
  | TraitIf<C | Sourced<F>, 'computed'>
  | TraitIf<S | Sourced<F>, 'stored'>
  | TraitIf<E | Sourced<F>, 'editable'>
  | (F extends string ? `from ${F}` : never)
  | (L extends string ? `related ${L}` | 'computed' : never)
  | ([D] extends [never] ? never : 'default')
  | (D extends { readonly source: 'company-value'; readonly field: infer Name extends string }
      ? `company ${Name}`
      : never);
/** A field with an initial value from elsewhere is computed, stored and editable. */
type Sourced<F> = F extends string ? true : never;
type TraitIf<Flag, Trait> = Flag extends true ? Trait : never;
/**
 * A value may be null unless the field is required. A computed field has a value unless it declares `required: false`.
 * Users may empty an editable compute.
 */
type Nullability<R, C, E> = [R] extends [never]
  ? [TraitIf<E, 1>] extends [never]
    ? [TraitIf<C, 1>] extends [never]
      ? 'nullable'
      : never
    : 'nullable'
  : R extends true
    ? 'required'
    : 'nullable';
