import type { DefineModel, InheritModel } from '../author/define-model.ts';
import type { FieldSpecs } from '../fields/spec.ts';
import type {
  ActionHandler,
  ActionSpec,
  ComputeSpec,
  ConstraintSpec,
  HookSpec,
  ModelDefinition,
  OnchangeSpec,
  UniqueSpec,
} from './definition.ts';

/** What an author writes; everything but `fields` of a new model may be left out. */
export interface ModelSpec {
  readonly label?: string;
  readonly order?: string;
  readonly displayName?: string;
  readonly fields: FieldSpecs;
  readonly computes?: Readonly<Record<string, ComputeSpec>>;
  readonly onchange?: Readonly<Record<string, OnchangeSpec>>;
  readonly constraints?: Readonly<Record<string, ConstraintSpec>>;
  readonly uniques?: Readonly<Record<string, UniqueSpec>>;
  readonly actions?: Readonly<Record<string, ActionHandler | ActionSpec>>;
  readonly hooks?: HookSpec;
  readonly chatter?: boolean | { readonly readersComment?: boolean };
  readonly quiet?: boolean;
  readonly companyRule?: false;
  readonly indexes?: readonly string[];
}
export type InheritSpec = Omit<ModelSpec, 'fields'> & { readonly fields?: FieldSpecs };

/** A new model. */
export const defineModel = ((name: string, spec: ModelSpec) => define('model', name, spec)) as unknown as DefineModel;

/** Extends a model of another addon: fields are added or their attributes overridden, the rest is appended. */
export const inheritModel = ((name: string, spec: InheritSpec) =>
  define('inherit', name, { ...spec, fields: spec.fields ?? {} })) as unknown as InheritModel;

function define(kind: ModelDefinition['kind'], name: string, spec: ModelSpec): ModelDefinition {
  const { actions, chatter, ...rest } = spec;
  return Object.freeze({
    ...rest,
    kind,
    name,
    fields: Object.freeze({ ...spec.fields }),
    computes: freezeEach(spec.computes),
    onchange: freezeEach(spec.onchange),
    constraints: freezeEach(spec.constraints),
    uniques: freezeEach(spec.uniques),
    actions: Object.freeze(
      Object.fromEntries(Object.entries(actions ?? {}).map(([key, action]) => [key, actionSpec(action)])),
    ),
    hooks: Object.freeze({ ...spec.hooks }),
    indexes: Object.freeze([...(spec.indexes ?? [])]),
    ...(chatter ? { chatter: Object.freeze(chatter === true ? {} : { ...chatter }) } : {}),
  });
}

function actionSpec(action: ActionHandler | ActionSpec): ActionSpec {
  return Object.freeze(typeof action === 'function' ? { run: action } : { ...action });
}

function freezeEach<Item extends object>(items: Readonly<Record<string, Item>> = {}): Readonly<Record<string, Item>> {
  for (const item of Object.values(items)) Object.freeze(item);
  return Object.freeze({ ...items });
}
