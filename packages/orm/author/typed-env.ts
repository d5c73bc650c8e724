import type { DomainOperator } from '@kontor/protocol';
import type { Actor, Env } from '../env.ts';
import type { ActionAnswer } from '../model/definition.ts';
import type { GroupRow, GroupSpec, SearchOptions, WireRecord } from '../records/records.ts';
import type { ModelName, Models } from './models.ts';
import type { Loaded, PathIn } from './path.ts';
import type { ItemIn, Projected, ProjectionItem } from './projected.ts';
import type { ValuesOf } from './values.ts';

/** A domain whose paths are checked. */
export type DomainOf<Rec, Path> = readonly (
  | readonly [path: PathIn<Rec, Path>, operator: DomainOperator, value: unknown]
  | '&'
  | '|'
  | '!'
)[];

/** Everything that can be done to the records of one model, under the rights of its env. */
export interface ModelRecords<Rec> {
  search<const Path extends string>(domain?: DomainOf<Rec, Path>, options?: SearchOptions): Promise<number[]>;
  count<const Path extends string>(domain?: DomainOf<Rec, Path>): Promise<number>;
  /** Without `fields`: every readable stored field. */
  searchRead<const Path extends string>(domain: DomainOf<Rec, Path>): Promise<WireRecord[]>;
  searchRead<const Path extends string, const Item extends ProjectionItem>(
    domain: DomainOf<Rec, Path>,
    fields: readonly ItemIn<Rec, Item>[],
    options?: SearchOptions,
  ): Promise<Projected<Rec, Item>[]>;
  read(ids: readonly number[]): Promise<WireRecord[]>;
  read<const Item extends ProjectionItem>(
    ids: readonly number[],
    fields: readonly ItemIn<Rec, Item>[],
  ): Promise<Projected<Rec, Item>[]>;
  readGroup(spec: GroupSpec): Promise<GroupRow[]>;
  /** Records with these paths loaded, relations as records. */
  load<const Path extends string>(
    ids: readonly number[],
    paths: readonly PathIn<Rec, Path>[],
  ): Promise<Loaded<Rec, Path>[]>;
  create(values: ValuesOf<Rec>): Promise<number>;
  createMany(values: readonly ValuesOf<Rec>[]): Promise<number[]>;
  write(ids: readonly number[], values: ValuesOf<Rec>): Promise<true>;
  unlink(ids: readonly number[]): Promise<true>;
  copy(id: number, overrides?: ValuesOf<Rec>): Promise<number>;
  call(ids: readonly number[], action: string, params?: Readonly<Record<string, string>>): Promise<ActionAnswer>;
}

/**
 * The only handle to data: who acts, and in which transaction. Models are known by name and checked by the compiler.
 * ```ts
 * export async function germans(env: Env) {
 *   return env.model('core.partner').searchRead([['country_id.code', '=', 'DE']], ['name', 'country_id.name']);
 * }
 * ```
 */
export interface TypedEnv extends Omit<Env, 'model' | 'sudo' | 'as' | 'outside'> {
  model<Name extends ModelName>(name: Name): ModelRecords<Models[Name]>;
  /** The same transaction without access checks. */
  sudo(): TypedEnv;
  /** The same transaction in another person's name. */
  as(actor: Actor): TypedEnv;
}

/** Server code that holds an untyped env may look at it through the types of the models. */
export function typedEnv(env: Env): TypedEnv {
  return env as unknown as TypedEnv;
}
