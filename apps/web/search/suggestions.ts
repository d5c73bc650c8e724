import { type ArchField, type DomainCondition, fieldType, type WorkspacePayload } from '@kontor/protocol';
import { searchRead } from '../data/rpc.ts';
import { rememberName } from '../fields/domain/relation-names.ts';
import { t } from '../i18n/messages.ts';
import { parseNumber } from '../i18n/numbers.ts';

/** How many relations are searched, and how many records each of them suggests. */
const maxRelations = 3;
const maxPerField = 3;

export interface Suggestion {
  readonly key: string;
  readonly label: string;
  /** The matched text, shown in bold. */
  readonly value: string;
  readonly condition: DomainCondition;
}

/** One suggestion per field of the search view: "Search Customer for …". */
export function fieldSuggestions({ arch }: WorkspacePayload, typed: string): readonly Suggestion[] {
  const text = typed.trim();
  if (text === '') return [];
  return arch.search.fields.flatMap(({ name, label, operator }) => {
    const field = arch.fields.find((one) => one.name === name);
    if (field?.selection) return selectionSuggestions(field, label, text);
    const { isBoolean, isDate, isNumber } = fieldType(field?.type);
    if (field && isNumber) return numberSuggestion(field, label, text);
    if (isBoolean || isDate) return [];
    const isText = !field?.relation && (operator === '=' || operator.includes('like'));
    const condition = [name, isText ? operator : 'ilike', text] as DomainCondition;
    return [{ key: `field-${name}`, label: t('Search {label} for', { label }), value: text, condition }];
  });
}

/** Fields whose records can be suggested by name. */
function relationFields({ arch }: WorkspacePayload): readonly RelationSearch[] {
  return arch.search.fields.flatMap(({ name, label, operator }) => {
    const field = arch.fields.find((one) => one.name === name);
    return field?.relation ? [{ name, label, operator, relation: field.relation, type: field.type }] : [];
  });
}

interface RelationSearch {
  readonly name: string;
  readonly label: string;
  readonly operator: string;
  readonly relation: string;
  readonly type: string;
}

function recordSuggestion({ name, label, operator, type }: RelationSearch, id: number, text: string): Suggestion {
  const isTree = operator === 'child_of' && fieldType(type).isToOne;
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
  const number = parseNumber(text);
  if (typeof number !== 'number') return [];
  const condition: DomainCondition = [field.name, '=', number];
  return [{ key: `field-${field.name}`, label: t('{label} is', { label }), value: text, condition }];
}

/** Records whose name contains the text, of the relations of the search view. */
export async function recordSuggestions(
  workspace: WorkspacePayload,
  text: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const relations = relationFields(workspace).slice(0, maxRelations);
  return (await Promise.all(relations.map((field) => findRecords(field, text, signal)))).flat();
}

async function findRecords(field: RelationSearch, text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const rows = await searchRead(
    field.relation,
    [['display_name', 'ilike', text]],
    ['display_name'],
    { limit: maxPerField },
    { signal },
  );
  return rows.map(({ id, display_name }) => {
    rememberName(field.relation, id, String(display_name ?? ''));
    return recordSuggestion(field, id, String(display_name ?? ''));
  });
}
