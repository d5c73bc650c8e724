import { type ArchField, type DomainNode, fieldType } from '@kontor/protocol';
import { locale, t } from '../../i18n/messages.ts';
import { bareText } from '../plain.tsx';
import { choiceOf } from './operators.ts';
import { relationName } from './relation-names.ts';

type Condition = Extract<DomainNode, { kind: 'condition' }>;

/** What tokens such as `$uid` are called, if not as for the reader. */
type TokenWords = Readonly<Record<string, string>>;

/** A domain in words. Fields at the end of paths are named by their path. */
export function domainWords(node: DomainNode, fields: readonly ArchField[], tokens: TokenWords = {}): string {
  if (isOfIds(node)) return t('Selected records');
  switch (node.kind) {
    case 'all':
      return t('everything');
    case 'none':
      return t('nothing');
    case 'not':
      return t('not ({words})', { words: domainWords(node.node, fields, tokens) });
    case 'and':
      return listWords(node.nodes, { fields, tokens }, 'conjunction');
    case 'or':
      return listWords(node.nodes, { fields, tokens }, 'disjunction');
    default:
      return conditionWords(node, fields, tokens);
  }
}

/** Whether a condition lists record ids, which mean nothing to users: `in` a list, or in ranges. */
function isOfIds(node: DomainNode): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.every(isOfIds);
  return (
    node.kind === 'condition' && node.path.join() === 'id' && node.operator !== '!=' && typeof node.value !== 'string'
  );
}

function listWords(
  nodes: readonly DomainNode[],
  { fields, tokens }: { readonly fields: readonly ArchField[]; readonly tokens: TokenWords },
  type: 'conjunction' | 'disjunction',
): string {
  const words = nodes.map((node) => {
    const text = domainWords(node, fields, tokens);
    return node.kind === 'and' || node.kind === 'or' ? `(${text})` : text;
  });
  return new Intl.ListFormat(locale(), { type }).format(words);
}

function conditionWords(
  { path, operator, value }: Condition,
  fields: readonly ArchField[],
  tokens: TokenWords,
): string {
  const name = path.join('.');
  const field = fields.find((each) => each.name === name);
  const label = field?.label ?? path.join(' › ');
  const type = field?.type ?? 'char';
  const choice = choiceOf(type, operator, value);
  const isPlain = operator === '=' || operator === 'in' || operator === 'child_of';
  if (choice?.hasValue === false) return `${label} ${t(choice.words)}`;
  const words = valueWords(value, field, tokens);
  if (isPlain && !fieldType(type).isBoolean) return t('{label}: {value}', { label, value: words });
  return `${label} ${t(choice?.words ?? operator)} ${words}`;
}

function valueWords(value: unknown, field: ArchField | undefined, tokens: TokenWords): string {
  if (Array.isArray(value)) return value.map((one) => valueWords(one, field, tokens)).join(', ');
  if (value === null || value === undefined) return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'string' && Object.hasOwn(tokens, value)) return tokens[value] as string;
  if (value === '$uid') return t('me');
  if (value === '$today') return t('today');
  if (field?.relation && typeof value === 'number') return relationName(field.relation, value);
  if (field?.selection) return field.selection.find(([key]) => key === value)?.[1] ?? String(value);
  return bareText(field, value);
}
