import type { ArchField, DomainCondition, WorkspacePayload } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';

export interface Suggestion {
  readonly key: string;
  readonly label: string;
  /** What is matched, shown bold. */
  readonly value: string;
  readonly condition: DomainCondition;
}

/** Fields of the search view, with what was typed: "Search Customer for …". */
export function fieldSuggestions({ arch }: WorkspacePayload, typed: string): readonly Suggestion[] {
  const text = typed.trim();
  if (text === '') return [];
  return arch.search.fields.flatMap(({ name, label, operator }) => {
    const field = arch.fields.find((one) => one.name === name);
    if (field?.selection) return selectionSuggestions(field, label, text);
    if (field && ['boolean', 'date', 'datetime', 'integer', 'float', 'decimal', 'monetary'].includes(field.type)) {
      return numberSuggestion(field, label, text);
    }
    const isText = !field?.relation && (operator === '=' || operator.includes('like'));
    const condition = [name, isText ? operator : 'ilike', text] as DomainCondition;
    return [{ key: `field-${name}`, label: t('Search {label} for', { label }), value: text, condition }];
  });
}

/** Fields whose records can be suggested by name. */
export function relationFields({ arch }: WorkspacePayload): readonly RelationSearch[] {
  return arch.search.fields.flatMap(({ name, label, operator }) => {
    const field = arch.fields.find((one) => one.name === name);
    return field?.relation ? [{ name, label, operator, relation: field.relation, type: field.type }] : [];
  });
}

export interface RelationSearch {
  readonly name: string;
  readonly label: string;
  readonly operator: string;
  readonly relation: string;
  readonly type: string;
}

export function recordSuggestion(
  { name, label, operator, type }: RelationSearch,
  id: number,
  text: string,
): Suggestion {
  const isTree = operator === 'child_of' && type === 'many2one';
  const condition: DomainCondition = isTree ? [name, 'child_of', id] : [name, '=', id];
  return { key: `record-${name}-${id}`, label: t('{label} is', { label }), value: text, condition };
}

function selectionSuggestions(field: ArchField, label: string, text: string): readonly Suggestion[] {
  const wanted = text.toLowerCase();
  return (field.selection ?? [])
    .filter(([, option]) => option.toLowerCase().includes(wanted))
    .map(([key, option]) => ({
      key: `option-${field.name}-${key}`,
      label: t('{label} is', { label }),
      value: option,
      condition: [field.name, '=', key],
    }));
}

function numberSuggestion(field: ArchField, label: string, text: string): readonly Suggestion[] {
  const isNumber = ['integer', 'float', 'decimal', 'monetary'].includes(field.type) && /^-?\d+(\.\d+)?$/.test(text);
  if (!isNumber) return [];
  const condition: DomainCondition = [field.name, '=', Number(text)];
  return [{ key: `field-${field.name}`, label: t('{label} is', { label }), value: text, condition }];
}
