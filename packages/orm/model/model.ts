import type { Queryable } from '@kontor/database';
import type { Domain, DomainNode, Projection, SearchOptions, Values, WireRecord } from '@kontor/protocol';
import type { DeclaredField, FieldKind } from '../fields/kind.ts';
import type {
  ActionAnswer,
  Answers,
  ComputeByValue,
  ComputeSpec,
  ConditionSpec,
  ConstraintSpec,
  Exclude,
  LoadedRecord,
  NormaliseSpec,
  OnchangeSpec,
  ReadableTexts,
  RecordSet,
  UniqueSpec,
} from './behaviour.ts';
import type { ChatterSpec } from './chatter-spec.ts';
import type { MailSpec } from './mail-spec.ts';
import type { AccessPolicy, Actor, Scope, Visitor } from './policy.ts';
import type { PortalSpec } from './portal-spec.ts';
import type { Records } from './records.ts';
import type { AboutSpec, TimelineSpec } from './timeline-spec.ts';
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
  /** Readonly for external callers: declared so, computed, or a system column. */
  readonly isReadonly: boolean;
  /** Has its own column in the model's table. */
  readonly isStored: boolean;
  /** Column name, when stored. */
  readonly column: string | null;
  /** The compute of a field that only the server sets. Stored related fields have one too. */
  readonly compute: ComputeSpec | null;
  /** Users may override the value, which `editableCompute` computes; otherwise it is a field like any other. */
  readonly isEditable: boolean;
  readonly editableCompute: ComputeByValue | null;
  /** Path of a related field, split; through stored fields only. */
  readonly related: readonly string[] | null;
  /** Named sets of the choices of a selection. */
  readonly sets: ReadonlyMap<string, readonly string[]>;
  /** Which records a relation may refer to. */
  readonly domain: DomainNode | null;
  /** many2many only: the join table and its two columns. */
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

/** Initial answers of an action's dialog, and what may be chosen; runs with the caller's rights. `answers` are those given so far. */
export type Proposer = (call: ActionCall) => Promise<{
  readonly value?: Readonly<Record<string, unknown>>;
  readonly domain?: Readonly<Record<string, Domain>>;
}>;

/** What a button or `call` runs. */
export type Action = ObjectAction | MoveAction;

interface CallableAction {
  /** The external name: `action_confirm`. */
  readonly name: string;
  readonly module: string;
  readonly groups: readonly string[] | null;
  readonly needs: 'read' | 'write';
  /** The questions of its dialog. These fields belong to no table. */
  readonly asks: ReadonlyMap<string, Field>;
}

export interface ObjectAction extends CallableAction {
  readonly kind: 'action';
  readonly label: string | null;
  readonly icon: string | null;
  readonly warns: string | null;
  readonly mails: 'only' | 'also' | null;
  /** The message if none or several records are selected; null: any number is allowed. */
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

/** A transition from some states to another: a variant of a move. */
export interface Move {
  /** The declared name: `confirm`. */
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

/** Finer steps within states, defined by users. */
export interface Stages {
  /** The many2one to the stage, and its model. */
  readonly field: string;
  readonly model: string;
  state(stage: LoadedRecord): string | null;
  /** A stage is for all records, or for those whose field `own` is among the values of its field `stage`. */
  readonly within: { readonly stage: string; readonly own: string } | null;
  readonly before: string | null;
  readonly ownFirst: boolean;
}

/** The states of a model, the fields that are locked in each, and the moves between them. */
export interface States {
  readonly field: string;
  readonly initial: ReadonlySet<string>;
  /** Null: a record may be deleted in any state. */
  readonly removable: ReadonlySet<string> | null;
  /** States of abandoned records. */
  readonly abandoned: ReadonlySet<string>;
  /** Names of locked fields by state. */
  readonly locks: ReadonlyMap<string, ReadonlySet<string>>;
  readonly stages: Stages | null;
  readonly conditions: ReadonlyMap<string, ConditionSpec>;
  /** Variants of each move, by its declared name; variants start in different states. */
  readonly moves: ReadonlyMap<string, readonly Move[]>;
}

export interface Constraint extends ConstraintSpec {
  readonly name: string;
}

/** Relations that must not form a cycle. */
export interface Acyclic {
  readonly name: string;
  /** Fields whose change may close a cycle: the stored relations, and the lists that mirror them. */
  readonly on: readonly string[];
  /** Tables whose rows link one record to another. */
  readonly steps: readonly { readonly table: string; readonly from: string; readonly to: string }[];
  readonly field: string;
  /** Null: the default message of a tree. */
  readonly message: string | null;
}

export interface Unique extends UniqueSpec {
  readonly name: string;
  /** The index that enforces it. */
  readonly index: string;
}

/** When records of a model are due, for whom, and which actions home offers for them. */
export interface DueSpec {
  /** A stored date or datetime. */
  readonly date: string;
  /** The relation to the users for whom a record is due. */
  readonly by: string;
  /** A domain for open records. It may use the model's stored fields and constants. */
  readonly open: Domain;
  /** The label of the tab: `Tasks`. */
  readonly label: string;
  /** Name of an icon. */
  readonly icon: string;
  /** The path to a text field with the icon of a record. */
  readonly iconAt?: string;
  /** The text of a line, such as `{name} expires`; default: the name of the record. */
  readonly title?: string;
  /** The text of an overdue line. */
  readonly lateTitle?: string;
  /** Fields shown beside the title: relations to one record, texts, choices, money. */
  readonly about?: readonly string[];
  /** The action that marks it as done. */
  readonly done?: string;
  /** Further actions of the line, without a dialog. */
  readonly acts?: readonly string[];
  /** False: its date was promised to somebody and cannot be postponed with a key. */
  readonly postpone?: false;
  /** How many days before its date it is shown; default: 3. */
  readonly daysAhead?: number;
  /** How many days after its date it is shown; default: without limit. */
  readonly daysLate?: number;
  /** The stored end of a record that may last for several days; it is shown on each of them. */
  readonly until?: string;
  /** A boolean field for records of whole days, which are the same for everyone; their time is midnight in UTC. */
  readonly allDay?: string;
  /** Lines that remove a record from the day of a user. */
  readonly unless?: readonly DueException[];
}

/** A meeting that a user declined: `{ lines: 'person_ids', by: 'user_id', where: [['answer', '=', 'no']] }`. */
export interface DueException {
  /** A one2many. */
  readonly lines: string;
  /** The relation of a line to its user. */
  readonly by: string;
  /** A domain for the lines of the user. It may use their stored fields and constants. */
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
  /** Runs after the records are created. */
  afterCreate?(call: { env: Env; ids: readonly number[]; values: readonly Record<string, unknown>[] }): Promise<void>;
  /** May return other values; runs before checks and the update. */
  beforeWrite?(call: {
    env: Env;
    ids: readonly number[];
    values: Record<string, unknown>;
  }): Promise<Record<string, unknown>>;
  /** Runs after the records are changed. */
  afterWrite?(call: { env: Env; ids: readonly number[]; values: Record<string, unknown> }): Promise<void>;
  /** Runs before the records are deleted. */
  beforeUnlink?(call: { env: Env; ids: readonly number[] }): Promise<void>;
  /** Runs after the records are deleted. */
  afterUnlink?(call: { env: Env; ids: readonly number[] }): Promise<void>;
}

/** The arguments of `search_read`. */
export interface ReadQuery {
  readonly domain: DomainNode;
  /** Default: all fields. */
  readonly fields: Projection | undefined;
  readonly options: SearchOptions;
}

/**
 * The handlers of a model without rows. They run as the caller; only the access to the model has been checked.
 * Methods without a handler are rejected.
 */
export interface ServedModel {
  /** Answers `search_read`. */
  read(env: Env, query: ReadQuery): Promise<readonly WireRecord[]>;
  /** An example domain that it supports, for the reference; default: any. */
  readonly sample?: Domain;
  /** Answers `create`; rejected if absent. */
  create?(env: Env, rows: readonly Values[]): Promise<readonly number[]>;
  /** Answers `unlink`; rejected if absent. */
  unlink?(env: Env, ids: readonly number[]): Promise<void>;
}

/** A model with every installed extension merged in. Immutable. */
export interface Model {
  readonly name: string;
  readonly module: string;
  readonly label: string;
  readonly table: string;
  /** Earlier names, the last one first. */
  readonly was: readonly string[];
  readonly joinedBy: readonly string[];
  readonly fields: ReadonlyMap<string, Field>;
  readonly order: readonly OrderTerm[];
  readonly displayName: readonly DisplayNamePart[];
  readonly onchange: ReadonlyMap<string, readonly OnchangeSpec[]>;
  readonly constraints: readonly Constraint[];
  /** Declared ones, and the one of a tree with `parent_id`. */
  readonly acyclic: readonly Acyclic[];
  /** Declared ones and those of fields with `unique`. */
  readonly uniques: readonly Unique[];
  readonly excludes: readonly Exclude[];
  readonly normalise: readonly NormaliseSpec[];
  readonly actions: ReadonlyMap<string, Action>;
  readonly hooks: readonly HookSpec[];
  readonly states: States | null;
  readonly chatter: Required<ChatterSpec> | null;
  /** The fields with the model and id of the record that a record is about. */
  readonly about?: AboutSpec | null;
  /** When its records are due; null: never. */
  readonly due?: DueSpec | null;
  readonly timeline?: ReadonlyMap<string, TimelineSpec>;
  readonly mail?: MailSpec | null;
  readonly portal?: PortalSpec | null;
  /** The many2one to the record that its records are part of, and whose rules apply to them. */
  readonly partOf: string | null;
  /** The reason why it has its own rules. */
  readonly ownRules: string | null;
  /** Why the records of all companies are visible together. */
  readonly noCompany: string | null;
  readonly quiet: boolean;
  readonly isCached: boolean;
  readonly isClosedToAgents?: boolean;
  readonly isTransient?: boolean;
  /** Handlers that compute its records, while its table stays empty; null: its records are rows. */
  readonly served?: ServedModel | null;
  readonly indexes: readonly (readonly OrderTerm[])[];
  /** Has a `company_id` field, and so the company rule unless `companyRule` is false. */
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

/** All models of the installed modules. Immutable. */
export interface Registry extends ReadableTexts {
  /** Grows with every assembly in this process; part of statement names and cache keys. */
  readonly version: number;
  /** Names in files, in any language, of a field with this English synonym. */
  readonly importWords: (synonym: string, module: string) => readonly string[];
  /** The languages in which texts from data files are shown, the preferred one first. */
  readonly dataLanguages: readonly string[];
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
  /** The same models with labels, choices and messages in another language. */
  inLanguage(lang: string): Registry;
}

/** The only handle to data: who acts, under which policy, in which transaction. Handlers of a model get it. */
export interface Env {
  /** The models with their fields, actions and labels. */
  readonly registry: Registry;
  /** The transaction itself, for the kernel and tests; addons use `model`. */
  readonly db: Queryable;
  /** The actor: groups, company, language and time zone. */
  readonly actor: Actor;
  /** The id of the acting user; 0 for nobody. */
  readonly uid: number;
  /** The access rows and rules. */
  readonly policy: AccessPolicy;
  /** Whether access checks and rules are skipped. Only `sudo()` sets it. */
  readonly isSudo: boolean;
  /** Whether the caller is external: writes to readonly fields are rejected. */
  readonly isOutside: boolean;
  /** The scope of the caller's API key; null for server code, sessions and keys without a scope. */
  readonly scope: Scope | null;
  /** The changes of this transaction so far; shared by all envs derived from this one. */
  readonly work: UnitOfWork;
  /** The start of the unit of work. */
  readonly now: Date;

  /** The records of a model, with the rights of the actor. */
  model(name: string): Records;
  /** The same transaction without access checks. Say why in a comment. */
  sudo(): Env;
  /** The same transaction as another user. */
  as(actor: Actor): Env;
  /** The same env with labels, choices and shipped names in another language. */
  inLanguage(lang: string): Env;
  /** The same transaction as somebody who is no user: they read exactly what is named, and change nothing. */
  visiting(visitor: Visitor): Env;
  /** The same env for external calls, or back to server code. */
  outside(isOutside: boolean): Env;
  /** The id of the record with an external id such as `base.group_user`; throws NOT_FOUND. */
  ref(externalId: string): Promise<number>;
}
