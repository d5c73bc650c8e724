import {
  type AnalysisTime,
  type ArchField,
  analysisTime,
  type Clock,
  type Domain,
  dateFieldAmong,
  type Period,
  periodOf as periodAt,
  searchedFields,
} from '@kontor/protocol';
import { domainTokens } from '../../data/conditions.ts';
import { timeZone } from '../../i18n/dates.ts';
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
