import {
  type AnalysisTime,
  type ArchField,
  addDays,
  analysisTime,
  type Clock,
  type Comparison,
  type Domain,
  dateFieldAmong,
  type Period,
  periodOf as periodAt,
  searchedFields,
} from '@kontor/protocol';
import { domainTokens } from '../../data/conditions.ts';
import { formatDate, timeZone } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';
import type { Analysis } from './use-analysis.ts';

/** The user's current time and zone. */
function clock(): Clock {
  return { tokens: domainTokens(), tz: timeZone() };
}

/** The period that a domain restricts a date to; null if it is open on either side. */
export function periodOf(domain: Domain, field: ArchField): Period | null {
  return periodAt(domain, field, clock());
}

/**
 * The date of the period and the comparison: the one grouped by, otherwise the one searched by or offered for grouping.
 */
export function dateFieldOf({ workspace, groupBy, columns, search }: Analysis): ArchField | null {
  const { fields, search: offered } = workspace.arch;
  return dateFieldAmong(fields, [...groupBy, ...columns, ...searchedFields(search.domain, offered)]);
}

/** That date, the selected period, and the one it is compared with. */
export function timeOf(analysis: Analysis): AnalysisTime {
  return analysisTime(analysis.workspace.arch.domain ?? [], dateFieldOf(analysis), analysis.compare, clock());
}

/** A period in words, including its last day. */
export function periodText({ from, to }: Period): string {
  const last = addDays(to, -1);
  return from === last ? formatDate(from) : `${formatDate(from)} – ${formatDate(last)}`;
}

/** The comparison in words, with its dates. */
export function comparedText(compare: Comparison | null, days: Period): string {
  const words = { days: periodText(days) };
  return compare === 'year' ? t('Previous year, {days}', words) : t('Previous period, {days}', words);
}
