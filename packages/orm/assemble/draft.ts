import type { FieldSpec } from '../fields/spec.ts';
import type {
  ComputeByFormula,
  ComputeSpec,
  ConstraintSpec,
  ExcludeSpec,
  FormulaConstraint,
  NormaliseSpec,
  OnchangeSpec,
  UniqueSpec,
} from '../model/behaviour.ts';
import type { ChatterSpec } from '../model/chatter-spec.ts';
import type { ActionSpec, AcyclicSpec, MoveSpec, StatesSpec } from '../model/definition.ts';
import type { MailSpec } from '../model/mail-spec.ts';
import type { DueSpec, HookSpec, ServedModel } from '../model/model.ts';
import type { PortalSpec } from '../model/portal-spec.ts';
import type { AboutSpec, TimelineSpec } from '../model/timeline-spec.ts';

/** A part of a definition with the module that declared it: errors name the module. */
export interface Declared<Value> {
  readonly module: string;
  readonly value: Value;
}

/** A model while definitions are merged into it. */
export interface Draft {
  readonly name: string;
  readonly module: string;
  label: string | undefined;
  was: readonly string[];
  joinedBy: readonly string[];
  order: Declared<string> | undefined;
  displayName: Declared<string> | undefined;
  chatter: Required<ChatterSpec> | null;
  about: Declared<AboutSpec> | null;
  due: Declared<DueSpec> | null;
  readonly timeline: Map<string, Declared<TimelineSpec>>;
  mail: Declared<MailSpec> | null;
  portal: Declared<PortalSpec> | null;
  partOf: Declared<string> | null;
  ownRules: string | null;
  noCompany: string | null;
  quiet: boolean;
  cached: boolean;
  closedToAgents: boolean;
  transient: boolean;
  served: ServedModel | null;
  companyRule: boolean;
  readonly fields: Map<string, Declared<FieldSpec>>;
  readonly computes: Map<string, Declared<ComputeSpec>>;
  readonly onchange: Map<string, Declared<OnchangeSpec>[]>;
  readonly constraints: Map<string, Declared<ConstraintSpec>>;
  /** Constraints as formulas, until they are compiled. */
  readonly formulas: Map<string, Declared<FormulaConstraint>>;
  /** Computes as formulas, until they are compiled. */
  readonly computeFormulas: Map<string, Declared<ComputeByFormula>>;
  readonly acyclic: Map<string, Declared<AcyclicSpec>>;
  readonly uniques: Map<string, Declared<UniqueSpec>>;
  readonly normalise: Map<string, Declared<NormaliseSpec>>;
  readonly excludes: Map<string, Declared<ExcludeSpec>>;
  readonly actions: Map<string, Declared<ActionSpec>[]>;
  readonly moves: Map<string, Declared<readonly MoveSpec[]>[]>;
  readonly states: Declared<StatesSpec>[];
  readonly hooks: Declared<HookSpec>[];
  readonly indexes: Declared<string>[];
}
export type Drafts = ReadonlyMap<string, Draft>;

export function newDraft(name: string, module: string): Draft {
  return {
    name,
    module,
    label: undefined,
    was: [],
    joinedBy: [],
    order: undefined,
    displayName: undefined,
    chatter: null,
    about: null,
    due: null,
    timeline: new Map(),
    mail: null,
    portal: null,
    partOf: null,
    ownRules: null,
    noCompany: null,
    quiet: false,
    cached: false,
    closedToAgents: false,
    transient: false,
    served: null,
    companyRule: true,
    fields: new Map(),
    computes: new Map(),
    onchange: new Map(),
    constraints: new Map(),
    formulas: new Map(),
    computeFormulas: new Map(),
    acyclic: new Map(),
    uniques: new Map(),
    normalise: new Map(),
    excludes: new Map(),
    actions: new Map(),
    moves: new Map(),
    states: [],
    hooks: [],
    indexes: [],
  };
}
