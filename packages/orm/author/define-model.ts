import type { Env } from '../env.ts';
import type { FieldSpecs } from '../fields/spec.ts';
import type { ModelSpec } from '../model/define-model.ts';
import type { ModelDefinition } from '../model/definition.ts';
import type {
  ActionOf,
  ComputesOf,
  ConstraintsOf,
  HandlerOf,
  HooksOf,
  OnchangesOf,
  StateMachineOf,
} from './behaviour.ts';
import type { ModelName } from './models.ts';
import type { TypedEnv } from './typed-env.ts';
import type { RecordNamed } from './typed-field.ts';

type Plain = Omit<
  ModelSpec,
  'fields' | 'computes' | 'onchange' | 'constraints' | 'uniques' | 'actions' | 'hooks' | 'stateMachine'
>;

interface Behaviour<Rec, Face> extends Plain {
  readonly uniques?: Readonly<Record<string, UniqueOf<Rec>>>;
  readonly actions?: Readonly<Record<string, HandlerOf<Rec, Face> | ActionOf<Rec, Face>>>;
  readonly hooks?: HooksOf<Rec, Face>;
}
interface UniqueOf<Rec> {
  readonly fields: readonly (keyof Rec & string)[];
  readonly message?: string;
}

/** The parts whose paths are inferred, so that each function sees what its declaration loads. */
interface Derivations<Rec, Depends, Reads, Results, Watched, Held> {
  readonly computes?: ComputesOf<Rec, Depends>;
  readonly onchange?: OnchangesOf<Rec, Reads, Results>;
  readonly constraints?: ConstraintsOf<Rec, Watched>;
  readonly stateMachine?: StateMachineOf<Rec, Held>;
}

/** `defineModel` and `inheritModel` for models whose names are in `Bound`, with handlers that get an env of type `Face`. */
export type Define<Bound extends string, Face, Shape> = <
  Name extends Bound,
  const Depends,
  const Reads,
  Results,
  const Watched,
  const Held,
>(
  name: Name,
  spec: Shape &
    Behaviour<RecordNamed<Name>, Face> &
    Derivations<RecordNamed<Name>, Depends, Reads, Results, Watched, Held>,
) => ModelDefinition;

type New = { readonly fields: FieldSpecs };
type Extension = { readonly fields?: FieldSpecs };

/** For the kernel and tests: models that have not declared their records are not checked. */
export type DefineModel = Define<string, Env, New>;
export type InheritModel = Define<string, Env, Extension>;

/** For authors: every model is declared, and `env.model(name)` knows its fields. */
export type AuthorDefineModel = Define<ModelName, TypedEnv, New>;
export type AuthorInheritModel = Define<ModelName, TypedEnv, Extension>;
