import { type ArchField, type DomainNode, fieldType } from '@kontor/protocol';
import { locale, t } from '../../i18n/messages.ts';
import { bareText } from '../plain.tsx';
import { choiceOf } from './operators.ts';
import { relationName } from './relation-names.ts';

type Condition = Extract<DomainNode, { kind: 'condition' }>;

/** A domain in words. */
export function domainWords(node: DomainNode, fields: readonly ArchField[]): string {
  if (isOfIds(node)) return t('Selected records');
  switch (node.kind) {
    case 'all':
      return t('everything');
    case 'none':
      return t('nothing');
    case 'not':
      return t('not ({words})', { words: domainWords(node.node, fields) });
    case 'and':
      return listWords(node.nodes, fields, 'conjunction');
    case 'or':
      return listWords(node.nodes, fields, 'disjunction');
    default:
      return conditionWords(node, fields);
  }
}

/** Whether a condition lists record ids, which mean nothing to users: `in` a list, or in ranges. */
function isOfIds(node: DomainNode): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.every(isOfIds);
  return node.kind === 'condition' && node.path.join() === 'id' && node.operator !== '!=';
}

function listWords(
  nodes: readonly DomainNode[],
  fields: readonly ArchField[],
  type: 'conjunction' | 'disjunction',
): string {
  const words = nodes.map((node) => {
    const text = domainWords(node, fields);
    return node.kind === 'and' || node.kind === 'or' ? `(${text})` : text;
  });
  return new Intl.ListFormat(locale(), { type }).format(words);
}

function conditionWords({ path, operator, value }: Condition, fields: readonly ArchField[]): string {
  const field = path.length === 1 ? fields.find(({ name }) => name === path[0]) : undefined;
  const label = field?.label ?? path.join(' › ');
  const type = field?.type ?? 'char';
  const choice = choiceOf(type, operator, value);
  const isPlain = operator === '=' || operator === 'in' || operator === 'child_of';
  if (choice?.hasValue === false) return `${label} ${t(choice.words)}`;
  const words = valueWords(value, field);
  if (isPlain && !fieldType(type).isBoolean) return t('{label}: {value}', { label, value: words });
  return `${label} ${t(choice?.words ?? operator)} ${words}`;
}

function valueWords(value: unknown, field: ArchField | undefined): string {
  if (Array.isArray(value)) return value.map((one) => valueWords(one, field)).join(', ');
  if (value === null || value === undefined) return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (value === '$uid') return t('me');
  if (value === '$today') return t('today');
  if (field?.relation && typeof value === 'number') return relationName(field.relation, value);
  if (field?.selection) return field.selection.find(([key]) => key === value)?.[1] ?? String(value);
  return bareText(field, value);
}
