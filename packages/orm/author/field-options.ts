import type { DefaultContext, FieldSpec } from '../fields/spec.ts';

type Plain = 'label' | 'help' | 'readonly' | 'unique' | 'index' | 'groups' | 'secret' | 'tracking' | 'copy';

/**
 * What every field takes. Only what becomes a trait is inferred, never the options as a whole: so the compiler itself checks
 * their names and tells the nearest one.
 */
export interface Options<R, C, S, E, L, D, Value> extends Pick<FieldSpec, Plain> {
  readonly required?: R;
  /** Given by the model's `computes`. */
  readonly computed?: C;
  /** For computed and related fields: kept in a column. Others always are. */
  readonly stored?: S;
  /** Computed, and yet people may overrule it. */
  readonly editable?: E;
  /** A dotted path through many2ones whose value this field shows. */
  readonly related?: L;
  readonly default?: D | Worked<Value>;
}

/** A default that is worked out when a record is made. */
type Worked<Value> = (context: DefaultContext) => Value | null;
/** `Source` is one that the kernel works out. */
export type DefaultOf<Value, Source = never> = Value | Source | CompanyValue | Worked<Value>;
type CompanyValue = { readonly source: 'company-value'; readonly field: string };

/** Defaults that the kernel works out, by kind of field. */
export type SequenceSource = { readonly source: 'sequence'; readonly code: string };
export type TodaySource = { readonly source: 'today' };
export type NowSource = { readonly source: 'now' };
export type RecordSource<Relation> = Relation extends 'core.user'
  ? { readonly source: 'user' }
  : Relation extends 'core.company'
    ? { readonly source: 'company' }
    : never;

/** The words that options become. What is not said is `never`. */
export type Traits<R, C, S, E, L, D> =
  | Need<R, C, E>
  | On<C, 'computed'>
  | On<S, 'stored'>
  | On<E, 'editable'>
  | (L extends string ? `related ${L}` | 'computed' : never)
  | ([D] extends [never] ? never : 'default')
  | (D extends { readonly source: 'company-value'; readonly field: infer Name extends string }
      ? `company ${Name}`
      : never);
type On<Flag, Trait> = Flag extends true ? Trait : never;
/**
 * A value may be null unless the field is required. A computed one is taken to have a value; `required: false` says that
 * its compute may give null. What people may overrule may be emptied.
 */
type Need<R, C, E> = [R] extends [never]
  ? [On<E, 1>] extends [never]
    ? [On<C, 1>] extends [never]
      ? 'nullable'
      : never
    : 'nullable'
  : R extends true
    ? 'required'
    : 'nullable';
