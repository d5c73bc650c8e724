/** As written by a caller: conditions and prefix operators in one flat array. */
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

/** As parsed. Immutable; an empty domain is the node `all`. */
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

/** What server code accepts: as written, or already parsed. */
export type AnyDomain = Domain | DomainNode;

export const maxDomainDepth = 64;

export type ConditionNode = Extract<DomainNode, { kind: 'condition' }>;

/** The same tree with every condition replaced; unchanged parts are shared. */
export function mapConditions(node: DomainNode, change: (condition: ConditionNode) => DomainNode): DomainNode {
  switch (node.kind) {
    case 'condition':
      return change(node);
    case 'not': {
      const inner = mapConditions(node.node, change);
      return inner === node.node ? node : { kind: 'not', node: inner };
    }
    case 'and':
    case 'or': {
      const nodes = node.nodes.map((one) => mapConditions(one, change));
      return nodes.every((one, index) => one === node.nodes[index]) ? node : { kind: node.kind, nodes };
    }
    default:
      return node;
  }
}

export function conditionsIn(node: DomainNode): readonly ConditionNode[] {
  switch (node.kind) {
    case 'condition':
      return [node];
    case 'not':
      return conditionsIn(node.node);
    case 'and':
    case 'or':
      return node.nodes.flatMap(conditionsIn);
    default:
      return [];
  }
}

const all: DomainNode = Object.freeze({ kind: 'all' });
const none: DomainNode = Object.freeze({ kind: 'none' });

/** One condition, on a path with dots. */
export function condition(path: string, operator: DomainOperator, value: unknown): DomainNode {
  return { kind: 'condition', path: path.split('.'), operator, value };
}

/** A domain that matches if all of the given ones do. */
export function conjoin(...nodes: readonly DomainNode[]): DomainNode {
  return combine('and', nodes, all, none);
}

/** A domain that matches if at least one of the given ones does; without any, it matches nothing. */
export function disjoin(...nodes: readonly DomainNode[]): DomainNode {
  return combine('or', nodes, none, all);
}

/** A domain that matches if the given one does not. */
export function negate(node: DomainNode): DomainNode {
  if (node.kind === 'all') return none;
  if (node.kind === 'none') return all;
  return node.kind === 'not' ? node.node : { kind: 'not', node };
}

function combine(
  kind: 'and' | 'or',
  nodes: readonly DomainNode[],
  neutral: DomainNode,
  deciding: DomainNode,
): DomainNode {
  const flat: DomainNode[] = [];
  for (const node of nodes) {
    if (node.kind === deciding.kind) return deciding;
    if (node.kind === kind) flat.push(...node.nodes);
    else if (node.kind !== neutral.kind) flat.push(node);
  }
  if (flat.length === 0) return neutral;
  return flat.length === 1 ? (flat[0] as DomainNode) : { kind, nodes: flat };
}
