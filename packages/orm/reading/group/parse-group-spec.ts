import {
  type AnyDomain,
  type CohortSpec,
  type DaysSpec,
  type DomainNode,
  daysBetween,
  domainTree,
  type Granularity,
  granularities,
  invalidArgs,
  isDate,
  isMoneyTarget,
  type LoadSpec,
  type Measure,
  measures,
} from '@kontor/protocol';
import type { OrderTerm } from '../../model/model.ts';
import { parseOrder } from '../order.ts';
import { checkCount } from '../select.ts';

const maxGroupings = 8;
const maxMeasures = 64;
const maxSubtotals = 64;
const specKeys = new Set(
  'domain groupby fields subtotals money running cohort load days limit offset order'.split(' '),
);

export interface Grouping {
  /** As requested: `date_order:month`. */
  readonly key: string;
  readonly path: readonly string[];
  readonly granularity: Granularity | null;
}
export interface MeasureAsked {
  readonly name: string;
  readonly path: readonly string[];
  readonly measure: Measure;
}
interface ParsedGroupSpec {
  readonly domain: DomainNode;
  readonly groupings: readonly Grouping[];
  readonly measures: readonly MeasureAsked[];
  /** The grouping sets, as indexes into `groupings`: first the requested subtotals, last the full groups. */
  readonly sets: readonly (readonly number[])[];
  readonly isMoneyApart: boolean;
  /** The currency that amounts are converted into: a code, or `company`; null: none. */
  readonly moneyIn: string | null;
  /** The index of the grouping along which figures accumulate; -1 for none. */
  readonly running: number;
  readonly cohort: CohortSpec | null;
  readonly load: LoadSpec | null;
  readonly days: DaysSpec | null;
  readonly order: readonly OrderTerm[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Checks the shape of a group spec. Its fields are checked when it is planned. */
export function parseGroupSpec(spec: unknown): ParsedGroupSpec {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) {
    throw invalidArgs('A group spec is an object with domain, groupby and fields.');
  }
  const unknown = Object.keys(spec).find((key) => !specKeys.has(key));
  if (unknown !== undefined) {
    throw invalidArgs(`A group spec has no ${JSON.stringify(unknown)}.`, {
      field: unknown,
      hint: [...specKeys].join(', '),
    });
  }
  const given = spec as Record<string, unknown>;
  const { domain, groupby, fields, subtotals, money, running, cohort, load, days, order, limit, offset } = given;
  const groupings = list(groupby, 'groupby', maxGroupings).map(parseGrouping);
  const parsed = {
    domain: domainTree((domain ?? []) as AnyDomain),
    groupings,
    measures: list(fields, 'fields', maxMeasures).map(parseMeasure),
    sets: parseSets(list(subtotals, 'subtotals', maxSubtotals), groupings),
    ...parseMoney(money),
    running: running === undefined || running === null ? -1 : parseRunning(running, groupings),
    cohort: cohort === undefined || cohort === null ? null : parseCohort(cohort, spec),
    load: load === undefined || load === null ? null : parseLoad(load, spec),
    days: days === undefined || days === null ? null : parseDays(days, spec),
    order: order === undefined || order === null ? [] : parseOrder(order),
    limit: checkCount(limit ?? undefined, 'limit'),
    offset: checkCount(offset ?? undefined, 'offset'),
  };
  checkNames(parsed.groupings, parsed.measures);
  return parsed;
}

function list(value: unknown, name: string, most: number): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidArgs(`${name} must be an array.`, { field: name });
  if (value.length > most) throw invalidArgs(`${name} takes at most ${most} entries.`, { field: name });
  return value;
}

function parseMoney(money: unknown): Pick<ParsedGroupSpec, 'isMoneyApart' | 'moneyIn'> {
  if (money === undefined || money === null || typeof money === 'boolean') {
    return { isMoneyApart: money === true, moneyIn: null };
  }
  if (typeof money === 'string' && isMoneyTarget(money)) return { isMoneyApart: true, moneyIn: money };
  throw invalidArgs('money must be true, false, "company" or the code of a currency.', { field: 'money' });
}

function parseSets(subtotals: readonly unknown[], groupings: readonly Grouping[]): readonly (readonly number[])[] {
  const sets = subtotals.map((keys) => {
    const places = list(keys, 'subtotals', maxGroupings).map((key) => groupings.findIndex((one) => one.key === key));
    if (!Array.isArray(keys) || places.includes(-1) || new Set(places).size < places.length) {
      throw invalidArgs('subtotals holds lists of groupby entries, such as [[], ["state"]].', { field: 'subtotals' });
    }
    return places.sort((a, b) => a - b);
  });
  sets.push(groupings.map((_, index) => index));
  if (new Set(sets.map(String)).size === sets.length) return sets;
  throw invalidArgs('subtotals asks twice for the same groups.', { field: 'subtotals' });
}

function parseRunning(running: unknown, groupings: readonly Grouping[]): number {
  const place = groupings.findIndex(({ key, granularity }) => key === running && granularity !== null);
  if (place >= 0) return place;
  throw invalidArgs('running names a date of groupby, such as "date_order:month".', { field: 'running' });
}

function parseCohort(cohort: unknown, spec: object): CohortSpec {
  const { start, stop, interval } = cohort as Record<string, unknown>;
  const length = granularities.find((one) => one === interval);
  if (typeof start !== 'string' || typeof stop !== 'string' || length === undefined || length === 'hour') {
    throw invalidArgs('cohort is {start, stop, interval}: two dates, and day, week, month, quarter or year.', {
      field: 'cohort',
    });
  }
  const { groupby, fields } = spec as Record<string, unknown>;
  const other = ['subtotals', 'running', 'order', 'limit', 'offset'].find((key) => Object.hasOwn(spec, key));
  if (other === undefined && list(groupby, 'groupby', 0).length === 0 && list(fields, 'fields', 1).length === 1) {
    return { start, stop, interval: length };
  }
  throw invalidArgs('A cohort has one measure, and neither groups nor order nor limit.', { field: other ?? 'fields' });
}

/** A load has one value per day: more than a year is too much to show. */
const maxLoadDays = 400;

function parseLoad(load: unknown, spec: object): LoadSpec {
  const { start, stop, people, hours, from, to, interval = 'day' } = load as Record<string, unknown>;
  const names = [start, stop, people, ...(hours === undefined ? [] : [hours])];
  const [first, last] = [String(from), String(to)];
  const isInOrder = isDate(first) && isDate(last) && first < last && daysBetween(first, last) <= maxLoadDays;
  const isKnown = interval === 'day' || interval === 'month';
  if (!names.every((name) => typeof name === 'string' && name !== '') || !isInOrder || !isKnown) {
    throw invalidArgs(
      `load is {start, stop, people, hours, from, to, interval}: fields, at most ${maxLoadDays} days, and day or month.`,
      { field: 'load' },
    );
  }
  const { groupby, fields } = spec as Record<string, unknown>;
  const other = ['subtotals', 'running', 'cohort', 'order', 'limit', 'offset'].find((key) => Object.hasOwn(spec, key));
  if (other === undefined && list(groupby, 'groupby', 0).length + list(fields, 'fields', 0).length === 0) {
    return load as LoadSpec;
  }
  throw invalidArgs('A load has neither groups nor measures nor order nor limit.', { field: other ?? 'load' });
}

function parseDays(days: unknown, spec: object): DaysSpec {
  const { start, stop, allDay, from, to } = days as Record<string, unknown>;
  const isName = (name: unknown) => typeof name === 'string' && name !== '';
  const [first, last] = [String(from), String(to)];
  const isInOrder = isDate(first) && isDate(last) && first < last && daysBetween(first, last) <= maxLoadDays;
  if (!isName(start) || ![stop, allDay].every((name) => name === undefined || isName(name)) || !isInOrder) {
    throw invalidArgs(`days is {start, stop, allDay, from, to}: fields, and at most ${maxLoadDays} days.`, {
      field: 'days',
    });
  }
  const { groupby, fields } = spec as Record<string, unknown>;
  const other = ['subtotals', 'running', 'cohort', 'load', 'order', 'limit', 'offset'].find((key) =>
    Object.hasOwn(spec, key),
  );
  if (other === undefined && list(groupby, 'groupby', 0).length + list(fields, 'fields', 0).length === 0) {
    return days as DaysSpec;
  }
  throw invalidArgs('Days have neither groups nor measures nor order nor limit.', { field: other ?? 'days' });
}

export function parseGrouping(entry: unknown): Grouping {
  if (typeof entry !== 'string' || entry === '') {
    throw invalidArgs('groupby holds field names, dates with a granularity: "date_order:month".', { field: 'groupby' });
  }
  const [path, granularity, ...rest] = entry.split(':') as [string, ...string[]];
  if (granularity !== undefined && (rest.length > 0 || !isGranularity(granularity))) {
    throw invalidArgs(`${JSON.stringify(entry)} has no granularity we know.`, {
      field: entry,
      hint: granularities.join(', '),
    });
  }
  return { key: entry, path: path.split('.'), granularity: granularity ?? null };
}

function isGranularity(name: string): name is Granularity {
  return (granularities as readonly string[]).includes(name);
}

function parseMeasure(entry: unknown): MeasureAsked {
  const { name, field, measure } = (entry ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof field !== 'string' || typeof measure !== 'string') {
    throw invalidArgs('Each entry of fields is {name, field, measure}.', { field: 'fields' });
  }
  if (!/^[A-Za-z_][A-Za-z0-9_.:]{0,127}$/.test(name) || name.startsWith('__')) {
    throw invalidArgs(`${JSON.stringify(name)} cannot be the name of a measure.`, { field: name });
  }
  const known = measures.find((one) => one === measure);
  if (known === undefined) {
    throw invalidArgs(`${JSON.stringify(measure)} is not a measure.`, { field: name, hint: measures.join(', ') });
  }
  return { name, path: field.split('.'), measure: known };
}

/** Every key of a row has one meaning. */
function checkNames(groupings: readonly Grouping[], asked: readonly MeasureAsked[]): void {
  const seen = new Set<string>();
  for (const name of [...groupings.map((grouping) => grouping.key), ...asked.map((measure) => measure.name)]) {
    if (seen.has(name)) throw invalidArgs(`${name} is asked for twice.`, { field: name });
    seen.add(name);
  }
}
