import type { ArchField, WorkspacePayload } from '@kontor/protocol';
import { mark, t } from '../i18n/messages.ts';

export const granularities = ['day', 'week', 'month', 'quarter', 'year'] as const;

export interface GroupChoice {
  readonly key: string;
  readonly label: string;
  /** Dates are grouped by spans of time. */
  readonly isDate: boolean;
}

/** What the records can be grouped by: what the search view says first, then every field that can. */
export function groupChoices({ arch }: WorkspacePayload): readonly GroupChoice[] {
  const given = arch.search.filters.flatMap(({ groupBy, label }) => (groupBy ? [{ key: groupBy, label }] : []));
  const fieldOf = (key: string) => arch.fields.find(({ name }) => name === key.split(':')[0]);
  const named = given.map(({ key, label }) => {
    const field = fieldOf(key);
    return isDate(field) ? { key: field.name, label, isDate: true } : { key, label, isDate: false };
  });
  const known = new Set(named.map(({ key }) => key));
  const others = arch.fields
    .filter((field) => isGroupable(field) && !known.has(field.name))
    .map((field) => ({ key: field.name, label: field.label, isDate: isDate(field) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return [...unique(named), ...others];
}

export function granularityLabel(granularity: string): string {
  return t(
    { day: mark('Day'), week: mark('Week'), month: mark('Month'), quarter: mark('Quarter'), year: mark('Year') }[
      granularity
    ] ?? granularity,
  );
}

/** Everything can be grouped that the database can compare; what makes a group of each record is of no use. */
function isGroupable(field: ArchField): boolean {
  return field.groupable && ['many2one', 'many2many', 'selection', 'boolean', 'date', 'datetime'].includes(field.type);
}

function isDate(field: ArchField | undefined): field is ArchField {
  return field?.type === 'date' || field?.type === 'datetime';
}

function unique(choices: readonly GroupChoice[]): readonly GroupChoice[] {
  return choices.filter((one, index) => choices.findIndex(({ key }) => key === one.key) === index);
}
