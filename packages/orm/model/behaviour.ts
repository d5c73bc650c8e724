import type { Domain, DomainOperator, Translate, Words } from '@kontor/protocol';
import type { TextDefinition } from './text-definition.ts';

/** A record with the requested paths loaded: many2ones are records or null, x2many arrays of records. */
export interface LoadedRecord {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Words and texts of all modules. */
export interface ReadableTexts {
  /** The texts that administrators may change, by key. */
  readonly texts: ReadonlyMap<string, TextDefinition>;
  /** The language of labels, choices and messages. */
  readonly language: string;
  /** The translations of all modules into a language, such as that of a mail recipient. */
  readonly wordsIn: (language: string) => Translate;
}

/** Labels of models, fields and choices, and texts of addons. */
interface ReadableModels extends ReadableTexts {
  /** The language of the reader, such as `de_DE`, for amounts and days in a text. */
  readonly language: string;
  readonly models: ReadonlyMap<string, { readonly label: string; readonly fields: ReadonlyMap<string, ReadableField> }>;
}
interface ReadableField {
  readonly label: string;
  readonly selection: ReadonlyMap<string, string> | null;
  /** The model that a relation leads to. */
  readonly spec: { readonly relation?: string };
}

/**
 * The context of a compute besides its record. Everything except `registry` and `today` is for editable computes: other
 * values must be the same for all users.
 */
export interface ComputeContext {
  /** The user who creates or changes the record; null for the server. */
  readonly user: { readonly id: number } | null;
  /** The active company of the user. */
  readonly company: { readonly id: number } | null;
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** `YYYY-MM-DD` in the user's time zone; for a stored value in that of the record's company. */
  readonly today: string;
  /** The user's time zone, such as `Europe/Berlin`. */
  readonly tz: string;
  /** Whether this call changes the field; true for every field of a new record. */
  changed(name: string): boolean;
  /** Whether the record is being created. */
  readonly isNew: boolean;
  /** The models with labels in the reader's language, for fields that are not stored. */
  readonly registry: ReadableModels;
}

export interface ComputeByValue {
  /** Paths to load; a change in one of them makes the value stale. */
  readonly depends: readonly string[];
  /**
   * A function of the record. It also runs on forms that are being filled in, so every value may be null, also that of a required
   * field: `({ name }) => name?.length ?? 0`. It may return null only if the field declares `required: false`, or is editable. An
   * editable compute that returns undefined keeps the current value.
   */
  value(record: LoadedRecord, context: ComputeContext): unknown;
  /**
   * When the value changes although none of its inputs does. A stored value that uses `today` is calculated again when
   * a day begins in the time zone of the record's company. A value that is not stored is calculated when it is read,
   * and needs no declaration.
   */
  readonly changes?: 'daily';
  /**
   * Reads with the rights of the server; the text is the reason. Without it, an unstored value is computed with the
   * rights of its reader, and an editable one with those of the caller. Other stored values are always computed by the server:
   * `checkAddon` requires a reason if they count, sum or show records that a reader may not read.
   */
  readonly asServer?: string;
  /**
   * Makes an unstored field searchable: returns the domain for `field operator value`. It is never
   * called with a negative operator, and `in` becomes one `=` for each value.
   */
  search?(operator: DomainOperator, value: unknown): Domain;
}

interface LineAggregates {
  /** The sum of a numeric field of the lines: `line_ids.subtotal`. */
  readonly sum: string;
  /** The number of lines: `line_ids`. */
  readonly count: string;
  /** The smallest or earliest value of the lines. */
  readonly min: string;
  /** The largest or latest value of the lines. */
  readonly max: string;
}
/** One aggregate over lines, computed by the database in one statement; `asServer` as above. */
export type ComputeByAggregate = {
  readonly [Name in keyof LineAggregates]: Pick<LineAggregates, Name>;
}[keyof LineAggregates] & {
  readonly asServer?: string;
  /** For a count that is not stored, in a tree: the lines of the records below count as well. */
  readonly below?: boolean;
};
export type ComputeSpec = ComputeByValue | ComputeByAggregate;

/** A value as a formula over the record and its many2ones; `asServer` as above. */
export interface ComputeByFormula extends Pick<ComputeByValue, 'asServer'> {
  /** An expression that gives the value, such as `first(days, company_id.days)`. What it reads makes it stale, and so does the day if it uses `today()`. */
  readonly formula: string;
}

/** The result of a handler after a change in a form. */
export interface HandlerAnswer {
  /** New values, by field. */
  readonly value?: Readonly<Record<string, unknown>>;
  /** A message that is shown once. */
  readonly warning?: { readonly title: Words; readonly message: Words };
  /** Domains for the choices of relations, by field. */
  readonly domain?: Readonly<Record<string, Domain>>;
}

export interface OnchangeSpec {
  /** Runs only where somebody changes the field, not where a compute or another handler does. */
  readonly byHand?: boolean;
  /** Paths through relations that `value` reads; the fields of the form are always loaded. */
  readonly reads?: readonly string[];
  /** Returns new values by field, or `answer` with values, a warning and domains. */
  value(draft: LoadedRecord): Readonly<Record<string, unknown>> | { readonly answer: HandlerAnswer } | undefined;
}

export interface ConstraintSpec {
  /** Fields whose change triggers the check. */
  readonly on: readonly string[];
  /** Additional paths that `holds` reads. */
  readonly reads?: readonly string[];
  /** Returns whether the record satisfies it. */
  holds(record: LoadedRecord, context: CheckContext): boolean;
  /** The error message. */
  readonly message: string;
  /** The field that shows the message; default: the first of `on`. */
  readonly field?: string;
  /**
   * Many2ones of the record whose targets are locked before the check, for a `holds` that reads other rows: without the lock, two
   * concurrent writers would not see each other's rows.
   */
  readonly serialize?: readonly string[];
}

export interface ConditionSpec {
  /** Paths that `holds` reads. */
  readonly reads: readonly string[];
  /** Returns whether the record satisfies it. */
  holds(record: LoadedRecord, context: CheckContext): boolean;
  /** The error message; it should say what to do. */
  readonly message: string;
  /** What was compiled to `holds`. */
  readonly formula?: string;
}

/** A condition as a formula that gives yes or no; what it reads follows from it. */
export interface FormulaCheck {
  /** Instead of `holds`: an expression that gives yes or no, such as `not isempty(due_date)`. What it reads is loaded. */
  readonly formula: string;
  /** The error message; it should say what to do. */
  readonly message: string;
}

/** A constraint as a formula. */
export interface FormulaConstraint extends FormulaCheck, Pick<ConstraintSpec, 'serialize'> {
  /** Fields whose change triggers the check; default: those of the record that the formula reads. */
  readonly on?: readonly string[];
  /** The field that shows the message; default: the first of `on`. */
  readonly field?: string;
}

/** What a check may know besides its record. */
export interface CheckContext {
  /** `YYYY-MM-DD` in the time zone of whoever makes the change. */
  readonly today: string;
}

export interface UniqueSpec {
  /** The fields that must be unique together. */
  readonly fields: readonly string[];
  /** Limits the rule to matching rows. It may use stored fields of the model and constants. */
  readonly where?: Domain;
  /** The error message. */
  readonly message?: string;
}

/** Normalises values before they are stored, whatever their source. */
export interface NormaliseSpec {
  /** It runs if one of these fields is given a value. */
  readonly on: readonly string[];
  /** Additional stored fields of the record that `value` reads. */
  readonly reads?: readonly string[];
  /**
   * The values to store instead, or in addition; undefined: unchanged. `record` has the values after the change,
   * many2ones as ids.
   */
  value(record: LoadedRecord, context: NormaliseContext): Readonly<Record<string, unknown>> | undefined;
}
export interface NormaliseContext {
  /** The stored record; null for a new one. */
  readonly before: LoadedRecord | null;
  /** Whether the call gives the field a value. */
  given(name: string): boolean;
}

/** Ranges that must not overlap. */
export interface ExcludeSpec {
  /** Many2ones, integers, dates or booleans: only records with equal values are compared; two empty ones are equal. */
  readonly same?: readonly string[];
  /**
   * The fields with the start and end of the range; an empty field means no limit. Days and integers include the end;
   * times and decimals do not.
   */
  readonly range: readonly [from: string, to: string];
  /** Only records that match are compared. May use stored fields of the model and constants. */
  readonly where?: Domain;
  /** The error message for overlapping records; the name of the other record is added. */
  readonly message: string;
}

export interface Exclude extends ExcludeSpec {
  readonly name: string;
  /** The constraint that enforces it. */
  readonly constraint: string;
  /** Fields whose change may make records overlap. */
  readonly on: readonly string[];
}

export interface RecordSet {
  /** Their ids, in the order of selection. */
  readonly ids: readonly number[];
  /** Loads the given paths of every record, with the caller's rights. */
  load(...paths: readonly string[]): Promise<readonly LoadedRecord[]>;
  /** The same for the only record of a `single` action. */
  only(...paths: readonly string[]): Promise<LoadedRecord>;
}

/** Answers to the questions of an action, by name. */
export type Answers = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noConfusingVoidType: an action that returns nothing is the common case
export type ActionAnswer = void | { readonly redirect: string };
