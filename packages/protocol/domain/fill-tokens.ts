import { addDays, addMonths, isoWeeks, startOfMonth, weekStartOf } from '../calendar.ts';
import { positiveOperator } from './operators.ts';
import { type DomainNode, mapConditions } from './tree.ts';

/** The values of tokens for one user at one moment. */
export interface DomainTokens {
  readonly uid: number;
  readonly companyId: number | null;
  readonly companyIds: readonly number[];
  /** Keys of the user's groups, including implied ones; only the server knows them. */
  readonly groups?: readonly string[];
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: string;
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** On which weekday weeks begin, 1 for Monday; Monday when absent. */
  readonly weekStart?: number;
}

const tokenKeys: ReadonlyMap<unknown, Exclude<keyof DomainTokens, 'weekStart'>> = new Map([
  ['$uid', 'uid'],
  ['$company_id', 'companyId'],
  ['$company_ids', 'companyIds'],
  ['$groups', 'groups'],
  ['$today', 'today'],
  ['$now', 'now'],
]);

/**
 * The first day of a week, month, quarter or year: `$year` of the current one, `$month-1` of the previous one; `$day+1`
 * is tomorrow.
 */
const periodToken = /^\$(day|week|month|quarter|year)([+-]\d{1,4})?$/;

/** Every token; period tokens without an offset. */
export const domainTokens = [
  ...[...tokenKeys.keys()].map(String),
  ...['$day', '$week', '$month', '$quarter', '$year'],
] as readonly string[];

export function isToken(value: unknown): boolean {
  return tokenKeys.has(value) || (typeof value === 'string' && periodToken.test(value));
}

/** `isText`: whether the field at a path is free text; called only if a value looks like a token. */
export function fillTokens(
  node: DomainNode,
  tokens: DomainTokens,
  isText: (path: readonly string[]) => boolean = () => false,
): DomainNode {
  return mapConditions(node, (condition) => {
    const value = fillValue(condition, tokens, isText);
    return value === condition.value ? condition : { ...condition, value };
  });
}

/**
 * A search for the text `$today` must find it: patterns are never tokens, and operands of free text are not either, except group
 * keys in a list.
 */
export function fillValue(
  condition: Extract<DomainNode, { kind: 'condition' }>,
  tokens: DomainTokens | undefined,
  isText: (path: readonly string[]) => boolean = () => false,
): unknown {
  const { operator, value, path } = condition;
  if (tokens === undefined || positiveOperator(operator).endsWith('like')) return value;
  if (![value].flat().some(isToken)) return value;
  const isList = positiveOperator(operator) === 'in';
  const isFilled = isText(path) ? (one: unknown) => isList && one === '$groups' : isToken;
  if (!Array.isArray(value)) return isFilled(value) ? fillOne(value, tokens) : value;
  return value.flatMap((one) => (isFilled(one) ? fillOne(one, tokens) : [one]));
}

function fillOne(value: unknown, tokens: DomainTokens): unknown {
  const key = tokenKeys.get(value);
  if (key === 'groups') return tokens.groups ?? [];
  if (key !== undefined) return tokens[key];
  const [, period, count = '0'] = (typeof value === 'string' && periodToken.exec(value)) || [];
  return period === undefined ? value : firstDay(period, Number(count), tokens);
}

function firstDay(period: string, count: number, { today, weekStart = isoWeeks.start }: DomainTokens): string {
  if (period === 'day') return addDays(today, count);
  if (period === 'week') return addDays(weekStartOf(today, weekStart), 7 * count);
  const months = { month: 1, quarter: 3, year: 12 }[period] as number;
  const month = Number(today.slice(5, 7)) - 1;
  return startOfMonth(addMonths(today, months * count - (month % months)));
}
