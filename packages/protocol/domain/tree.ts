/** What a caller writes: conditions and prefix operators in one flat array. */
export type DomainOperator =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | 'like'
  | 'ilike'
  | 'not like'
  | 'not ilike'
  | '=like'
  | '=ilike'
  | 'child_of'
  | 'parent_of';
export type DomainCondition = readonly [path: string, operator: DomainOperator, value: unknown];
export type Domain = readonly (DomainCondition | '&' | '|' | '!')[];

/** What the parser makes of it. Immutable; an empty domain is the node `all`. */
export type DomainNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly nodes: readonly DomainNode[] }
  | { readonly kind: 'or'; readonly nodes: readonly DomainNode[] }
  | { readonly kind: 'not'; readonly node: DomainNode }
  | {
      readonly kind: 'condition';
      readonly path: readonly string[];
      readonly operator: DomainOperator;
      readonly value: unknown;
    };

/** What server code takes: as written, or parsed already. */
export type AnyDomain = Domain | DomainNode;

export const maxDomainDepth = 64;
