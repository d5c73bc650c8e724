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

/** The person's, now. */
function clock(): Clock {
  return { tokens: domainTokens(), tz: timeZone() };
}

/** The period that a domain narrows a date to; null where it is open on a side. */
export function periodOf(domain: Domain, field: ArchField): Period | null {
  return periodAt(domain, field, clock());
}

/** The date that a period and a comparison are about: what is grouped by, else what is searched by or offered to group by. */
export function dateFieldOf({ workspace, groupBy, columns, search }: Analysis): ArchField | null {
  const { fields, search: offered } = workspace.arch;
  return dateFieldAmong(fields, [...groupBy, ...columns, ...searchedFields(search.domain, offered)]);
}

/** That date, the days looked at, and those they are compared with. */
export function timeOf(analysis: Analysis): AnalysisTime {
  return analysisTime(analysis.workspace.arch.domain ?? [], dateFieldOf(analysis), analysis.compare, clock());
}

/** The days of a period in words, its last one included. */
export function periodText({ from, to }: Period): string {
  const last = addDays(to, -1);
  return from === last ? formatDate(from) : `${formatDate(from)} – ${formatDate(last)}`;
}

/** What a figure is compared with, and which days these are. */
export function comparedText(compare: Comparison | null, days: Period): string {
  const words = { days: periodText(days) };
  return compare === 'year' ? t('Previous year, {days}', words) : t('Previous period, {days}', words);
}
