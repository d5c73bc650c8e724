import type { DomainCondition, Domain as LooseDomain } from '@kontor/protocol';
import type { FieldType } from '../fields/spec.ts';
import type {
  DateKind,
  ExactKind,
  KindOf,
  NumberKind,
  OpaqueKind,
  RelationKind,
  SetNames,
  TextKind,
  ValueOf,
} from './field.ts';
import type { ModelName } from './models.ts';
import type { FieldAt, PathIn } from './path.ts';
import type { DecimalInput } from './values.ts';

type Equality = '=' | '!=';
type Membership = 'in' | 'not in';
type Comparison = '<' | '<=' | '>' | '>=';
type PatternOperator = 'like' | 'ilike' | 'not like' | 'not ilike' | '=like' | '=ilike';
type HierarchyOperator = 'child_of' | 'parent_of';
type Token = '$uid' | '$company_id' | '$company_ids';
type Junction = '&' | '|' | '!';

type Operator<Kind extends FieldType, Path> =
  | Equality
  | (Kind extends 'boolean' | OpaqueKind ? never : Membership)
  | (Kind extends NumberKind | ExactKind | DateKind | TextKind ? Comparison : never)
  | (Kind extends TextKind | RelationKind | 'reference' ? PatternOperator : never)
  | (Kind extends RelationKind ? HierarchyOperator : never)
  | (Path extends 'id' | `${string}.id` ? HierarchyOperator : never);

type Scalar<F, Path> =
  KindOf<F> extends RelationKind
    ? number | Token
    : KindOf<F> extends ExactKind
      ? DecimalInput
      : KindOf<F> extends OpaqueKind
        ? null
        : Path extends 'id' | `${string}.id`
          ? number | Token
          : ValueOf<F>;
/** Null is a valid operand, except for booleans: there, null counts as false. */
type NullUnlessBoolean<F> = KindOf<F> extends 'boolean' ? never : null;
type Operand<F, Path, Op> = Op extends Membership
  ?
      | readonly (Scalar<F, Path> | NullUnlessBoolean<F>)[]
      | (KindOf<F> extends RelationKind ? '$company_ids' : never)
      | SetNames<F>
  : Op extends PatternOperator
    ? string
    : Op extends HierarchyOperator
      ? number | Token | readonly number[]
      : Op extends Comparison
        ? Scalar<F, Path>
        : Scalar<F, Path> | NullUnlessBoolean<F>;

declare const checked: unique symbol;
/** A condition that was checked where it was written. */
type CheckedCondition<M extends ModelName> = DomainCondition & { readonly [checked]: M };

type Term<M extends ModelName, T> = T extends Junction | CheckedCondition<M>
  ? T
  : T extends readonly [infer Path, infer Op, unknown]
    ? [FieldAt<M, Path>] extends [never]
      ? readonly [PathIn<M, Path>, Op, unknown]
      : readonly [Path, Operator<KindOf<FieldAt<M, Path>>, Path>, Operand<FieldAt<M, Path>, Path, Op>]
    :
        | readonly [
            PathIn<M, string>,
            Equality | Membership | Comparison | PatternOperator | HierarchyOperator,
            unknown,
          ]
        | Junction;
type Terms<M extends ModelName, D> = { readonly [Index in keyof D]: Term<M, D[Index]> };

/** A domain on that model: existing paths, operators of their fields, values of their types. */
export type DomainIn<M extends ModelName, D> = D extends Terms<M, D> ? D : Terms<M, D>;

/**
 * A domain that was created and checked by `domain`.
 * ```ts
 * export const germans: Domain<'core.partner'> = domain('core.partner', [['country_id.code', '=', 'DE']]);
 * ```
 */
export type Domain<M extends ModelName> = readonly (CheckedCondition<M> | Junction)[];

/**
 * Creates a domain for use elsewhere.
 * ```ts
 * const people = domain('core.partner', [['is_company', '=', false]]);
 * export const countPeople = (env: Env) => env.model('core.partner').count([...people, ['active', '=', true]]);
 * ```
 */
export function domain<const M extends ModelName, const D extends readonly unknown[]>(
  model: M,
  terms: DomainIn<M, D>,
): Domain<M>;
export function domain(_model: string, terms: LooseDomain): LooseDomain {
  return terms;
}
