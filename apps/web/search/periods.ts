import type { ArchField, DomainNode } from '@kontor/protocol';
import { mark, t } from '../i18n/messages.ts';

/** Relative periods: their first day and the day after their last, as domain tokens. */
export const periods: Readonly<Record<string, string>> = {
  '$day $day+1': mark('Today'),
  '$day-1 $day': mark('Yesterday'),
  '$day $day+7': mark('Next 7 days'),
  '$week $week+1': mark('This week'),
  '$week-1 $week': mark('Last week'),
  '$month $month+1': mark('This month'),
  '$month-1 $month': mark('Last month'),
  '$quarter $quarter+1': mark('This quarter'),
  '$quarter-1 $quarter': mark('Last quarter'),
  '$year $day+1': mark('Year to date'),
  '$year $year+1': mark('This year'),
  '$year-1 $year': mark('Last year'),
  '$month-11 $month+1': mark('Last 12 months'),
};

/** The label of a period that two conditions describe together: `Date: This year`. */
export function periodWords(
  from: DomainNode | undefined,
  to: DomainNode | undefined,
  fields: readonly ArchField[],
): string | null {
  if (from?.kind !== 'condition' || to?.kind !== 'condition' || `${from.path}` !== `${to.path}`) return null;
  if (from.operator !== '>=' || to.operator !== '<') return null;
  const value = periods[`${from.value} ${to.value}`];
  if (!value) return null;
  return t('{label}: {value}', {
    label: fields.find(({ name }) => name === from.path[0])?.label ?? '',
    value: t(value),
  });
}
