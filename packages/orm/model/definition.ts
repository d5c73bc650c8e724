import type { FieldSpecs } from '../fields/spec.ts';
import type {
  ActionAnswer,
  ComputeByFormula,
  ComputeSpec,
  ConditionSpec,
  ConstraintSpec,
  ExcludeSpec,
  FormulaCheck,
  FormulaConstraint,
  LoadedRecord,
  NormaliseSpec,
  OnchangeSpec,
  UniqueSpec,
} from './behaviour.ts';
import type { ChatterSpec } from './chatter-spec.ts';
import type { MailSpec } from './mail-spec.ts';
import type { ActionCall, DueSpec, HookSpec, Proposer, ServedModel } from './model.ts';
import type { PortalSpec } from './portal-spec.ts';
import type { TextDefinition } from './text-definition.ts';
import type { AboutSpec, TimelineSpec } from './timeline-spec.ts';

/** Relations that must not form a cycle. */
export interface AcyclicSpec {
  /** Relations between records of the model. A cycle may use several of them. */
  readonly over: readonly string[];
  /** The error message for a cycle. */
  readonly message: string;
  /** The field that shows the message; default: the first of `over`. */
  readonly field?: string;
}

export type ActionHandler = (
  call: ActionCall,
  base: (call: ActionCall) => Promise<ActionAnswer>,
) => Promise<ActionAnswer>;

/** Options of actions and moves. */
interface AskingSpec {
  /** Name of an icon for the button. */
  readonly icon?: string;
  /** Fields that a dialog asks for first, by name; `call` takes them as `vals`. */
  readonly asks?: FieldSpecs;
  /** Initial answers and choices of the dialog; runs with the rights of the caller. */
  readonly proposes?: Proposer;
  /** Groups that may run it; default: everyone who may write the records. */
  readonly groups?: readonly string[];
  /** A question to confirm before it runs. */
  readonly warns?: string;
}

export interface ActionSpec extends AskingSpec {
  /** It sends e-mail, alone or beside something else: without a mail server its dialog says so before anybody writes. */
  readonly mails?: 'only' | 'also';
  /** The label of its button; default: derived from the name. */
  readonly label?: string;
  /** The right on the records that a caller needs; default: `write`. */
  readonly needs?: 'read' | 'write';
  /** The action is for one record; this is the message if none or several are selected. */
  readonly single?: string;
  /** The handler. An extension gets the previous handler as `base`. */
  readonly run: ActionHandler;
}

/**
 * The states of a model's records, the fields that are locked in them, and finer stages. A module that
 * extends states declares only what it adds.
 */
export interface StatesSpec {
  /** The selection with the names and labels of the states; an extension may omit it. */
  readonly field?: string;
  /** Allowed states of a new record; default: the default of the field. */
  readonly initial?: string | readonly string[];
  /** States in which a record may be deleted; default: any. */
  readonly removable?: readonly string[];
  /** States of abandoned records: cancelled, lost. The status bar shows them only for such records, and no step as done. */
  readonly abandoned?: readonly string[];
  /**
   * Fields that cannot change in a state; `all` means all except state, stage, `active`, `sequence` and computed
   * fields.
   */
  readonly locks?: Readonly<Record<string, readonly string[] | 'all'>>;
  /** Finer steps that users arrange, as records of another model. */
  readonly stages?: StagesSpec;
  /** Conditions for `needs` of moves, by name. */
  readonly conditions?: Readonly<Record<string, ConditionSpec | FormulaCheck>>;
}

export interface StagesSpec {
  /** The many2one to the stage. */
  readonly field: string;
  /** Returns the state of a stage, from its stored fields. */
  state(stage: LoadedRecord): string | null;
  /** Field of the stage to field of the record: with `{ team_id: 'team_id' }` a stage with a team is only for records of that team. */
  readonly within?: Readonly<Record<string, string>>;
  /** The many2one that stores the stage before the last change of state. */
  readonly before?: string;
  /** If several stages could be the first, prefer one that is only for these records. */
  readonly ownFirst?: boolean;
}

/** A transition between states. An extension of a move declares only what it adds. */
export interface MoveSpec extends AskingSpec {
  /** The state or states that it starts from. */
  readonly from?: string | readonly string[];
  /** The state that it leads to. */
  readonly to?: string;
  /** Of an extension: from states in which the move did not start, it does what its first variant does. */
  readonly inherits?: true;
  /** The label of its button. */
  readonly label?: string;
  /** Names of conditions that the record must satisfy when the operation ends. */
  readonly needs?: readonly string[];
  /** Values that it sets: constants, `now`, `today`, `currentUser`, `currentCompany`, or `answer`. */
  readonly sets?: Readonly<Record<string, unknown>>;
  /** The message for users in none of `groups`. */
  readonly refusal?: string;
  /** It is hard to undo, and its button shows that. */
  readonly danger?: boolean;
  /** False: it has effects outside the database, such as a mail, so it cannot be undone. */
  readonly undo?: false;
  /** Runs after the change of state. */
  readonly run?: ActionHandler;
}

/**
 * A model, or an extension of a model, as its author declared it. Frozen data; importing it has no side effects.
 * ```ts
 * const markFields = { mark: fields.char({ size: 20 }) };
 * export const markModels: readonly ModelDefinition[] = [inheritModel('core.partner', { fields: markFields })];
 * ```
 */
export interface ModelDefinition {
  readonly kind: 'model' | 'inherit';
  readonly name: string;
  /** The label of one record; default: derived from the name. */
  readonly label?: string;
  /** The earlier name, or names, of the model, the last one first: an upgrade renames it and keeps its records. */
  readonly was?: string | readonly string[];
  /**
   * If a database has both this model and an earlier one, the upgrade joins their records. Those with the same values of these fields become
   * one record, and everything that refers to the earlier records follows.
   */
  readonly joinedBy?: readonly string[];
  /** Default order, `"sequence, -id"`. */
  readonly order?: string;
  /** A template such as `'{name} ({ref})'`; paths may be dotted. Default: `name` if the model has it, otherwise `Label #id`. */
  readonly displayName?: string;
  /** Its fields, as a separate constant. */
  readonly fields: FieldSpecs;
  /** How each computed field is calculated. */
  readonly computes: Readonly<Record<string, ComputeSpec | ComputeByFormula>>;
  /** Warnings and proposals of a form when a field changes. They run only in forms and store nothing. */
  readonly onchange: Readonly<Record<string, OnchangeSpec>>;
  /** Conditions that each record must satisfy when an operation ends, whatever the source of the change. */
  readonly constraints: Readonly<Record<string, ConstraintSpec | FormulaConstraint>>;
  /** Relations that must not form a cycle. */
  readonly acyclic: Readonly<Record<string, AcyclicSpec>>;
  /** Fields that must be unique together, optionally only among some records. */
  readonly uniques: Readonly<Record<string, UniqueSpec>>;
  /** Normalises values before they are stored. */
  readonly normalise: Readonly<Record<string, NormaliseSpec>>;
  /** Ranges that must not overlap, such as the days of two prices of one product. */
  readonly excludes: Readonly<Record<string, ExcludeSpec>>;
  /** Handlers for buttons and `call`, by name; `action_name` in views and over RPC. */
  readonly actions: Readonly<Record<string, ActionSpec>>;
  /** Code that runs before and after create, write and unlink. */
  readonly hooks: HookSpec;
  /** The states of its records, and what is locked in them. */
  readonly states?: StatesSpec;
  /** Variants of each move, by its name. */
  readonly moves: Readonly<Record<string, readonly MoveSpec[]>>;
  /** Whether the model has a chatter, and who else takes part in it. */
  readonly chatter?: ChatterSpec;
  /** Its records are about other records (messages, activities): the fields with their model and id. */
  readonly about?: AboutSpec;
  /** When its records are due, and for whom; shown on the home screen of these users. */
  readonly due?: DueSpec;
  /** Its records in the timelines of other records, by kind: `{ orders: { label: 'Orders', icon: 'receipt', … } }`. */
  readonly timeline?: Readonly<Record<string, TimelineSpec>>;
  /** What an e-mail to its alias creates: `{ alias: 'sales', creates: { name: 'subject', description: 'body' } }`. */
  readonly mail?: MailSpec;
  /** What customers see of its records on their page, and what they may do there. */
  readonly portal?: PortalSpec;
  /**
   * The many2one to the record that its records are part of: the rules of that record also apply to them, and changing a part
   * counts as changing the whole. Default: a required many2one with `ondelete: 'cascade'` that is the inverse of a one2many.
   */
  readonly partOf?: string;
  /** The model has its own rules instead of those of the record it is part of; the text is the reason. */
  readonly ownRules?: string;
  /** Why its records belong to no company, or are visible across companies; without it, `checkAddon` asks for one. */
  readonly noCompany?: string;
  /** Its changes are neither published nor stored as change sets (sessions, logs, queues). */
  readonly quiet?: boolean;
  /**
   * Its records are seldom written (currencies, stages, taxes): what server code loads of them stays in the memory of each process
   * until one of them changes. Changes made with SQL are not noticed.
   */
  readonly cached?: boolean;
  /** Agents cannot change it, even if the owner of their key can: it defines rights or automatic work. */
  readonly closedToAgents?: boolean;
  /**
   * The values of a dialog: each user sees only rows that they created, no events are raised, and rows are deleted after
   * a day.
   */
  readonly transient?: boolean;
  /** Handlers that answer calls: the model has no rows, and there is no other access to it. */
  readonly served?: ServedModel;
  /** `false`: rows of all companies are shown although the model has a `company_id` (users, companies themselves). */
  readonly companyRule?: false;
  /** Composite indexes: `"state, -date_order"`. */
  readonly indexes: readonly string[];
}

export interface ModuleModels {
  readonly module: string;
  readonly definitions: readonly ModelDefinition[];
  readonly texts?: readonly TextDefinition[];
}
