import {
  type ArchField,
  addDays,
  addMonths,
  conjoin,
  type Domain,
  type DomainNode,
  daysBetween,
  fieldType,
  fillTokens,
  parseDomain,
  serializeDomain,
} from '@kontor/protocol';
import { domainTokens } from '../../data/conditions.ts';
import { topConditions } from '../../fields/domain/domain-value.ts';
import { toLocalInput } from '../../i18n/local-time.ts';

/** Against the period before, or the same one a year ago. */
export type Comparison = 'previous' | 'year';

/** Days of the calendar; `to` is the first day after it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

type Condition = Extract<DomainNode, { kind: 'condition' }>;

/** The period that a domain narrows a date to; null where it is open on a side. */
export function periodOf(domain: Domain, field: ArchField): Period | null {
  let from = '';
  let to = '';
  const filled = serializeDomain(fillTokens(parseDomain(domain), domainTokens()));
  for (const { operator, value } of topConditions(filled).filter(isOn(field))) {
    const day = dayOf(value);
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
export function domainIn(domain: Domain, field: ArchField, { from, to }: Period): Domain {
  const others = topConditions(domain).filter((node) => !isOn(field)(node));
  const inside = parseDomain([
    [field.name, '>=', from],
    [field.name, '<', to],
  ]);
  return serializeDomain(conjoin(...others, inside));
}

/** What stands for no period at all. */
export function domainOutOfTime(domain: Domain, field: ArchField): Domain {
  return serializeDomain(conjoin(...topConditions(domain).filter((node) => !isOn(field)(node))));
}

/** Conditions on a date that bound it; "is set" bounds nothing. */
function isOn({ name }: ArchField): (node: DomainNode) => node is Condition {
  return (node): node is Condition =>
    node.kind === 'condition' && node.path.join('.') === name && typeof node.value === 'string';
}

function dayOf(value: unknown): string | null {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  return /^\d{4}-\d\d-\d\dT/.test(text) ? toLocalInput(text).slice(0, 10) : null;
}

/** 0 when the days are not whole months. */
function wholeMonths(from: string, to: string): number {
  if (!from.endsWith('-01') || !to.endsWith('-01')) return 0;
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(to) - months(from);
}
