import { addDays, addMonths, daysBetween } from '../calendar.ts';
import { dateIn, parseInstant } from '../clock.ts';
import { type DomainTokens, fillTokens } from '../domain/fill-tokens.ts';
import { parseDomain, topConditions } from '../domain/parse-domain.ts';
import { serializeDomain } from '../domain/serialize-domain.ts';
import { conjoin, type Domain, type DomainNode } from '../domain/tree.ts';
import { fieldType } from '../field-types.ts';
import type { ArchField } from '../wire/arch.ts';

/** Against the period before, or the same one a year ago. */
export type Comparison = 'previous' | 'year';

/** Days of the calendar; `to` is the first day after it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** What "this year" means to whom. */
export interface Clock {
  readonly tokens: DomainTokens;
  readonly tz: string;
}

type DateField = Pick<ArchField, 'name' | 'type'>;
type Condition = Extract<DomainNode, { kind: 'condition' }>;

/** The period that a domain narrows a date to; null where it is open on a side. */
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
 * The period to compare with. Whole months, quarters and years have whole ones before them. `days` are those of the period that
 * are compared: they are as far back from it as the whole.
 */
export function comparedPeriod(period: Period, comparison: Comparison, days: Period = period): Period {
  const months = comparison === 'year' ? 12 : wholeMonths(period.from, period.to);
  if (months > 0) return monthsBefore(days, months);
  const length = daysBetween(period.from, period.to);
  return { from: addDays(days.from, -length), to: addDays(days.to, -length) };
}

/** By their last day, as the first day after a February is another one in a leap year; whole months stay whole. */
function monthsBefore({ from, to }: Period, months: number): Period {
  const last = addDays(to, -1);
  const isWhole = wholeMonths(from, to) > 0;
  return {
    from: addMonths(from, -months),
    to: isWhole ? addMonths(to, -months) : addDays(addMonths(last, -months), 1),
  };
}

/** How much more or less than before, as a part of it; null where there was nothing. */
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

/** What stands for no period at all. */
export function domainOutOfTime(domain: Domain, field: DateField): Domain {
  return serializeDomain(conjoin(...topConditions(domain).filter((node) => !isOn(field)(node))));
}

/** The date that a question is about, the days looked at, and those they are compared with. */
export interface AnalysisTime {
  readonly field: ArchField | null;
  readonly period: Period | null;
  /** Of a period that is not over, its days up to today; null where all of it counts. */
  readonly soFar: Period | null;
  /** The period compared with. */
  readonly compared: Period | null;
  /** As much of it as there is of the period looked at. A change is from these days to those so far, wherever it is shown. */
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

/** Null for a period that is over, and for one that has not begun, of which all days are planned alike. */
function daysSoFar({ from, to }: Period, today: string): Period | null {
  const end = addDays(today, 1);
  return today >= from && end < to ? { from, to: end } : null;
}

/** Conditions on a date that bound it; "is set" bounds nothing. */
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

/** 0 when the days are not whole months. */
function wholeMonths(from: string, to: string): number {
  if (!from.endsWith('-01') || !to.endsWith('-01')) return 0;
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(to) - months(from);
}
