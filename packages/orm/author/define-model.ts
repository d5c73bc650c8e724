import type { Domain } from '@kontor/protocol';
import type { ModelSpec } from '../model/define-model.ts';
import type { ModelDefinition } from '../model/definition.ts';
import type { MailSpec } from '../model/mail-spec.ts';
import type { DueSpec } from '../model/model.ts';
import type { PortalSpec } from '../model/portal-spec.ts';
import type { HandlerOf } from './action.ts';
import type { Callable } from './asks.ts';
import type { ComputesOf, ConstraintsOf, HooksOf, NormaliseOf, OnchangesOf } from './behaviour.ts';
import type { DomainIn } from './domain.ts';
import type { Field, InferredPath, RelationKind, TraitsOf } from './field.ts';
import type { ModelName } from './models.ts';
import type { CheckedOrder } from './order.ts';
import type { FieldAt, FieldNamed, Names, NamesOfKind, PathIn } from './path.ts';
import type { ActionOf } from './states.ts';
import type { TypedEnv } from './typed-env.ts';

/** The type of a wrong field: the compiler's message then tells the field, the mistake, and the right names or type. */
interface WrongField<Name, Mistake, Right> {
  readonly wrong: readonly [Name, Mistake, Right];
}

/**
 * The fields, or their mistakes: paths of `related`, `from` and `follows`, inverses of one2many and company defaults
 * are checked here.
 */
export type FieldsIn<M extends ModelName, Map> = [MistakesIn<M, Map>] extends [never] ? Map : MistakesIn<M, Map>;
type MistakesIn<M extends ModelName, Map> = { [Name in keyof Map]-?: MistakeOf<M, Name, Map[Name]> }[keyof Map];
type MistakeOf<M extends ModelName, Name, F> = [InferredPath<TraitsOf<F>>] extends [never]
  ? MistakeOfOther<M, Name, F>
  : MistakeOfPath<M, Name, InferredPath<TraitsOf<F>>>;
type MistakeOfPath<M extends ModelName, Name, Path> = [FieldAt<M, Path>] extends [never]
  ? WrongField<Name, `there is no path ${Path & string}; there are`, PathIn<M, Path>>
  : never;
type MistakeOfOther<M extends ModelName, Name, F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends 'one2many'
      ? Inverse<Traits> extends InversesOf<Value & ModelName, M>
        ? never
        : WrongField<
            Name,
            `${Value & string} has no many2one ${Inverse<Traits>} to ${M}; it has`,
            InversesOf<Value & ModelName, M>
          >
      : [RelatedPath<Traits>] extends [never]
        ? MistakeOfDefault<Name, Kind, Value, CompanyField<Traits>>
        : [FieldAt<M, RelatedPath<Traits>>] extends [never]
          ? MistakeOfPath<M, Name, RelatedPath<Traits>>
          : FieldAt<M, RelatedPath<Traits>> extends Field<Kind, Value, unknown>
            ? never
            : WrongField<Name, `${RelatedPath<Traits>} is`, FieldAt<M, RelatedPath<Traits>>>
    : never;
type MistakeOfDefault<Name, Kind extends Field['type'], Value, Default> = [Default] extends [never]
  ? never
  : Default extends Names<Company>
    ? FieldNamed<Company, Default> extends Field<Kind, Value, unknown>
      ? never
      : NoCompanyField<Name, Default, Kind>
    : NoCompanyField<Name, Default, Kind>;
type NoCompanyField<Name, Default, Kind extends Field['type']> = WrongField<
  Name,
  `core.company has no ${Kind} ${Default & string}; it has`,
  NamesOfKind<Company, Kind>
>;
type Company = 'core.company' & ModelName;
/** A default of the wrong type is reported at the default; `string` is what remains of it here. */
type CompanyField<Traits> = Traits extends `company ${infer Name}` ? (string extends Name ? never : Name) : never;
type Inverse<Traits> = Traits extends `inverse ${infer Name}` ? Name : never;
/** The source of a field's value: `related`, `from` or `follows`. */
type RelatedPath<Traits> = Traits extends `related ${infer Path}` | `from ${infer Path}` ? Path : never;
type InversesOf<M extends ModelName, To> = {
  [Name in NamesOfKind<M, 'many2one'>]: FieldNamed<M, Name> extends Field<'many2one', To, unknown> ? Name : never;
}[NamesOfKind<M, 'many2one'>];

type Plain = Pick<
  ModelSpec,
  | 'label'
  | 'was'
  | 'joinedBy'
  | 'displayName'
  | 'chatter'
  | 'about'
  | 'timeline'
  | 'quiet'
  | 'cached'
  | 'closedToAgents'
  | 'transient'
  | 'served'
  | 'companyRule'
  | 'ownRules'
  | 'noCompany'
  | 'indexes'
>;

/**
 * The options of a model besides fields, states and moves. The type parameters are inferred, so that each function sees
 * exactly the paths that it declares.
 */
export interface Shape<M extends ModelName, O, Paths, Reads, Results, Watched, Wheres, Named extends string, Actions>
  extends Plain {
  readonly order?: CheckedOrder<M, O>;
  /** The many2one to the record that this one is part of: the rules of that record also apply to it. */
  readonly partOf?: NamesOfKind<M, 'many2one'>;
  /** When its records are due, for whom, and the actions that the home screen offers. */
  readonly due?: DueOf<M>;
  /** What an e-mail to its alias creates. */
  readonly mail?: MailOf<M>;
  /** What customers see of its records on their page, and what they may do there. */
  readonly portal?: PortalSpec<TypedEnv>;
  readonly computes?: ComputesOf<M, Paths>;
  readonly onchange?: OnchangesOf<M, Reads, Results>;
  readonly constraints?: ConstraintsOf<M, Watched>;
  /**
   * Relations in which records must not form a cycle: `waits: { over: ['depends_on_ids', 'child_ids'], message: … }`.
   */
  readonly acyclic?: Readonly<Record<string, AcyclicOf<M>>>;
  readonly uniques?: UniquesOf<M, Wheres>;
  /** Normalises values before they are stored, whatever their source, and in forms. */
  readonly normalise?: Readonly<Record<string, NormaliseOf<M>>>;
  /** Ranges that must not overlap: `{ once: { same: ['product_id'], range: ['date_from', 'date_to'], message: … } }`. */
  readonly excludes?: Readonly<Record<string, ExcludeOf<M>>>;
  readonly hooks?: HooksOf<M>;
  /** `Named` is inferred on its own: TypeScript infers nothing else from an object whose only property is a function with untyped parameters. */
  readonly actions?: { readonly [Name in Named]: object } & {
    readonly [Name in keyof Actions]: ActionOf<M, Actions[Name]> | HandlerOf<M>;
  };
}
type DueOf<M extends ModelName> = DueSpec & {
  readonly date: NamesOfKind<M, 'date' | 'datetime'>;
  readonly by: NamesOfKind<M, 'many2one' | 'many2many'>;
};
interface MailOf<M extends ModelName> extends Omit<MailSpec, 'creates'> {
  readonly creates: { readonly [Name in Names<M>]?: MailSpec['creates'][string] };
}
interface AcyclicOf<M extends ModelName> {
  /** Relations between records of the model. A cycle may use several of them. */
  readonly over: readonly NamesTo<M>[];
  readonly message: string;
  /** The field of the message; by default the first of `over`. */
  readonly field?: Names<M>;
}
type NamesTo<M extends ModelName> = {
  [Name in NamesOfKind<M, RelationKind>]: FieldNamed<M, Name> extends Field<RelationKind, M, unknown> ? Name : never;
}[NamesOfKind<M, RelationKind>];
type UniquesOf<M extends ModelName, Wheres> = {
  readonly [Name in keyof Wheres]: {
    readonly fields: readonly Names<M>[];
    /** Limits the rule to matching rows. It may use stored fields of the model and constants. */
    readonly where?: DomainIn<M, Wheres[Name]>;
    readonly message?: string;
  };
};

interface ExcludeOf<M extends ModelName> {
  readonly same?: readonly NamesOfKind<M, 'many2one' | 'integer' | 'date' | 'boolean'>[];
  readonly range: readonly [from: RangeNames<M>, to: RangeNames<M>];
  readonly where?: Domain;
  readonly message: string;
}
type RangeNames<M extends ModelName> = NamesOfKind<M, 'date' | 'datetime' | 'integer' | 'decimal' | 'monetary'>;

declare const calls: unique symbol;
/** A definition that knows its moves and actions, and what they ask for. */
export interface Definition<out Moves, out Named, out Actions> extends ModelDefinition {
  readonly [calls]?: readonly [Moves, Named, Actions];
}
/**
 * The base of an interface in `Calls`: the moves and actions of a definition. An addon that extends another's move or action omits
 * it: `Omit<CallsOf<typeof orderOfLead>, 'confirm'>`.
 * ```ts
 * export const polite = inheritModel('core.partner', { actions: { greet: async () => {} } });
 * export interface PoliteCalls extends CallsOf<typeof polite> {}
 * ```
 */
export type CallsOf<D> =
  D extends Definition<infer Moves, infer Named, infer Actions>
    ? { readonly [Name in keyof Moves]: Callable<Moves[Name]> } & {
        readonly [Name in Named & string]: Callable<Name extends keyof Actions ? Actions[Name] : unknown>;
      }
    : never;
