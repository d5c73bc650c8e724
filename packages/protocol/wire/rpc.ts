import type { Domain } from '../domain/tree.ts';
import type { ErrorCode, ErrorDetails, Operation } from '../errors.ts';

/** One call of `POST /api/rpc`. */
export interface RpcRequest {
  readonly model: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
}

/** The answer, also of every other route that speaks JSON. */
export type Envelope<Result = unknown> =
  | { readonly ok: true; readonly result: Result; readonly error: null }
  | { readonly ok: false; readonly result: null; readonly error: WireError };
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** Values by field name. */
export type Values = Readonly<Record<string, unknown>>;

/** Keys are `id` and exactly the paths asked for. */
export type WireRecord = { readonly id: number } & Values;

/** Field paths, and nested projections for x2many: `['name', 'partner_id.display_name', { line_ids: ['qty'] }]`. */
export type Projection = readonly (string | Readonly<Record<string, Projection>>)[];

export interface SearchOptions {
  readonly limit?: number;
  readonly offset?: number;
  /** `"field, -other"`. */
  readonly order?: string;
}

/** What the lines of an x2many become, in create, write and onchange. */
export type X2manyCommand =
  | readonly ['create', Values]
  | readonly ['update', number, Values]
  /** With the values that the caller saw of the line. */
  | readonly ['update', number, Values, Values]
  | readonly ['link', number]
  | readonly ['unlink', number]
  | readonly ['delete', number]
  | readonly ['set', readonly number[]]
  | readonly ['clear'];

export const commandNames = ['create', 'update', 'link', 'unlink', 'delete', 'set', 'clear'] as const;

/** `ratio` is of fields whose declaration names the two sums that it is of. */
export const measures = ['sum', 'count', 'avg', 'min', 'max', 'count_distinct', 'ratio'] as const;
export type Measure = (typeof measures)[number];

export const granularities = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Granularity = (typeof granularities)[number];

/** The argument of `read_group`. */
export interface GroupSpec {
  readonly domain: Domain;
  /** Field names, dates with granularity: `date_order:month`. */
  readonly groupby: readonly string[];
  readonly fields: readonly GroupMeasure[];
  /** Besides the groups themselves, groups by fewer of their keys: `[[], ['state']]` adds the total and a row a state. */
  readonly subtotals?: readonly (readonly string[])[];
  /** Tells money by currency in `__money`; what would add amounts of several currencies is null. */
  readonly money?: boolean;
  /** A date among the groups: sums and counts of a group are of all dates up to it, and so are `__count` and `__domain`. */
  readonly running?: string;
  /** Instead of groups: who is still there how much later. One measure, a sum or a count. */
  readonly cohort?: CohortSpec;
  /** Instead of groups and measures: how many hours each person has to do on each day. */
  readonly load?: LoadSpec;
  /** Instead of groups and measures: how many records lie on each day. */
  readonly days?: DaysSpec;
  readonly limit?: number;
  readonly offset?: number;
  readonly order?: string;
}
/** A question with its answer, so that whoever has the question need not ask. */
export interface Answer {
  readonly spec: GroupSpec;
  readonly rows: readonly GroupRow[];
}
/** A measure that is asked for by group. */
export interface GroupMeasure {
  /** The key of the row that holds it. */
  readonly name: string;
  readonly field: string;
  readonly measure: Measure;
}
/**
 * Keys are the entries of `groupby`, the names of the measures, and these. A row of `subtotals` has the keys of its set alone:
 * an absent key means all values, null means none.
 */
export type GroupRow = Values & {
  readonly __count: number;
  readonly __domain: Domain;
  /** Measures of money by their name, where the spec asks for it. */
  readonly __money?: Readonly<Record<string, readonly MoneyTotal[]>>;
};
export interface CohortSpec {
  /** When a record began, and when it ended; without an end it is still there. */
  readonly start: string;
  readonly stop: string;
  readonly interval: Exclude<Granularity, 'hour'>;
}
/**
 * Of those who began in the period `<start>:<interval>`, those who are still there `__age` periods later: `__count`, the measure
 * and `__domain`. Without that key: of all periods that are that old, and `__domain` is of all who began.
 */
export type CohortRow = GroupRow & {
  readonly __age: number;
  /** How many began, and their measure. */
  readonly __began: number;
  readonly __whole: number | string | null;
  /** Of all periods together: how many there are, and how old the oldest is. Of too many, the newest and the youngest ages have rows. */
  readonly __periods?: number;
  readonly __oldest?: number;
  /** Those who began and are no longer there. */
  readonly __left?: Domain;
};
export interface LoadSpec {
  /** When a record begins and ends, who works on it, and for how many hours. */
  readonly start: string;
  readonly stop: string;
  readonly people: string;
  readonly hours?: string;
  /** Hours of a working day, 8 when absent: as long as a record without hours takes its people at most. */
  readonly dayHours?: number;
  /** Days, from the first up to the one after the last. */
  readonly from: string;
  readonly to: string;
  /** Hours of a day when absent, else of a month. */
  readonly interval?: 'day' | 'month';
}
/** Of one person (`<people>`, with its name) on one day, or in the month that begins with it; those without work have no row. */
export type LoadRow = GroupRow & {
  readonly __day: string;
  readonly __hours: number;
};
export interface DaysSpec {
  /** When a record begins and ends; without an end it lies on the day on which it begins. */
  readonly start: string;
  readonly stop?: string;
  /** Whether it takes whole days, whose midnights are in UTC. */
  readonly allDay?: string;
  /** Days, from the first up to the one after the last. */
  readonly from: string;
  readonly to: string;
}
/** Of one day; days without records have no row. */
export type DayRow = GroupRow & { readonly __day: string };
/** The same of one person, as the payload of a gantt has it. */
export interface PersonLoad {
  readonly id: number;
  readonly name: string;
  readonly days: readonly (readonly [day: string, hours: number])[];
}
/**
 * The `subtotals` of a pivot: the outer groups of each axis with those of the other, from the total on. All groups together come
 * of themselves.
 */
export function pivotLevels(rows: readonly string[], columns: readonly string[]): readonly (readonly string[])[] {
  const outer = (groups: readonly string[]) =>
    [...Array(groups.length + 1).keys()].map((level) => groups.slice(0, level));
  return outer(rows)
    .flatMap((down) => outer(columns).map((across) => [...down, ...across]))
    .slice(0, -1);
}

/** What amounts of one currency come to. */
export interface MoneyTotal {
  /** Its code; null for amounts without a currency. */
  readonly currency: string | null;
  readonly value: number | string;
}

/** What a form should show after a change in it. */
export interface OnchangeAnswer {
  readonly value: Values;
  readonly warning?: { readonly title: string; readonly message: string };
  readonly domain?: Readonly<Record<string, Domain>>;
}

/** One record that a call created, wrote or unlinked, with the values that differ. */
export interface RecordChange {
  readonly model: string;
  readonly id: number;
  readonly operation: Exclude<Operation, 'read'>;
  readonly values: Readonly<Record<string, FieldChange>>;
}
export interface FieldChange {
  readonly old: unknown;
  readonly new: unknown;
}

/** The result of a call with `dry_run`. */
export interface DryRun<Result = unknown> {
  readonly dry_run: true;
  readonly result: Result;
  readonly changes: readonly RecordChange[];
}

/** A field that two people changed differently: `details.fields` of CONFLICT, by name. */
export interface FieldConflict {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}
