import type { FieldSpec } from '../../fields/spec.ts';
import type { ComputeSpec, ConstraintSpec, OnchangeSpec, UniqueSpec } from '../behaviour.ts';
import type { ActionSpec, AcyclicSpec, MoveSpec, StatesSpec } from '../definition.ts';
import type { AboutSpec, HookSpec } from '../model.ts';

/** Something with the module that said it, so that a mistake can be laid at its door. */
export interface Said<Value> {
  readonly module: string;
  readonly value: Value;
}

/** A model while definitions are merged into it. */
export interface Draft {
  readonly name: string;
  readonly module: string;
  label: string | undefined;
  order: Said<string> | undefined;
  displayName: Said<string> | undefined;
  chatter: { readonly readersComment: boolean } | null;
  about: Said<AboutSpec> | null;
  partOf: Said<string> | null;
  ownRules: string | null;
  quiet: boolean;
  transient: boolean;
  companyRule: boolean;
  readonly fields: Map<string, Said<FieldSpec>>;
  readonly computes: Map<string, Said<ComputeSpec>>;
  readonly onchange: Map<string, Said<OnchangeSpec>[]>;
  readonly constraints: Map<string, Said<ConstraintSpec>>;
  readonly acyclic: Map<string, Said<AcyclicSpec>>;
  readonly uniques: Map<string, Said<UniqueSpec>>;
  readonly actions: Map<string, Said<ActionSpec>[]>;
  readonly moves: Map<string, Said<readonly MoveSpec[]>[]>;
  readonly states: Said<StatesSpec>[];
  readonly hooks: HookSpec[];
  readonly indexes: Said<string>[];
}
export type Drafts = ReadonlyMap<string, Draft>;

export function newDraft(name: string, module: string): Draft {
  return {
    name,
    module,
    label: undefined,
    order: undefined,
    displayName: undefined,
    chatter: null,
    about: null,
    partOf: null,
    ownRules: null,
    quiet: false,
    transient: false,
    companyRule: true,
    fields: new Map(),
    computes: new Map(),
    onchange: new Map(),
    constraints: new Map(),
    acyclic: new Map(),
    uniques: new Map(),
    actions: new Map(),
    moves: new Map(),
    states: [],
    hooks: [],
    indexes: [],
  };
}
