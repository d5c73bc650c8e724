import type { FieldSpecs } from '../fields/spec.ts';
import type {
  ActionAnswer,
  ComputeSpec,
  ConditionSpec,
  ConstraintSpec,
  LoadedRecord,
  OnchangeSpec,
  UniqueSpec,
} from './behaviour.ts';
import type { AboutSpec, ActionCall, DueSpec, HookSpec, Proposer, ServedModel } from './model.ts';

/** Relations by which no record may come back to itself. */
export interface AcyclicSpec {
  /** Relations between records of the model. A circle may use several of them. */
  readonly over: readonly string[];
  /** Told to who closes a circle. */
  readonly message: string;
  /** The field the message is shown at; the first of `over` when absent. */
  readonly field?: string;
}

export type ActionHandler = (
  call: ActionCall,
  base: (call: ActionCall) => Promise<ActionAnswer>,
) => Promise<ActionAnswer>;

/** What actions and moves may have in common. */
interface AskingSpec {
  /** Name of an icon for the button. */
  readonly icon?: string;
  /** Fields that a dialog asks for first, by name; `call` takes them as `vals`. */
  readonly asks?: FieldSpecs;
  /** First answers, and what may be chosen; asked with the rights of the caller. */
  readonly proposes?: Proposer;
  /** Group keys that may run it; everyone who may write the records when absent. */
  readonly groups?: readonly string[];
  /** A question to be answered with yes before it runs. */
  readonly warns?: string;
}

export interface ActionSpec extends AskingSpec {
  /** What its button says; made from the name when absent. */
  readonly label?: string;
  /** The right on the records that a caller needs; `write` unless said otherwise. */
  readonly needs?: 'read' | 'write';
  /** The action is for one record; this is the message for somebody who chose none or several. */
  readonly single?: string;
  /** What it does. An extension gets the handler before it as `base`. */
  readonly run: ActionHandler;
}

/**
 * Where records of a model can be, which fields are locked there, and which finer steps people arranged. A module that
 * extends states declares only what it adds.
 */
export interface StatesSpec {
  /** The selection that has the names and labels of the states; an extension may leave it out. */
  readonly field?: string;
  /** States that a new record may begin in; the field's default when absent. */
  readonly initial?: string | readonly string[];
  /** States in which a record may be unlinked; any when absent. */
  readonly removable?: readonly string[];
  /** States in which a record was given up: cancelled, lost. The status bar shows them only then, and no step as passed. */
  readonly abandoned?: readonly string[];
  /** Fields that nobody changes in a state; `all` is every one but state, stage, `active`, `sequence` and computed ones. */
  readonly locks?: Readonly<Record<string, readonly string[] | 'all'>>;
  /** Finer steps that people arrange, as records of another model. */
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
  /** Where several stages could be the first, take one that is only for these records. */
  readonly ownFirst?: boolean;
}

/** One way from some states to another. An extension of a move says only what it adds. */
export interface MoveSpec extends AskingSpec {
  /** The state, or states, that it starts in. */
  readonly from?: string | readonly string[];
  /** The state that it leads to. */
  readonly to?: string;
  /** What its button says. */
  readonly label?: string;
  /** Conditions that must hold of the record when the operation ends, by name. */
  readonly needs?: readonly string[];
  /** Values that come with it: constants, `now`, `today`, `currentUser`, `currentCompany`, or `answer`. */
  readonly sets?: Readonly<Record<string, unknown>>;
  /** The message for somebody who is in none of `groups`. */
  readonly refusal?: string;
  /** It cannot be taken back easily, and its button says so. */
  readonly danger?: boolean;
  /** False: it has effects outside the database, such as a mail, so it cannot be undone. */
  readonly undo?: false;
  /** Runs after the records moved. */
  readonly run?: ActionHandler;
}

/**
 * One model, or one extension of a model, as its author declared it. Frozen data; importing it does nothing.
 * ```ts
 * const markFields = { mark: fields.char({ size: 20 }) };
 * export const markModels: readonly ModelDefinition[] = [inheritModel('core.partner', { fields: markFields })];
 * ```
 */
export interface ModelDefinition {
  readonly kind: 'model' | 'inherit';
  readonly name: string;
  /** What people call one record; made from the name when absent. */
  readonly label?: string;
  /** The name, or names, that the model had before, the last one first: an upgrade renames it and keeps its records. */
  readonly was?: string | readonly string[];
  /** Default order, `"sequence, -id"`. */
  readonly order?: string;
  /** `'{name} ({ref})'`; paths may be dotted. Absent: `name` where the model has it, else `Label #id`. */
  readonly displayName?: string;
  /** Its fields, as a constant of their own. */
  readonly fields: FieldSpecs;
  /** How the value of each computed field is made. */
  readonly computes: Readonly<Record<string, ComputeSpec>>;
  /** What a form says or proposes when a field was changed. Nothing is stored, and other ways in do not ask it. */
  readonly onchange: Readonly<Record<string, OnchangeSpec>>;
  /** What must hold of each record when an operation ends, on every way in. */
  readonly constraints: Readonly<Record<string, ConstraintSpec>>;
  /** Relations in which records must not form a circle. */
  readonly acyclic: Readonly<Record<string, AcyclicSpec>>;
  /** Fields that together must be one of a kind, if need be only among some of the records. */
  readonly uniques: Readonly<Record<string, UniqueSpec>>;
  /** What buttons and `call` run, by name; `action_name` in views and over RPC. */
  readonly actions: Readonly<Record<string, ActionSpec>>;
  /** What happens around create, write and unlink. */
  readonly hooks: HookSpec;
  /** Where its records can be, and what is locked there. */
  readonly states?: StatesSpec;
  /** Variants of each move, by its name. */
  readonly moves: Readonly<Record<string, readonly MoveSpec[]>>;
  /** Whether the model has a chatter, and whether readers may comment. */
  readonly chatter?: { readonly readersComment?: boolean };
  /** Its records are about others (messages, activities): the fields that hold the model and the id. */
  readonly about?: AboutSpec;
  /** Its records are due at a time and are in the day of the people who have to see to them. */
  readonly due?: DueSpec;
  /**
   * The many2one to what its records are parts of: the rules of that record hold for them, on top of their own. To change a
   * part is to change the whole. A required many2one with `ondelete: 'cascade'` that is the inverse of a one2many is one by default.
   */
  readonly partOf?: string;
  /** The model has its own rules instead of those of the record it is part of; the text says why. */
  readonly ownRules?: string;
  /** Changes of it are neither published nor kept as change sets (sessions, logs, queues). */
  readonly quiet?: boolean;
  /** No agent changes it, whatever the owner of its key may: it says who may do what, or what runs by itself. */
  readonly closedToAgents?: boolean;
  /**
   * What a dialog asks for: each person sees only the rows that they made, no events are raised, and the rows are deleted after
   * a day.
   */
  readonly transient?: boolean;
  /** Answers calls from outside with what others keep: the model has no rows of its own, and no other ways to it. */
  readonly served?: ServedModel;
  /** `false`: the model has a `company_id` and yet rows of every company are shown (users, companies themselves). */
  readonly companyRule?: false;
  /** Composite indexes: `"state, -date_order"`. */
  readonly indexes: readonly string[];
}

export interface ModuleModels {
  readonly module: string;
  readonly definitions: readonly ModelDefinition[];
}
