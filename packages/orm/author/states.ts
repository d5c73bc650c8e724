import type { ActionSpec, MoveSpec, StagesSpec } from '../model/definition.ts';
import type { HandlerOf, ProposerOf } from './action.ts';
import type { Field, FieldMap, SetNames, ValueOf } from './field.ts';
import type { NowSource, RecordSource, SequenceSource, TodaySource } from './field-options.ts';
import type { GroupName, ModelName } from './models.ts';
import type { FieldNamed, Names, NamesOfKind, PathIn, Target } from './path.ts';
import type { Loaded, RecordOf } from './record.ts';
import type { Input, Settable } from './values.ts';

/** The values of a selection. */
export type StateNames<M extends ModelName, S> = ValueOf<FieldNamed<M, S>> & string;

/** The values of a selection, and the names of its sets. */
type StatesAndSets<M extends ModelName, S> = StateNames<M, S> | SetNames<FieldNamed<M, S>>;

/** Paths are inferred per condition, so that `holds` sees its loaded paths. */
type ConditionsOf<M extends ModelName, Held> = {
  readonly [Name in keyof Held]:
    | {
        /** Paths that `holds` reads. */
        readonly reads: readonly PathIn<M, Held[Name]>[];
        readonly holds: (record: Loaded<M, Held[Name]>) => boolean;
        /** The error message; it should say what to do. */
        readonly message: string;
      }
    | FormulaCondition;
};
/** A condition as a formula that gives yes or no. */
interface FormulaCondition {
  readonly formula: string;
  /** The error message; it should say what to do. */
  readonly message: string;
}
/** `Stage` names the many2one to the stage. */
interface StagesOf<M extends ModelName, State, Stage> extends Pick<StagesSpec, 'ownFirst'> {
  readonly field: Stage;
  /** Returns the state of a stage, from its stored fields. */
  readonly state: (stage: RecordOf<Target<M, Stage>>) => State | null;
  /** Field of the stage to field of the record: with `{ team_id: 'team_id' }` a stage with a team is only for records of that team. */
  readonly within?: { readonly [Name in Names<Target<M, Stage>>]?: Names<M> };
  /** The many2one that stores the stage before the last change of state. */
  readonly before?: NamesOfKind<M, 'many2one'>;
}

/** For an addon that extends states; `field` tells the compiler the valid names. */
export interface MoreStatesOf<M extends ModelName, S, Stage, Held> {
  readonly field?: S;
  /** Allowed states of a new record; default: the default of the field. */
  readonly initial?: StateNames<M, S> | readonly StateNames<M, S>[];
  /** States in which a record may be deleted; default: any. */
  readonly removable?: readonly StatesAndSets<M, S>[];
  /** States of abandoned records: cancelled, lost. The status bar shows them only for such records, and no step as done. */
  readonly abandoned?: readonly StatesAndSets<M, S>[];
  /**
   * Fields that cannot change in a state; `all` means all except state, stage, `active`, `sequence` and computed
   * fields.
   */
  readonly locks?: { readonly [State in StatesAndSets<M, S>]?: 'all' | readonly Names<M>[] };
  /** Finer steps that users define; each belongs to one state. */
  readonly stages?: StagesOf<M, StateNames<M, S>, Stage>;
  /** Conditions for `needs` of moves, by name. */
  readonly conditions?: ConditionsOf<M, Held>;
}
/** The states of a record, the fields that are locked in them, and finer steps that users define. */
export interface StatesOf<M extends ModelName, S, Stage, Held> extends MoreStatesOf<M, S, Stage, Held> {
  /** The selection with the names and labels of the states. */
  readonly field: S;
}

/** The values of a move: constants, sources such as `now`, `sequence`, or `answer` for the answer of the same name. */
type SetsOf<M extends ModelName, Asked> = {
  readonly [Name in Settable<M>]?:
    | Input<FieldNamed<M, Name>>
    | SourceOf<FieldNamed<M, Name>, NamesOfKind<M, 'date'>>
    | (Name extends keyof Asked ? { readonly source: 'answer' } : never);
};
type SourceOf<F, Dates> =
  F extends Field<infer Kind, infer Value, unknown>
    ? Kind extends 'date'
      ? TodaySource
      : Kind extends 'datetime'
        ? NowSource
        : Kind extends 'many2one'
          ? RecordSource<Value>
          : Kind extends 'char'
            ? SequenceSource<Dates>
            : never
    : never;

type Shown = Pick<MoveSpec, 'icon' | 'warns' | 'refusal' | 'danger' | 'undo'>;
/** An addon that extends a move declares only what it adds. */
interface MoreOfMove<M extends ModelName, S, Needs, Asked> extends Shown {
  /** States, and sets of them. */
  readonly from?: StatesAndSets<M, S> | readonly StatesAndSets<M, S>[];
  readonly to?: StateNames<M, S>;
  /** From states in which the extended move did not start, it does what its first variant does. */
  readonly inherits?: true;
  readonly label?: string;
  /** Names of conditions that the record must satisfy when the operation ends. */
  readonly needs?: readonly Needs[];
  /** Values that it sets, also on a plain write of the state. */
  readonly sets?: SetsOf<M, Asked>;
  /** Fields that a dialog asks for first. */
  readonly asks?: Asked & FieldMap;
  readonly proposes?: ProposerOf<M, Asked>;
  /** Groups that may make it; default: everyone who may write the records. */
  readonly groups?: readonly GroupName[];
  /** Runs after the change of state. */
  readonly run?: HandlerOf<M, Asked>;
}
/** A transition from some states to another. */
interface MoveOf<M extends ModelName, S, Needs, Asked> extends MoreOfMove<M, S, Needs, Asked> {
  readonly from: StatesAndSets<M, S> | readonly StatesAndSets<M, S>[];
  readonly to: StateNames<M, S>;
  readonly label: string;
}

/** Several variants of a move start in different states. */
export type MovesOf<M extends ModelName, S, Needs, Asked> =
  | MoveOf<M, S, Needs, Asked>
  | readonly MoveOf<M, S, Needs, Asked>[];
/** Conditions may be those of the extended addon, so their names are checked when the models are assembled. */
export type MoreMovesOf<M extends ModelName, S, Asked> =
  | MoreOfMove<M, S, string, Asked>
  | readonly MoreOfMove<M, S, string, Asked>[];

export interface ActionOf<M extends ModelName, Asked>
  extends Pick<ActionSpec, 'label' | 'icon' | 'warns' | 'mails' | 'needs' | 'single'> {
  /** Fields that a dialog asks for first. */
  readonly asks?: Asked & FieldMap;
  readonly proposes?: ProposerOf<M, Asked>;
  /** Groups that may run it; default: everyone who may write the records. */
  readonly groups?: readonly GroupName[];
  readonly run: HandlerOf<M, Asked>;
}
