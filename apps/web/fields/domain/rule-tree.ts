import {
  type ArchField,
  conjoin,
  type Domain,
  type DomainNode,
  disjoin,
  parseDomain,
  serializeDomain,
} from '@kontor/protocol';
import { typedText } from '../../data/form/invalid-values.ts';
import { choiceOf, type OperatorChoice, operatorChoices } from './operators.ts';

/** A domain as the editor shows it. */
export type RuleItem = Rule | RuleGroup | OtherRule;

export interface Rule {
  readonly kind: 'rule';
  readonly key: number;
  readonly field: string;
  readonly choice: OperatorChoice;
  /** A list if the operator takes several values. */
  readonly value: unknown;
}
export interface RuleGroup {
  readonly kind: 'group';
  readonly key: number;
  /** `and`: all must hold, `or`: one is enough. */
  readonly mode: 'and' | 'or';
  readonly items: readonly RuleItem[];
}
/** A condition that the editor cannot split; it is kept unchanged. */
interface OtherRule {
  readonly kind: 'other';
  readonly key: number;
  readonly node: DomainNode;
}

let lastKey = 0;
const nextKey = () => ++lastKey;

export function toRules(domain: Domain, fields: readonly ArchField[]): RuleGroup {
  const item = toItem(parseDomain(domain), fields);
  return item.kind === 'group' ? item : { kind: 'group', key: nextKey(), mode: 'and', items: [item] };
}

function toItem(node: DomainNode, fields: readonly ArchField[]): RuleItem {
  if (node.kind === 'all') return emptyGroup('and');
  if (node.kind === 'and' || node.kind === 'or') {
    return { kind: 'group', key: nextKey(), mode: node.kind, items: node.nodes.map((one) => toItem(one, fields)) };
  }
  const [name, ...rest] = node.kind === 'condition' ? node.path : [];
  const field = rest.length === 0 ? fields.find((one) => one.name === name) : undefined;
  if (node.kind !== 'condition' || !field) return { kind: 'other', key: nextKey(), node };
  const choice = choiceOf(field.type, node.operator, node.value);
  if (!choice) return { kind: 'other', key: nextKey(), node };
  const value = choice.isMany && !Array.isArray(node.value) ? [node.value] : node.value;
  return { kind: 'rule', key: nextKey(), field: field.name, choice, value };
}

/** Tries again to split conditions on fields that were not loaded before. */
export function reparseRules(group: RuleGroup, fields: readonly ArchField[]): RuleGroup {
  const items = group.items.map((item): RuleItem => {
    if (item.kind === 'group') return reparseRules(item, fields);
    return item.kind === 'other' ? { ...toItem(item.node, fields), key: item.key } : item;
  });
  return items.every((item, at) => item.kind === group.items[at]?.kind && item.kind !== 'group')
    ? group
    : { ...group, items };
}

/** The default field of a new condition. */
export function firstField(fields: readonly ArchField[]): ArchField | undefined {
  return fields.find(({ name }) => name === 'name') ?? fields[0];
}

export function emptyGroup(mode: 'and' | 'or'): RuleGroup {
  return { kind: 'group', key: nextKey(), mode, items: [] };
}

export function newRule(field: ArchField): Rule {
  const choice = operatorChoices(field.type)[0] as OperatorChoice;
  return { kind: 'rule', key: nextKey(), field: field.name, choice, value: choice.isMany ? [] : null };
}

/** Whether the rule has a value. */
function isComplete({ choice, value }: Rule): boolean {
  if (!choice.hasValue) return true;
  if (typedText(value) !== null) return false;
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== '';
}

export function incompleteRules(item: RuleItem): readonly Rule[] {
  if (item.kind === 'group') return item.items.flatMap(incompleteRules);
  return item.kind === 'rule' && !isComplete(item) ? [item] : [];
}

export function toDomain(group: RuleGroup): Domain {
  return serializeDomain(toNode(group));
}

function toNode(item: RuleItem): DomainNode {
  if (item.kind === 'other') return item.node;
  if (item.kind === 'group') {
    const nodes = item.items.filter((one) => one.kind !== 'group' || one.items.length > 0).map(toNode);
    if (nodes.length === 0) return { kind: 'all' };
    return item.mode === 'and' ? conjoin(...nodes) : disjoin(...nodes);
  }
  const { choice, field, value } = item;
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  const isSingle = only !== undefined && choice.isMany && choice.operator === 'in';
  return {
    kind: 'condition',
    path: [field],
    operator: isSingle ? '=' : choice.operator,
    value: choice.hasValue ? (isSingle ? only : value) : choice.value,
  };
}

/** The tree with one item changed, or removed if `change` returns null. */
export function editItem(group: RuleGroup, key: number, change: (item: RuleItem) => RuleItem | null): RuleGroup {
  if (group.key === key) return (change(group) as RuleGroup | null) ?? emptyGroup(group.mode);
  const items = group.items.flatMap((item): readonly RuleItem[] => {
    if (item.key === key) {
      const next = change(item);
      return next ? [next] : [];
    }
    return [item.kind === 'group' ? editItem(item, key, change) : item];
  });
  return { ...group, items };
}
