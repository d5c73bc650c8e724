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

/** The period to compare with. Whole months, quarters and years have whole ones before them. */
export function comparedPeriod({ from, to }: Period, comparison: Comparison): Period {
  if (comparison === 'year') return { from: addMonths(from, -12), to: addMonths(to, -12) };
  const months = wholeMonths(from, to);
  if (months > 0) return { from: addMonths(from, -months), to: from };
  return { from: addDays(from, -daysBetween(from, to)), to: from };
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
  /** The period compared with. */
  readonly compared: Period | null;
  /** As much of it as there is of the period looked at: a year that is not over is compared with the same days. */
  readonly sameDays: Period | null;
}

export function analysisTime(
  domain: Domain,
  field: ArchField | null,
  compare: Comparison | null,
  clock: Clock,
): AnalysisTime {
  const period = field && periodOf(domain, field, clock);
  if (!period || !compare) return { field, period, compared: null, sameDays: null };
  const compared = comparedPeriod(period, compare);
  const { today } = clock.tokens;
  if (today < period.from || today >= period.to) return { field, period, compared, sameDays: compared };
  const soFar = { from: period.from, to: addDays(today, 1) };
  if (compare === 'year') return { field, period, compared, sameDays: comparedPeriod(soFar, 'year') };
  const to = addDays(compared.from, daysBetween(soFar.from, soFar.to));
  return { field, period, compared, sameDays: { from: compared.from, to } };
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
