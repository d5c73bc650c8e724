import {
  type AnyDomain,
  type DomainNode,
  domainTree,
  type Granularity,
  granularities,
  invalidArgs,
  type Measure,
  measures,
} from '@kontor/protocol';
import type { OrderTerm } from '../../model/model.ts';
import { parseOrder } from '../order.ts';
import { checkCount } from '../statement.ts';

const maxGroupings = 8;
const maxMeasures = 64;
const specKeys = new Set(['domain', 'groupby', 'fields', 'limit', 'offset', 'order']);

export interface Grouping {
  /** As asked: `date_order:month`. */
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
  readonly order: readonly OrderTerm[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Checks the shape of a group spec; whether its fields exist is seen when it is planned. */
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
  const { domain, groupby, fields, order, limit, offset } = spec as Record<string, unknown>;
  const groupings = list(groupby, 'groupby', maxGroupings).map(parseGrouping);
  const parsed = {
    domain: domainTree((domain ?? []) as AnyDomain),
    groupings,
    measures: list(fields, 'fields', maxMeasures).map(parseMeasure),
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
