import type { Domain, DomainOperator, Words } from '@kontor/protocol';

/** A record with the paths that were asked for loaded: many2ones are records or null, x2many arrays of records. */
export interface LoadedRecord {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Labels of models, fields and choices. */
interface ReadableModels {
  readonly models: ReadonlyMap<string, { readonly label: string; readonly fields: ReadonlyMap<string, ReadableField> }>;
}
interface ReadableField {
  readonly label: string;
  readonly selection: ReadonlyMap<string, string> | null;
  /** The model that a relation leads to. */
  readonly spec: { readonly relation?: string };
}

/** What a compute may know besides its record. All but `registry` is for editable computes: other values must not differ from person to person. */
export interface ComputeContext {
  /** Who makes or changes the record; null where the server does. */
  readonly user: { readonly id: number } | null;
  /** The active company of the user. */
  readonly company: { readonly id: number } | null;
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: string;
  /** The user's time zone, such as `Europe/Berlin`. */
  readonly tz: string;
  /** Whether this call changes the field; true for every field of a new record. */
  changed(name: string): boolean;
  /** Whether the record is being made. */
  readonly isNew: boolean;
  /** The models with labels in the language of the reader, for fields that are not stored. */
  readonly registry: ReadableModels;
}

export interface ComputeByValue {
  /** Invalidation graph and fetch plan in one. */
  readonly depends: readonly string[];
  /**
   * A function of the record. It also runs on forms that are being filled in, so required values may be missing. An
   * editable compute that gives undefined leaves the value that is there.
   */
  value(record: LoadedRecord, context: ComputeContext): unknown;
  /**
   * It reads with the rights of the server; the text says why. Without it, a value that is not stored is computed with the
   * rights of its reader, and an editable one with those of the caller. Other stored values are always computed by the server:
   * `checkAddon` asks for the reason where they count, add up or show records that a reader may not read.
   */
  readonly asServer?: string;
  /**
   * Makes a field that is not stored searchable: the domain that stands for `field operator value`. It is never
   * called with a negative operator, and `in` becomes one `=` for each value.
   */
  search?(operator: DomainOperator, value: unknown): Domain;
}

interface LineAggregates {
  /** The sum of a number of the lines: `line_ids.subtotal`. */
  readonly sum: string;
  /** How many lines there are: `line_ids`. */
  readonly count: string;
  /** The smallest value of the lines, or the earliest. */
  readonly min: string;
  /** The largest value of the lines, or the latest. */
  readonly max: string;
}
/** One aggregate over lines, computed by the database in one statement; `asServer` as above. */
export type ComputeByAggregate = {
  readonly [Name in keyof LineAggregates]: Pick<LineAggregates, Name>;
}[keyof LineAggregates] & { readonly asServer?: string };
export type ComputeSpec = ComputeByValue | ComputeByAggregate;

/** The result of a handler after a change in a form. */
export interface HandlerAnswer {
  /** New values, by field. */
  readonly value?: Readonly<Record<string, unknown>>;
  /** A message that is shown once. */
  readonly warning?: { readonly title: Words; readonly message: Words };
  /** What may be chosen in a relation, by field. */
  readonly domain?: Readonly<Record<string, Domain>>;
}

export interface OnchangeSpec {
  /** Paths through relations that `value` reads; fields of the form are always there. */
  readonly reads?: readonly string[];
  /** Returns new values by field, or the long form with warning and domain under `answer`. */
  value(draft: LoadedRecord): Readonly<Record<string, unknown>> | { readonly answer: HandlerAnswer } | undefined;
}

export interface ConstraintSpec {
  /** Fields whose change makes the check run. */
  readonly on: readonly string[];
  /** Further paths that `holds` reads. */
  readonly reads?: readonly string[];
  /** Whether it holds of the record. */
  holds(record: LoadedRecord): boolean;
  /** Told where it does not. */
  readonly message: string;
  /** The field the message is shown at; the first of `on` when absent. */
  readonly field?: string;
  /**
   * Many2ones of the record whose targets are locked before the check, where `holds` reads other rows: without the lock, two
   * writers at once would not see each other's rows.
   */
  readonly serialize?: readonly string[];
}

export interface ConditionSpec {
  /** Paths that `holds` reads. */
  readonly reads: readonly string[];
  /** Whether it holds of the record. */
  holds(record: LoadedRecord): boolean;
  /** Tells the person what to do. */
  readonly message: string;
}

export interface UniqueSpec {
  /** The fields that are one of a kind together. */
  readonly fields: readonly string[];
  /** Only rows that match must be unique. May use stored fields of the model and constants. */
  readonly where?: Domain;
  /** Told to who would make a second one. */
  readonly message?: string;
}

export interface RecordSet {
  /** Their ids, in the order in which they were chosen. */
  readonly ids: readonly number[];
  /** Loads the given paths of every record, under the caller's rights. */
  load(...paths: readonly string[]): Promise<readonly LoadedRecord[]>;
  /** The same for the one record of an action that is `single`. */
  only(...paths: readonly string[]): Promise<LoadedRecord>;
}

/** Answers to what an action asks, by name. */
export type Answers = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noConfusingVoidType: an action that returns nothing is the common case
export type ActionAnswer = void | { readonly redirect: string };
