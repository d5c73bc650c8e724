import type { DomainOperator, Domain as LooseDomain, Words } from '@kontor/protocol';
import type { ComputeContext } from '../model/behaviour.ts';
import type { DateKind, ExactKind, Field, ManyKind, NumberKind, TextKind, TraitsOf } from './field.ts';
import type { ModelName } from './models.ts';
import type { FieldNamed, Names, NamesOfKind, NamesWith, PathIn, Target } from './path.ts';
import type { Draft, Loaded } from './record.ts';
import type { TypedEnv } from './typed-env.ts';
import type { CastValues, Computed, HookValues, OrNull, WriteValues } from './values.ts';

/** The type of a wrong name: the compiler's message then names it and lists the right ones. */
interface NotComputed<Name, Known> {
  readonly 'not declared as computed; these are': readonly [Name, Known];
}
interface NoSuchField<Name, Known> {
  readonly 'no such field; known are': readonly [Name, Known];
}

type LinePath<M extends ModelName, Kind extends Field['type']> = {
  [Name in NamesOfKind<M, ManyKind>]: `${Name}.${NamesOfKind<Target<M, Name>, Kind>}`;
}[NamesOfKind<M, ManyKind>];
type Added = NumberKind | ExactKind;
type Ordered = Added | DateKind | TextKind;
/** Aggregates over lines, computed by the database in one statement. */
type AggregateOf<M extends ModelName> = (
  | { readonly sum: LinePath<M, Added> }
  | {
      readonly count: NamesOfKind<M, ManyKind>;
      /** In a tree, for a count that is not stored: lines of the records below count as well, as `openRelated` shows them. */
      readonly below?: boolean;
    }
  | { readonly min: LinePath<M, Ordered> }
  | { readonly max: LinePath<M, Ordered> }
) & {
  /** Why all records are counted, including those that the reader may not read. */
  readonly asServer?: string;
};

/** A formula over the record and its many2ones. */
interface FormulaOf {
  readonly formula: string;
  /** Reads with the rights of the server instead of the reader's or creator's; the text is the reason. */
  readonly asServer?: string;
}

/** Only editable computes may use the user and the time of day: other values are the same for everyone. */
type ContextOf<M extends ModelName, Name> =
  'editable' extends TraitsOf<FieldNamed<M, Name>> ? EditableContext<M> : Pick<ComputeContext, 'registry' | 'today'>;
interface EditableContext<M extends ModelName> extends Omit<ComputeContext, 'user' | 'company' | 'changed'> {
  /** The user who creates or changes the record; null for the server. */
  readonly user: Loaded<'core.user' & ModelName> | null;
  /** The active company of the user. */
  readonly company: Loaded<'core.company' & ModelName> | null;
  /** Whether this call changes the field; true for every field of a new record. */
  changed(name: Names<M>): boolean;
}

/** The paths in `depends` are loaded and make the value stale, so `value` sees only these paths. */
interface ComputeOf<M extends ModelName, Name, Path> {
  readonly depends: readonly PathIn<M, Path>[];
  /** The record may be a draft, in which required values are missing. */
  readonly value: (draft: Draft<M, Path>, context: ContextOf<M, Name>) => Computed<M, Name>;
  /** Reads with the rights of the server instead of the reader's or creator's; the text is the reason. */
  readonly asServer?: string;
  /**
   * A stored value that uses `today` is calculated again when a day begins in the time zone of the record's company.
   */
  readonly changes?: 'daily';
  /** Makes a field that is not stored searchable: returns the domain for `field operator value`. */
  readonly search?: (operator: DomainOperator, value: unknown) => LooseDomain;
}
export type ComputesOf<M extends ModelName, Paths> = {
  readonly [Name in keyof Paths]: Name extends NamesWith<M, 'computed'>
    ? ComputeOf<M, Name, Paths[Name]> | AggregateOf<M> | FormulaOf
    : NotComputed<Name, NamesWith<M, 'computed'>>;
} & { readonly [Name in NamesWith<M, 'computed'>]?: object };

/** The long form of the result of an onchange. */
interface AnswerOf<M extends ModelName> {
  readonly answer: {
    readonly value?: PatchOf<M>;
    readonly warning?: { readonly title: Words; readonly message: Words };
    readonly domain?: { readonly [Name in Names<M>]?: LooseDomain };
  };
}
/** New values; undefined leaves a field as it is. */
type PatchOf<M extends ModelName> = { readonly [Name in keyof WriteValues<M>]?: WriteValues<M>[Name] | undefined };
type Changed<M extends ModelName> = PatchOf<M> | AnswerOf<M> | undefined;

type OnchangesBy<M extends ModelName, Paths> = {
  readonly [Name in keyof Paths]: {
    /** Runs only where somebody changes the field, not where a compute or another handler does. */
    readonly byHand?: boolean;
    readonly reads?: readonly PathIn<M, Paths[Name]>[];
    value(draft: Draft<M, Names<M> | Paths[Name]>): Changed<M>;
  };
};
/** TypeScript does not reject extra fields in a function's result, so the type is inferred and compared here. */
type OnchangeResults<M extends ModelName, Results> = {
  readonly [Name in keyof Results]: {
    value(
      draft: never,
    ): Name extends Names<M> ? (Results[Name] & Exact<M, Results[Name]>) | undefined : NoSuchField<Name, Names<M>>;
  };
};
type Exact<M extends ModelName, Result> =
  Result extends AnswerOf<M>
    ? unknown
    : {
        readonly [Name in Exclude<keyof Result, keyof WriteValues<M>>]: NoSuchField<Name, keyof WriteValues<M>>;
      };
/** Without `reads` in any onchange, there is nothing to infer paths from. */
type OnchangesWithoutReads<M extends ModelName, Paths> = unknown extends Paths
  ? { readonly [Name in Names<M>]?: { readonly byHand?: boolean; value(draft: Draft<M, Names<M>>): Changed<M> } }
  : unknown;
export type OnchangesOf<M extends ModelName, Paths, Results> = OnchangesBy<M, Paths> &
  OnchangesWithoutReads<M, Paths> &
  OnchangeResults<M, Results>;

type NameIn<M extends ModelName, Text> = Text extends Names<M> ? Text : Names<M>;
export type ConstraintsOf<M extends ModelName, Paths> = {
  readonly [Name in keyof Paths]:
    | {
        /** Fields whose change triggers the check. */
        readonly on: readonly NameIn<M, Paths[Name]>[];
        /** Additional paths that `holds` reads. */
        readonly reads?: readonly PathIn<M, Paths[Name]>[];
        holds(record: Loaded<M, Paths[Name]>): boolean;
        readonly message: string;
        /** The field of the message; by default the first of `on`. */
        readonly field?: Names<M>;
        /** Many2ones whose records are locked first: concurrent operations on the same record wait for each other. */
        readonly serialize?: readonly NamesOfKind<M, 'many2one'>[];
      }
    /** A formula that gives yes or no. It is checked when a field changes that it reads, not when linked records do. */
    | {
        readonly formula: string;
        /** Fields whose change triggers the check; by default those of the record that the formula reads. */
        readonly on?: readonly Names<M>[];
        readonly message: string;
        readonly field?: Names<M>;
        readonly serialize?: readonly NamesOfKind<M, 'many2one'>[];
      };
};

export interface NormaliseOf<M extends ModelName> {
  /** It runs if one of these fields is given a value. */
  readonly on: readonly Names<M>[];
  /** Additional stored fields of the record that `value` reads. */
  readonly reads?: readonly Names<M>[];
  /** The values to store instead, or in addition; undefined: unchanged. */
  value(
    record: OrNull<CastValues<M>>,
    context: {
      /** The stored record; null for a new one. */
      readonly before: CastValues<M> | null;
      /** Whether the call gives the field a value. */
      given(name: Names<M>): boolean;
    },
  ): PatchOf<M> | undefined;
}

/**
 * The argument of a `beforeWrite`, for hooks in separate functions.
 * ```ts
 * const trimCity = async ({ values }: WriteCall<'core.partner'>) =>
 *   values.city ? { ...values, city: values.city.trim() } : values;
 * ```
 */
export interface WriteCall<M extends ModelName> {
  readonly env: TypedEnv;
  readonly ids: readonly number[];
  readonly values: OrNull<CastValues<M>>;
}

/** Reactions in the transaction of the change. Values are cast before a hook sees them, and again when it returns others. */
export interface HooksOf<M extends ModelName> {
  /**
   * `beforeWrite` and `afterWrite` run only for writes that set one of these fields; by default for every write, which
   * then never uses the one-statement path.
   */
  readonly on?: readonly Names<M>[];
  beforeCreate?(call: {
    readonly env: TypedEnv;
    readonly values: readonly OrNull<CastValues<M>>[];
  }): Promise<readonly HookValues<M>[]>;
  afterCreate?(call: {
    readonly env: TypedEnv;
    readonly ids: readonly number[];
    readonly values: readonly CastValues<M>[];
  }): Promise<void>;
  beforeWrite?(call: WriteCall<M>): Promise<HookValues<M>>;
  afterWrite?(call: {
    readonly env: TypedEnv;
    readonly ids: readonly number[];
    readonly values: CastValues<M>;
  }): Promise<void>;
  beforeUnlink?(call: { readonly env: TypedEnv; readonly ids: readonly number[] }): Promise<void>;
  afterUnlink?(call: { readonly env: TypedEnv; readonly ids: readonly number[] }): Promise<void>;
}
