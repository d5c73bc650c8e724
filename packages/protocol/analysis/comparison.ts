import { addDays, addMonths, daysBetween } from '../calendar.ts';
import { dateIn, parseInstant } from '../clock.ts';
import { type DomainTokens, fillTokens } from '../domain/fill-tokens.ts';
import { parseDomain, topConditions } from '../domain/parse-domain.ts';
import { serializeDomain } from '../domain/serialize-domain.ts';
import { conjoin, type Domain, type DomainNode } from '../domain/tree.ts';
import { fieldType } from '../field-types.ts';
import type { ArchField } from '../wire/arch.ts';

/** With the previous period, or the same one a year ago. */
export type Comparison = 'previous' | 'year';

/** A range of days; `to` is the first day after it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The user's date and locale, which decide what "this year" means. */
export interface Clock {
  readonly tokens: DomainTokens;
  readonly tz: string;
}

type DateField = Pick<ArchField, 'name' | 'type'>;
type Condition = Extract<DomainNode, { kind: 'condition' }>;

/** The period that a domain restricts a date to; null if it is open on either side. */
export function periodOf(domain: Domain, field: DateField, { tokens, tz }: Clock): Period | null {
  let from = '';
  let to = '';
  const filled = serializeDomain(fillTokens(parseDomain(domain), tokens));
  for (const { operator, value } of topConditions(filled).filter(isOn(field))) {
    const day = dayOf(value, tz);
    if (day === null) continue;
    if (operator === '=' || operator === '>=' || operator === '>') {
      const first = operator === '>' && !fieldType(field.type).isInstant ? addDays(day, 1) : day;
      if (first > from) from = first;
    }
    if (operator === '=' || operator === '<=' || operator === '<') {
      const end = operator === '<' ? day : addDays(day, 1);
      if (to === '' || end < to) to = end;
    }
  }
  return from !== '' && to > from ? { from, to } : null;
}

/**
 * The comparison period. Whole months, quarters and years are compared with whole ones. `days` is the part of the
 * period that is compared; it is shifted by as much as the whole period.
 */
export function comparedPeriod(period: Period, comparison: Comparison, days: Period = period): Period {
  const months = comparison === 'year' ? 12 : wholeMonths(period.from, period.to);
  if (months > 0) return monthsBefore(days, months);
  const length = daysBetween(period.from, period.to);
  return { from: addDays(days.from, -length), to: addDays(days.to, -length) };
}

/** Based on the last day, because the day after February differs in leap years; whole months stay whole. */
function monthsBefore({ from, to }: Period, months: number): Period {
  const last = addDays(to, -1);
  const isWhole = wholeMonths(from, to) > 0;
  return {
    from: addMonths(from, -months),
    to: isWhole ? addMonths(to, -months) : addDays(addMonths(last, -months), 1),
  };
}

/** The relative change; null if there was no value before. */
export function changeOf(now: number, before: number | null): number | null {
  return before === null || before === 0 ? null : (now - before) / Math.abs(before);
}

/** The same question about another period. */
export function domainIn(domain: Domain, field: DateField, { from, to }: Period): Domain {
  const others = topConditions(domain).filter((node) => !isOn(field)(node));
  const inside = parseDomain([
    [field.name, '>=', from],
    [field.name, '<', to],
  ]);
  return serializeDomain(conjoin(...others, inside));
}

/** The domain without its conditions on the date. */
export function domainOutOfTime(domain: Domain, field: DateField): Domain {
  return serializeDomain(conjoin(...topConditions(domain).filter((node) => !isOn(field)(node))));
}

/** The date of an analysis, the selected period, and the one it is compared with. */
export interface AnalysisTime {
  readonly field: ArchField | null;
  readonly period: Period | null;
  /** For a period that is not over, its days up to today; null if all of it counts. */
  readonly soFar: Period | null;
  /** The comparison period. */
  readonly compared: Period | null;
  /** The same part of it as of the selected period. A change always compares these days with those so far. */
  readonly sameDays: Period | null;
}

export function analysisTime(
  domain: Domain,
  field: ArchField | null,
  compare: Comparison | null,
  clock: Clock,
): AnalysisTime {
  const period = field && periodOf(domain, field, clock);
  const soFar = period && daysSoFar(period, clock.tokens.today);
  if (!period || !compare) return { field, period, soFar, compared: null, sameDays: null };
  const compared = comparedPeriod(period, compare);
  return { field, period, soFar, compared, sameDays: soFar ? comparedPeriod(period, compare, soFar) : compared };
}

/** Null for a period that is over, and for one that has not begun, because all of its days are future days. */
function daysSoFar({ from, to }: Period, today: string): Period | null {
  const end = addDays(today, 1);
  return today >= from && end < to ? { from, to: end } : null;
}

/** Conditions that restrict a date; "is set" does not. */
function isOn({ name }: DateField): (node: DomainNode) => node is Condition {
  return (node): node is Condition =>
    node.kind === 'condition' && node.path.join('.') === name && typeof node.value === 'string';
}

function dayOf(value: unknown, tz: string): string | null {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const instant = parseInstant(text);
  return instant === null ? null : dateIn(tz, new Date(instant));
}

/** 0 if the days are not whole months. */
function wholeMonths(from: string, to: string): number {
  if (!from.endsWith('-01') || !to.endsWith('-01')) return 0;
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(to) - months(from);
}
