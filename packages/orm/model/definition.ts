import type { Domain, DomainOperator, Words } from '@kontor/protocol';
import type { Env } from '../env.ts';
import type { FieldSpecs } from '../fields/spec.ts';
import type { Registry } from './model.ts';

/** A record with the paths that were asked for loaded: many2ones are records or null, x2many arrays of records. */
export interface LoadedRecord {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** What a compute may know besides its record. All but `registry` is for editable computes: other values must not differ from person to person. */
export interface ComputeContext {
  /** Who makes or changes the record; null where nobody in particular does. */
  readonly user: { readonly id: number } | null;
  /** The active company of the user. */
  readonly company: { readonly id: number } | null;
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: string;
  /** Whether this call changes the field; true for every field of a new record. */
  changed(name: string): boolean;
  /** Whether the record is being made. */
  readonly isNew: boolean;
  /** The models in the words of whoever reads, for fields that are not stored. */
  readonly registry: Registry;
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
   * Of an editable compute, which otherwise sees what the caller may read: it sees everything, for this reason. Whatever it
   * gives can be read by who makes the record.
   */
  readonly asServer?: string;
  /**
   * Makes a field that is not stored searchable: the domain that stands for `field operator value`. It is asked one positive
   * question at a time: never a negative operator, and `in` comes as one `=` for each value.
   */
  search?(operator: DomainOperator, value: unknown): Domain;
}
/** Aggregates over lines that the database works out in one statement. */
export type ComputeByAggregate =
  | { readonly sum: string }
  | { readonly count: string }
  | { readonly min: string }
  | { readonly max: string };
export type ComputeSpec = ComputeByValue | ComputeByAggregate;

/** What a handler says of a change in a form. */
export interface HandlerAnswer {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly warning?: { readonly title: Words; readonly message: Words };
  readonly domain?: Readonly<Record<string, Domain>>;
}
export interface OnchangeSpec {
  readonly reads?: readonly string[];
  /** Returns new values by field, or the long form with warning and domain under `answer`. */
  value(draft: LoadedRecord): Readonly<Record<string, unknown>> | { readonly answer: HandlerAnswer } | undefined;
}

export interface ConstraintSpec {
  /** Fields whose change makes the check run. */
  readonly on: readonly string[];
  /** Further paths that `holds` reads. */
  readonly reads?: readonly string[];
  holds(record: LoadedRecord): boolean;
  readonly message: string;
  /** The field the message is shown at; the first of `on` when absent. */
  readonly field?: string;
  /**
   * Own many2ones at whose records writers wait for one another, where `holds` reads other rows: two at once would each miss
   * what the other writes.
   */
  readonly serialize?: readonly string[];
}

/** Relations by which no record may come back to itself. */
export interface AcyclicSpec {
  /** Relations between records of the model; a way may change from one to another. */
  readonly over: readonly string[];
  readonly message: string;
  /** The field the message is shown at; the first of `over` when absent. */
  readonly field?: string;
}

export interface RecordSet {
  readonly ids: readonly number[];
  /** Loads the given paths of every record, under the caller's rights. */
  load(...paths: readonly string[]): Promise<readonly LoadedRecord[]>;
  /** The same for the one record of an action that is `single`. */
  only(...paths: readonly string[]): Promise<LoadedRecord>;
}
/** What was answered to the questions of an action, by name. */
export type Answers = Readonly<Record<string, unknown>>;
export interface ActionCall {
  readonly env: Env;
  readonly records: RecordSet;
  readonly answers: Answers;
}
// biome-ignore lint/suspicious/noConfusingVoidType: an action that returns nothing is the common case
export type ActionAnswer = void | { readonly redirect: string };
export type ActionHandler = (
  call: ActionCall,
  base: (call: ActionCall) => Promise<ActionAnswer>,
) => Promise<ActionAnswer>;
/** First values for what an action asks, and what may be chosen; it runs with the caller's rights. */
export type Proposer = (call: Pick<ActionCall, 'env' | 'records'>) => Promise<{
  readonly value?: Readonly<Record<string, unknown>>;
  readonly domain?: Readonly<Record<string, Domain>>;
}>;
/** What actions and moves may have in common. */
interface AskingSpec {
  readonly icon?: string;
  /** Fields that a dialog asks for first, by name; `call` takes them as `vals`. */
  readonly asks?: FieldSpecs;
  readonly proposes?: Proposer;
  /** Group keys that may run it; everyone who may write the records when absent. */
  readonly groups?: readonly string[];
  /** A question to be answered with yes before it runs. */
  readonly warns?: string;
}
export interface ActionSpec extends AskingSpec {
  readonly label?: string;
  /** The right on the records that a caller needs; `write` unless said otherwise. */
  readonly needs?: 'read' | 'write';
  /** It is for one record; this is said to who chooses none or several. */
  readonly single?: string;
  readonly run: ActionHandler;
}

/** Server-side reactions, in the transaction of the change. They run with the caller's rights; `env.sudo()` is explicit. */
export interface HookSpec {
  /** May return other values; runs before checks and the insert. */
  beforeCreate?(call: {
    env: Env;
    values: readonly Record<string, unknown>[];
  }): Promise<readonly Record<string, unknown>[]>;
  afterCreate?(call: { env: Env; ids: readonly number[]; values: readonly Record<string, unknown>[] }): Promise<void>;
  beforeWrite?(call: {
    env: Env;
    ids: readonly number[];
    values: Record<string, unknown>;
  }): Promise<Record<string, unknown>>;
  afterWrite?(call: { env: Env; ids: readonly number[]; values: Record<string, unknown> }): Promise<void>;
  beforeUnlink?(call: { env: Env; ids: readonly number[] }): Promise<void>;
  afterUnlink?(call: { env: Env; ids: readonly number[] }): Promise<void>;
}

export interface ConditionSpec {
  /** Paths that `holds` reads. */
  readonly reads: readonly string[];
  holds(record: LoadedRecord): boolean;
  /** Says what to do. */
  readonly message: string;
}

/**
 * Where records of a model can be, what is settled there, and which finer steps people arranged. Of several modules each
 * says what it adds.
 */
export interface StatesSpec {
  /** The selection that has the names and labels of the states; an extension may leave it out. */
  readonly field?: string;
  /** States that a new record may begin in; the field's default when absent. */
  readonly initial?: string | readonly string[];
  /** States in which a record may be unlinked; any when absent. */
  readonly removable?: readonly string[];
  /** Fields that nobody changes in a state; `all` is every one but state, stage, `active`, `sequence` and computed ones. */
  readonly locks?: Readonly<Record<string, readonly string[] | 'all'>>;
  readonly stages?: StagesSpec;
  /** What moves may need, by name. */
  readonly conditions?: Readonly<Record<string, ConditionSpec>>;
}
export interface StagesSpec {
  /** The many2one to the stage. */
  readonly field: string;
  /** The state that a stage belongs to, from its stored fields. */
  state(stage: LoadedRecord): string | null;
  /** `{ team_id: 'team_id' }`: a stage with a team is only for records of that team. A field of the stage, then one of the record. */
  readonly within?: Readonly<Record<string, string>>;
  /** The many2one that remembers the stage which was left for another state. */
  readonly before?: string;
  /** Of several first stages take one that is for these records only. */
  readonly ownFirst?: boolean;
}

/** One way from some states to another. An extension of a move says only what it adds. */
export interface MoveSpec extends AskingSpec {
  readonly from?: string | readonly string[];
  readonly to?: string;
  readonly label?: string;
  /** Conditions that must hold of the record when the operation ends, by name. */
  readonly needs?: readonly string[];
  /** Values that come with it: constants, `now`, `today`, `currentUser`, `currentCompany`, or `answer`. */
  readonly sets?: Readonly<Record<string, unknown>>;
  /** Says to who is in none of `groups` what to do. */
  readonly refusal?: string;
  readonly danger?: boolean;
  /** False: it reached the outside, so it cannot be taken back. */
  readonly undo?: false;
  /** What else happens, after the records moved. */
  readonly run?: ActionHandler;
}

export interface AboutSpec {
  readonly model: string;
  readonly id: string;
  /** Those that somebody hung there; others tell of changes by themselves, and are in nobody's way when one is taken back. */
  readonly where?: Domain;
}

export interface UniqueSpec {
  readonly fields: readonly string[];
  /** Only rows that it holds for must differ; over own stored fields and constants. */
  readonly where?: Domain;
  readonly message?: string;
}

/** One model, or one extension of a model, as its author declared it. Frozen data; importing it does nothing. */
export interface ModelDefinition {
  readonly kind: 'model' | 'inherit';
  readonly name: string;
  readonly label?: string;
  /** Default order, `"sequence, -id"`. */
  readonly order?: string;
  /** `'{name} ({ref})'`; paths may be dotted. Absent: `name` where the model has it, else `Label #id`. */
  readonly displayName?: string;
  readonly fields: FieldSpecs;
  readonly computes: Readonly<Record<string, ComputeSpec>>;
  readonly onchange: Readonly<Record<string, OnchangeSpec>>;
  readonly constraints: Readonly<Record<string, ConstraintSpec>>;
  readonly acyclic: Readonly<Record<string, AcyclicSpec>>;
  readonly uniques: Readonly<Record<string, UniqueSpec>>;
  readonly actions: Readonly<Record<string, ActionSpec>>;
  readonly hooks: HookSpec;
  readonly states?: StatesSpec;
  /** Variants of each move, by its name. */
  readonly moves: Readonly<Record<string, readonly MoveSpec[]>>;
  /** Whether the model has a chatter, and whether readers may comment. */
  readonly chatter?: { readonly readersComment?: boolean };
  /** Its records hang on others: which fields hold the model and the id of what each is about (messages, activities). */
  readonly about?: AboutSpec;
  /** Changes of it are neither published nor kept as change sets (sessions, logs, queues). */
  readonly quiet?: boolean;
  /**
   * What a dialog asks for: each person sees only the rows of their own making, nobody is told of them, and they are swept
   * away after a day.
   */
  readonly transient?: boolean;
  /** `false`: the model has a `company_id` and yet rows of every company are shown (users, companies themselves). */
  readonly companyRule?: false;
  /** Composite indexes: `"state, -date_order"`. */
  readonly indexes: readonly string[];
}
