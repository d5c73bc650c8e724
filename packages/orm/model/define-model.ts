import type { FieldSpecs } from '../fields/spec.ts';
import type {
  ComputeByFormula,
  ComputeSpec,
  ConstraintSpec,
  ExcludeSpec,
  FormulaConstraint,
  NormaliseSpec,
  OnchangeSpec,
  UniqueSpec,
} from './behaviour.ts';
import type { ChatterSpec } from './chatter-spec.ts';
import type { ActionHandler, ActionSpec, AcyclicSpec, ModelDefinition, MoveSpec, StatesSpec } from './definition.ts';
import { freezeData } from './freeze-data.ts';
import type { MailSpec } from './mail-spec.ts';
import type { DueSpec, HookSpec, ServedModel } from './model.ts';
import type { PortalSpec } from './portal-spec.ts';
import type { AboutSpec, TimelineSpec } from './timeline-spec.ts';

/** What an author writes; everything but `fields` of a new model may be left out. */
export interface ModelSpec {
  readonly label?: string;
  readonly was?: string | readonly string[];
  readonly joinedBy?: readonly string[];
  readonly order?: string;
  readonly displayName?: string;
  readonly fields: FieldSpecs;
  readonly computes?: Readonly<Record<string, ComputeSpec | ComputeByFormula>>;
  readonly onchange?: Readonly<Record<string, OnchangeSpec>>;
  readonly constraints?: Readonly<Record<string, ConstraintSpec | FormulaConstraint>>;
  readonly acyclic?: Readonly<Record<string, AcyclicSpec>>;
  readonly uniques?: Readonly<Record<string, UniqueSpec>>;
  readonly normalise?: Readonly<Record<string, NormaliseSpec>>;
  readonly excludes?: Readonly<Record<string, ExcludeSpec>>;
  readonly actions?: Readonly<Record<string, ActionHandler | ActionSpec>>;
  readonly hooks?: HookSpec;
  readonly states?: StatesSpec;
  /** Transitions from one state to another, by name. Several variants of a move may start in different states. */
  readonly moves?: Readonly<Record<string, MoveSpec | readonly MoveSpec[]>>;
  readonly chatter?: boolean | ChatterSpec;
  readonly about?: AboutSpec;
  readonly due?: DueSpec;
  readonly timeline?: Readonly<Record<string, TimelineSpec>>;
  readonly mail?: MailSpec;
  readonly portal?: PortalSpec;
  readonly partOf?: string;
  readonly ownRules?: string;
  readonly noCompany?: string;
  readonly quiet?: boolean;
  readonly cached?: boolean;
  readonly closedToAgents?: boolean;
  readonly transient?: boolean;
  readonly served?: ServedModel;
  readonly companyRule?: false;
  readonly indexes?: readonly string[];
}
export type InheritSpec = Omit<ModelSpec, 'fields' | 'was' | 'joinedBy'> & { readonly fields?: FieldSpecs };

/** A new model, of any name: for the kernel and for tests. Authors have stricter types, in `@kontor/addon`. */
export function defineModel(name: string, spec: ModelSpec): ModelDefinition {
  return define('model', name, spec);
}

/** Extends a model of another addon: fields are added or their attributes overridden, the rest is appended. */
export function inheritModel(name: string, spec: InheritSpec): ModelDefinition {
  return define('inherit', name, { ...spec, fields: spec.fields ?? {} });
}

function define(kind: ModelDefinition['kind'], name: string, spec: ModelSpec): ModelDefinition {
  const { actions = {}, moves = {}, chatter, ...rest } = spec;
  return freezeData({
    ...rest,
    kind,
    name,
    fields: { ...spec.fields },
    computes: { ...spec.computes },
    onchange: { ...spec.onchange },
    constraints: { ...spec.constraints },
    acyclic: { ...spec.acyclic },
    uniques: { ...spec.uniques },
    normalise: { ...spec.normalise },
    excludes: { ...spec.excludes },
    actions: Object.fromEntries(Object.entries(actions).map(([key, action]) => [key, actionSpec(action)])),
    moves: Object.fromEntries(
      Object.entries(moves).map(([key, declared]) => [key, isVariants(declared) ? declared : [declared]]),
    ),
    hooks: { ...spec.hooks },
    indexes: [...(spec.indexes ?? [])],
    ...(chatter ? { chatter: chatter === true ? {} : { ...chatter } } : {}),
  });
}

function actionSpec(action: ActionHandler | ActionSpec): ActionSpec {
  return typeof action === 'function' ? { run: action } : { ...action };
}

function isVariants(declared: MoveSpec | readonly MoveSpec[]): declared is readonly MoveSpec[] {
  return Array.isArray(declared);
}
