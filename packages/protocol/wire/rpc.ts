import type { Domain } from '../domain/tree.ts';
import type { ErrorCode, ErrorDetails, Operation } from '../errors.ts';

/** One call of `POST /api/rpc`. */
export interface RpcRequest {
  readonly model: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
}

/** The answer of `POST /api/rpc`, and of every other JSON route. */
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

/** Keys are `id` and exactly the requested paths. */
export type WireRecord = { readonly id: number } & Values;

/** Field paths, and nested projections for x2many: `['name', 'partner_id.display_name', { line_ids: ['qty'] }]`. */
export type Projection = readonly (string | Readonly<Record<string, Projection>>)[];

export interface SearchOptions {
  readonly limit?: number;
  readonly offset?: number;
  /** `"field, -other"`. */
  readonly order?: string;
}

/** Changes the lines of an x2many, in create, write and onchange. */
export type X2manyCommand =
  | readonly ['create', Values]
  | readonly ['update', number, Values]
  /** With the values of the line that the caller saw. */
  | readonly ['update', number, Values, Values]
  | readonly ['link', number]
  | readonly ['unlink', number]
  | readonly ['delete', number]
  | readonly ['set', readonly number[]]
  | readonly ['clear'];

export const commandNames = ['create', 'update', 'link', 'unlink', 'delete', 'set', 'clear'] as const;

/** `ratio` applies to fields that declare the two sums of their ratio. */
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
  /** Additional groups by fewer keys: `[[], ['state']]` adds the total and one row per state. */
  readonly subtotals?: readonly (readonly string[])[];
  /**
   * Adds money by currency in `__money`; a sum over several currencies is null. With the code of a currency, or `company`
   * for that of the active company, amounts are converted into it; those without a rate stay apart.
   */
  readonly money?: boolean | string;
  /** A date among the groups: sums, counts, `__count` and `__domain` of a group cover all dates up to it. */
  readonly running?: string;
  /** Instead of groups: retention by age. One measure, a sum or a count. */
  readonly cohort?: CohortSpec;
  /** Instead of groups and measures: hours of work per person and day. */
  readonly load?: LoadSpec;
  /** Instead of groups and measures: the number of records per day. */
  readonly days?: DaysSpec;
  readonly limit?: number;
  readonly offset?: number;
  readonly order?: string;
}
/** Whether amounts can be converted into what the text names: a currency code, or `company`. */
export function isMoneyTarget(text: string): boolean {
  return text === 'company' || /^[A-Z]{3}$/.test(text);
}

/** A question with its answer, so that the same question need not be sent. */
export interface Answer {
  readonly spec: GroupSpec;
  readonly rows: readonly GroupRow[];
}
/** A measure of a group. */
export interface GroupMeasure {
  /** Its key in the row. */
  readonly name: string;
  readonly field: string;
  readonly measure: Measure;
}
/**
 * Keys are the entries of `groupby`, the names of the measures, and these. A row of `subtotals` has only the keys of
 * its set: an absent key means all values, null means no value.
 */
export type GroupRow = Values & {
  readonly __count: number;
  readonly __domain: Domain;
  /** Money measures by name, if the spec asks for them. */
  readonly __money?: Readonly<Record<string, readonly MoneyTotal[]>>;
};
export interface CohortSpec {
  /** When a record began, and when it ended; without an end it is still active. */
  readonly start: string;
  readonly stop: string;
  readonly interval: Exclude<Granularity, 'hour'>;
}
/**
 * Of the records that began in the period `<start>:<interval>`, those still active `__age` periods later: `__count`,
 * the measure and `__domain`. Without that key: of all periods that old, and `__domain` covers all that began.
 */
export type CohortRow = GroupRow & {
  readonly __age: number;
  /** The number that began, and their measure. */
  readonly __began: number;
  readonly __whole: number | string | null;
  /**
   * For all periods together: the number of periods, and the age of the oldest. If there are too many, only the newest
   * periods and the youngest ages have rows.
   */
  readonly __periods?: number;
  readonly __oldest?: number;
  /** Those that began and are no longer active. */
  readonly __left?: Domain;
};
export interface LoadSpec {
  /** The start and end of a record, its assignees, and its hours. */
  readonly start: string;
  readonly stop: string;
  readonly people: string;
  readonly hours?: string;
  /** Days, from the first to the one after the last. */
  readonly from: string;
  readonly to: string;
  /** By day by default, otherwise by month. */
  readonly interval?: 'day' | 'month';
}
/**
 * Of one person (`<people>`, with its name) on one day of that person, or in the month that begins with it; people without work have
 * no row.
 */
export type LoadRow = GroupRow & {
  readonly __day: string;
  readonly __hours: number;
};
export interface DaysSpec {
  /** The start and end of a record; without an end it is on the day of its start. */
  readonly start: string;
  readonly stop?: string;
  /** Whether it covers whole days, whose midnights are in UTC. */
  readonly allDay?: string;
  /** Days, from the first to the one after the last. */
  readonly from: string;
  readonly to: string;
}
/** Of one day; days without records have no row. */
export type DayRow = GroupRow & { readonly __day: string };
/** The same for one person, as in the payload of a gantt. */
export interface PersonLoad {
  readonly id: number;
  readonly name: string;
  readonly days: readonly (readonly [day: string, hours: number])[];
}
/**
 * The `subtotals` of a pivot: all outer groups of each axis combined with those of the other, starting with the total.
 * The full grouping is always included.
 */
export function pivotLevels(rows: readonly string[], columns: readonly string[]): readonly (readonly string[])[] {
  const outer = (groups: readonly string[]) =>
    [...Array(groups.length + 1).keys()].map((level) => groups.slice(0, level));
  return outer(rows)
    .flatMap((down) => outer(columns).map((across) => [...down, ...across]))
    .slice(0, -1);
}

/** The total of the amounts in one currency. */
export interface MoneyTotal {
  /** Its code; null for amounts without a currency. */
  readonly currency: string | null;
  readonly value: number | string;
}

/** What a form should show after a change. */
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
