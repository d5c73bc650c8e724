import type { Queryable } from '@kontor/database';
import type { Domain, DomainNode, Projection, SearchOptions, Translate, Values, WireRecord } from '@kontor/protocol';
import type { DeclaredField, FieldKind } from '../fields/kind.ts';
import type {
  ActionAnswer,
  Answers,
  ComputeByValue,
  ComputeSpec,
  ConditionSpec,
  ConstraintSpec,
  LoadedRecord,
  OnchangeSpec,
  RecordSet,
  UniqueSpec,
} from './behaviour.ts';
import type { AccessPolicy, Actor, Scope } from './policy.ts';
import type { Records } from './records.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A field of an assembled model. */
export interface Field extends DeclaredField {
  readonly name: string;
  readonly model: string;
  /** The module that declared it. */
  readonly module: string;
  readonly kind: FieldKind;
  readonly label: string;
  readonly required: boolean;
  /** Readonly from outside: declared so, computed, or a system column. */
  readonly isReadonly: boolean;
  /** Has a column of its own in the model's table. */
  readonly isStored: boolean;
  /** Column name, when stored. */
  readonly column: string | null;
  /** The compute of a field that only the server sets. Stored related fields have one too. */
  readonly compute: ComputeSpec | null;
  /** People may overrule the computed value. The compute is in `editableCompute`; otherwise the field is like any other. */
  readonly isEditable: boolean;
  readonly editableCompute: ComputeByValue | null;
  /** Path of a related field, split; through stored fields only. */
  readonly related: readonly string[] | null;
  /** Named sets of the choices of a selection. */
  readonly sets: ReadonlyMap<string, readonly string[]>;
  /** Which records a relation may point at. */
  readonly domain: DomainNode | null;
  /** many2many only: the table between and its two columns. */
  readonly through: { readonly table: string; readonly own: string; readonly other: string } | null;
}

export interface OrderTerm {
  readonly path: readonly string[];
  readonly descending: boolean;
}

export type DisplayNamePart = { readonly text: string } | { readonly path: readonly string[] };

export interface ActionCall {
  readonly env: Env;
  readonly records: RecordSet;
  readonly answers: Answers;
}

/** First values for what an action asks, and what may be chosen; it runs with the caller's rights. */
export type Proposer = (call: Pick<ActionCall, 'env' | 'records'>) => Promise<{
  readonly value?: Readonly<Record<string, unknown>>;
  readonly domain?: Readonly<Record<string, Domain>>;
}>;

/** What a button or `call` runs. */
export type Action = ObjectAction | MoveAction;

interface CallableAction {
  /** As it is called from outside: `action_confirm`. */
  readonly name: string;
  readonly module: string;
  readonly groups: readonly string[] | null;
  readonly needs: 'read' | 'write';
  /** What is asked before it runs. These fields belong to no table. */
  readonly asks: ReadonlyMap<string, Field>;
}

export interface ObjectAction extends CallableAction {
  readonly kind: 'action';
  readonly label: string | null;
  readonly icon: string | null;
  readonly warns: string | null;
  /** The message for somebody who chose none or several records; null: any number is allowed. */
  readonly single: string | null;
  readonly proposes: Proposer | null;
  /** The outermost handler with its bases already bound. */
  run(call: ActionCall): Promise<ActionAnswer>;
}

/** A move as an action. The state of each record decides which variant runs. */
export interface MoveAction extends CallableAction {
  readonly kind: 'move';
  readonly moves: readonly Move[];
}

/** One way from some states to another: a variant of a move. */
export interface Move {
  /** As its author named it: `confirm`. */
  readonly name: string;
  /** Its action: `action_confirm`. */
  readonly action: string;
  readonly module: string;
  readonly from: ReadonlySet<string>;
  readonly to: string;
  readonly label: string;
  readonly icon: string | null;
  /** Names of conditions. */
  readonly needs: readonly string[];
  readonly sets: ReadonlyMap<string, unknown>;
  readonly asks: ReadonlyMap<string, Field>;
  readonly proposes: Proposer | null;
  readonly groups: readonly string[] | null;
  readonly refusal: string | null;
  readonly warns: string | null;
  readonly isDangerous: boolean;
  /** Whether the move can be undone. */
  readonly canUndo: boolean;
  /** Runs after the records moved, with its bases already bound. */
  readonly run: ((call: ActionCall) => Promise<ActionAnswer>) | null;
}

/** Finer steps within states that people arrange. */
export interface Stages {
  /** The many2one to the stage, and its model. */
  readonly field: string;
  readonly model: string;
  state(stage: LoadedRecord): string | null;
  /** A stage is for all records, or for those whose field `own` is among what its field `stage` holds. */
  readonly within: { readonly stage: string; readonly own: string } | null;
  readonly before: string | null;
  readonly ownFirst: boolean;
}

/** The states of a model, the fields that are locked in each, and the moves between them. */
export interface States {
  readonly field: string;
  readonly initial: ReadonlySet<string>;
  /** Null: a record may be unlinked whatever its state. */
  readonly removable: ReadonlySet<string> | null;
  /** In which a record was given up. */
  readonly abandoned: ReadonlySet<string>;
  /** Names of locked fields by state. */
  readonly locks: ReadonlyMap<string, ReadonlySet<string>>;
  readonly stages: Stages | null;
  readonly conditions: ReadonlyMap<string, ConditionSpec>;
  /** Variants of each move, by the name that its author gave; those of one name start in different states. */
  readonly moves: ReadonlyMap<string, readonly Move[]>;
}

export interface Constraint extends ConstraintSpec {
  readonly name: string;
}

/** Relations by which no record may come back to itself. */
export interface Acyclic {
  readonly name: string;
  /** Fields whose change may close a circle: the relations as they are stored, and the lists that mirror them. */
  readonly on: readonly string[];
  /** Rows of a table that lead from one record to another. */
  readonly steps: readonly { readonly table: string; readonly from: string; readonly to: string }[];
  readonly field: string;
  /** Null: the usual one of a tree. */
  readonly message: string | null;
}

export interface Unique extends UniqueSpec {
  readonly name: string;
  /** The index that enforces it. */
  readonly index: string;
}

export interface AboutSpec {
  /** The field with the name of the model. */
  readonly model: string;
  /** The field with the id of the record. */
  readonly id: string;
  /** Matches those that people attached. Others are made by the server and do not stop an undo. */
  readonly where?: Domain;
}

/** When records of a model are due, in whose day they are, and what can be done about them there. */
export interface DueSpec {
  /** A stored date or moment. */
  readonly date: string;
  /** The relation to the people in whose day a record is. */
  readonly by: string;
  /** Which records are still to do. Own stored fields and constants. */
  readonly open: Domain;
  /** All of them, on a tab: `Tasks`. */
  readonly label: string;
  /** Name of an icon. */
  readonly icon: string;
  /** The path to a text that names the icon of a record. */
  readonly iconAt?: string;
  /** What a line says, `{name} expires`; the name of the record when absent. */
  readonly title?: string;
  /** The same when its day has passed. */
  readonly lateTitle?: string;
  /** Fields beside the title: relations to one record, texts, choices, money. */
  readonly about?: readonly string[];
  /** The action that says it is done. */
  readonly done?: string;
  /** Further actions that can be run from the line; they ask nothing. */
  readonly acts?: readonly string[];
  /** False: its date was promised to somebody and is not moved by a key. */
  readonly postpone?: false;
  /** How many days before its date it is shown; 3 when absent. */
  readonly daysAhead?: number;
  /** How many days after its date it is still shown; for ever when absent. */
  readonly daysLate?: number;
  /** The stored moment at which a record ends that may last for days: it is in the day on each of them. */
  readonly until?: string;
  /** A boolean: such a record takes whole days, the same for everybody, and its moment is their midnight in UTC. */
  readonly allDay?: string;
  /** Lines by which a record is not in the day of a person though it is theirs. */
  readonly unless?: readonly DueException[];
}

/** A meeting that a person declined: `{ lines: 'person_ids', by: 'user_id', where: [['answer', '=', 'no']] }`. */
export interface DueException {
  /** A one2many. */
  readonly lines: string;
  /** The relation of a line to its person. */
  readonly by: string;
  /** Which of their lines. Own stored fields and constants. */
  readonly where: Domain;
}

/** Server-side reactions, in the transaction of the change. They run with the caller's rights; `env.sudo()` is explicit. */
export interface HookSpec {
  /** `beforeWrite` and `afterWrite` run only for writes that set one of these fields; absent: for every write. */
  readonly on?: readonly string[];
  /** May return other values; runs before checks and the insert. */
  beforeCreate?(call: {
    env: Env;
    values: readonly Record<string, unknown>[];
  }): Promise<readonly Record<string, unknown>[]>;
  /** Runs once the records are there. */
  afterCreate?(call: { env: Env; ids: readonly number[]; values: readonly Record<string, unknown>[] }): Promise<void>;
  /** May return other values; runs before checks and the update. */
  beforeWrite?(call: {
    env: Env;
    ids: readonly number[];
    values: Record<string, unknown>;
  }): Promise<Record<string, unknown>>;
  /** Runs once the records are changed. */
  afterWrite?(call: { env: Env; ids: readonly number[]; values: Record<string, unknown> }): Promise<void>;
  /** Runs while the records are still there. */
  beforeUnlink?(call: { env: Env; ids: readonly number[] }): Promise<void>;
  /** Runs once they are gone. */
  afterUnlink?(call: { env: Env; ids: readonly number[] }): Promise<void>;
}

/** What somebody asks of a model by `search_read`. */
export interface ReadQuery {
  readonly domain: DomainNode;
  /** All of them when absent. */
  readonly fields: Projection | undefined;
  readonly options: SearchOptions;
}

/**
 * The only ways to a model without rows of its own, in the caller's name: that they may do this to the model has been checked,
 * and nothing else. What is left out is refused.
 */
export interface ServedModel {
  /** Answers `search_read`. */
  read(env: Env, query: ReadQuery): Promise<readonly WireRecord[]>;
  /** A domain that it answers, for the reference; unless told, it answers all. */
  readonly sample?: Domain;
  /** Answers `create`; refused when absent. */
  create?(env: Env, rows: readonly Values[]): Promise<readonly number[]>;
  /** Answers `unlink`; refused when absent. */
  unlink?(env: Env, ids: readonly number[]): Promise<void>;
}

/** A model with every installed extension merged in. Immutable. */
export interface Model {
  readonly name: string;
  readonly module: string;
  readonly label: string;
  readonly table: string;
  /** Names that it had before, the last one first. */
  readonly was: readonly string[];
  readonly fields: ReadonlyMap<string, Field>;
  readonly order: readonly OrderTerm[];
  readonly displayName: readonly DisplayNamePart[];
  readonly onchange: ReadonlyMap<string, readonly OnchangeSpec[]>;
  readonly constraints: readonly Constraint[];
  /** Declared ones, and that of a tree by `parent_id`. */
  readonly acyclic: readonly Acyclic[];
  /** Declared ones and those of fields with `unique`. */
  readonly uniques: readonly Unique[];
  readonly actions: ReadonlyMap<string, Action>;
  readonly hooks: readonly HookSpec[];
  readonly states: States | null;
  readonly chatter: { readonly readersComment: boolean } | null;
  /** The fields that hold the model and the id of the record that each of its records is about. */
  readonly about?: AboutSpec | null;
  /** When its records are due; null: never. */
  readonly due?: DueSpec | null;
  /** The many2one to what its records are parts of, whose rules hold for them. */
  readonly partOf: string | null;
  /** Why rules of its own are enough. */
  readonly ownRules: string | null;
  readonly quiet: boolean;
  readonly isClosedToAgents?: boolean;
  /** Rows of a dialog: only who made them sees them, and they are deleted after a day. */
  readonly isTransient?: boolean;
  /** Its records are worked out from what others keep, and its own table stays empty; null: they are its rows. */
  readonly served?: ServedModel | null;
  readonly indexes: readonly (readonly OrderTerm[])[];
  /** Has a `company_id` field, and so the company rule, unless `companyRule` says no. */
  readonly hasCompany: boolean;
  readonly companyRule?: boolean;
  readonly hasActive: boolean;
}

/** A stored compute that a change may make stale: follow `path` backwards from the changed model to the records of `model`. */
export interface Trigger {
  readonly model: string;
  readonly field: string;
  /** Relations from `model` to the changed model; empty when the changed record is itself the one to recompute. */
  readonly path: readonly string[];
}

/** All models of the installed modules. Immutable: a change of modules makes a new registry. */
export interface Registry {
  /** Grows with every assembly in this process; part of statement names and cache keys. */
  readonly version: number;
  /** The translations of all modules into a language, such as that of somebody who gets a mail. */
  readonly wordsIn: (language: string) => Translate;
  readonly modules: readonly string[];
  readonly models: ReadonlyMap<string, Model>;
  /** Throws MODEL_NOT_FOUND. */
  model(name: string): Model;
  /** Stored computes by `model.field` of what they depend on. */
  triggers(model: string, field: string): readonly Trigger[];
  /** Stored computes of a model in the order in which they must run. */
  storedComputes(model: string): readonly Field[];
  /** Stored computes of all models, each after those it depends on (except fields that depend on the same field of other records). */
  readonly computeOrder: readonly Field[];
  /** Editable computes of a model, each after those it depends on. They are not among the stored computes. */
  editableComputes(model: string): readonly Field[];
}

/**
 * The only handle to data: who acts, under which policy, in which transaction. It is in this file because handlers of a
 * model get it, and it knows the models.
 */
export interface Env {
  /** The models with their fields, actions and labels. */
  readonly registry: Registry;
  /** The transaction itself, for the kernel and for tests; addons go through `model`. */
  readonly db: Queryable;
  /** Who acts: groups, company, language and time zone. */
  readonly actor: Actor;
  /** The id of the user who acts; 0 for nobody. */
  readonly uid: number;
  /** Access rows and rules as they are asked. */
  readonly policy: AccessPolicy;
  /** Access and rules are not applied. Only `sudo()` sets it. */
  readonly isSudo: boolean;
  /** The caller is outside the server: readonly fields are refused. */
  readonly isOutside: boolean;
  /** What the caller's API key covers; null for server code, sessions and keys without a scope. */
  readonly scope: Scope | null;
  /** What this transaction changed so far; shared by every env made from this one. */
  readonly work: UnitOfWork;
  /** The instant the unit of work began. */
  readonly now: Date;

  /** The records of a model, under the rights of who acts. */
  model(name: string): Records;
  /** The same transaction without access checks. Say why in a comment. */
  sudo(): Env;
  /** The same transaction in another person's name. */
  as(actor: Actor): Env;
  /** The same env for calls that come from outside, or back to server code. */
  outside(isOutside: boolean): Env;
  /** The record behind an external id such as `base.group_user`; throws NOT_FOUND. */
  ref(externalId: string): Promise<number>;
}
