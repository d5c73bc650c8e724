import type { Domain, DomainOperator, Words } from '@kontor/protocol';
import type { Decimal } from '../decimal.ts';
import type { StateMachineInput } from '../model/define-model.ts';
import type { ActionAnswer, ActionSpec, ComputeContext } from '../model/definition.ts';
import type { Draft, LinePath, LinesOf, Loaded, NoSuchField, PathIn } from './path.ts';
import type { Computed, ValuesOf } from './values.ts';

/** Aggregates over lines, worked out by the database in one statement. */
export type AggregateOf<Rec> =
  | { readonly sum: LinePath<Rec, number | Decimal> }
  | { readonly count: LinesOf<Rec> }
  | { readonly min: LinePath<Rec, number | Decimal | string> }
  | { readonly max: LinePath<Rec, number | Decimal | string> };

/** `depends` is fetch plan and invalidation graph in one, so `value` sees those paths and nothing else. */
export interface ComputeOf<Rec, Name, Path> {
  readonly depends: readonly PathIn<Rec, Path>[];
  value(
    record: Loaded<Rec, Path>,
    context: ComputeContext,
  ): Name extends keyof Rec ? Computed<Rec[Name]> : NoSuchField<Name, keyof Rec>;
  /** Makes a field that is not stored searchable: the domain that stands for `field operator value`. */
  search?(operator: DomainOperator, value: unknown): Domain;
}
export type ComputesOf<Rec, Paths> = {
  readonly [Name in keyof Paths]: ComputeOf<Rec, Name, Paths[Name]> | AggregateOf<Rec>;
};

/** The long form of what an onchange gives. */
export interface AnswerOf<Rec> {
  readonly answer: {
    readonly value?: PatchOf<Rec>;
    readonly warning?: { readonly title: Words; readonly message: Words };
    readonly domain?: { readonly [Name in keyof Rec & string]?: Domain };
  };
}
/** New values; undefined leaves a field as it is. */
type PatchOf<Rec> = { readonly [Name in keyof ValuesOf<Rec>]?: ValuesOf<Rec>[Name] | undefined };
type Changed<Rec> = PatchOf<Rec> | AnswerOf<Rec> | undefined;

type OnchangesBy<Rec, Paths> = {
  readonly [Name in keyof Paths]: {
    readonly reads?: readonly PathIn<Rec, Paths[Name]>[];
    value(draft: Draft<Rec, Paths[Name]>): Changed<Rec>;
  };
};
/** A function's result is not checked for fields too many, so its type is inferred and compared. */
type OnchangeResults<Rec, Results> = {
  readonly [Name in keyof Results]: {
    value(
      draft: never,
    ): Name extends keyof Rec ? (Results[Name] & Exact<Rec, Results[Name]>) | undefined : NoSuchField<Name, keyof Rec>;
  };
};
type Exact<Rec, Result> =
  Result extends AnswerOf<Rec>
    ? unknown
    : { readonly [Name in Exclude<keyof Result, keyof ValuesOf<Rec>>]: NoSuchField<Name, keyof ValuesOf<Rec>> };
/** Where no onchange has `reads`, there is nothing to infer paths from. */
type OnchangesWithoutReads<Rec, Paths> = unknown extends Paths
  ? { readonly [Name in keyof Rec]?: { value(draft: Draft<Rec, never>): Changed<Rec> } }
  : unknown;
export type OnchangesOf<Rec, Paths, Results> = OnchangesBy<Rec, Paths> &
  OnchangesWithoutReads<Rec, Paths> &
  OnchangeResults<Rec, Results>;

export type ConstraintsOf<Rec, Paths> = {
  readonly [Name in keyof Paths]: {
    /** Fields whose change makes the check run. */
    readonly on: readonly (Paths[Name] & keyof Rec)[];
    /** Further paths that `holds` reads. */
    readonly reads?: readonly PathIn<Rec, Paths[Name]>[];
    holds(record: Loaded<Rec, Paths[Name]>): boolean;
    readonly message: string;
    /** Where the message is shown; the first of `on` when absent. */
    readonly field?: keyof Rec & string;
  };
};

/** Paths are inferred by condition, so that `holds` sees what is loaded for it. */
export interface StateMachineOf<Rec, Held> extends Omit<StateMachineInput, 'field' | 'conditions'> {
  readonly field: keyof Rec & string;
  readonly conditions?: {
    readonly [Name in keyof Held]: {
      readonly reads: readonly PathIn<Rec, Held[Name]>[];
      holds(record: Loaded<Rec, Held[Name]>): boolean;
      readonly message: string;
    };
  };
}

/** The records an action was called on. `Face` is the env as the author sees it. */
export interface RecordsOf<Rec> {
  readonly ids: readonly number[];
  load<const Path extends string>(...paths: readonly PathIn<Rec, Path>[]): Promise<readonly Loaded<Rec, Path>[]>;
}
export interface CallOf<Rec, Face> {
  readonly env: Face;
  readonly records: RecordsOf<Rec>;
  readonly params: Readonly<Record<string, string>>;
}
export type HandlerOf<Rec, Face> = (
  call: CallOf<Rec, Face>,
  base: (call: CallOf<Rec, Face>) => Promise<ActionAnswer>,
) => Promise<ActionAnswer>;
export interface ActionOf<Rec, Face> extends Omit<ActionSpec, 'run'> {
  readonly run: HandlerOf<Rec, Face>;
}

/** Reactions in the transaction of the change. */
export interface HooksOf<Rec, Face> {
  beforeCreate?(call: {
    readonly env: Face;
    readonly values: readonly ValuesOf<Rec>[];
  }): Promise<readonly ValuesOf<Rec>[]>;
  afterCreate?(call: {
    readonly env: Face;
    readonly ids: readonly number[];
    readonly values: readonly ValuesOf<Rec>[];
  }): Promise<void>;
  beforeWrite?(call: {
    readonly env: Face;
    readonly ids: readonly number[];
    readonly values: ValuesOf<Rec>;
  }): Promise<ValuesOf<Rec>>;
  afterWrite?(call: {
    readonly env: Face;
    readonly ids: readonly number[];
    readonly values: ValuesOf<Rec>;
  }): Promise<void>;
  beforeUnlink?(call: { readonly env: Face; readonly ids: readonly number[] }): Promise<void>;
  afterUnlink?(call: { readonly env: Face; readonly ids: readonly number[] }): Promise<void>;
}
