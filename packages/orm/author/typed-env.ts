import type { Env } from '../model/model.ts';
import type { Actor, Visitor } from '../model/policy.ts';
import type { Projection, Records, WireRecord } from '../model/records.ts';
import type { ActionAnswer, Callable, ValsFor } from './asks.ts';
import type { DomainIn } from './domain.ts';
import type { Field, ManyKind, Null } from './field.ts';
import type { GroupIn, GroupKey, GroupRow, Measure } from './group.ts';
import type { Calls, ModelName, Models, RefName } from './models.ts';
import type { CheckedOrder, OrderBy } from './order.ts';
import type { FieldNamed, NamesOfKind, Near, PathIn, Target } from './path.ts';
import type { Loaded } from './record.ts';
import type { CreateValues, WriteValues } from './values.ts';

interface SearchOptionsOf<M extends ModelName, O> {
  readonly limit?: number;
  readonly offset?: number;
  /** `'field, -other'`. */
  readonly order?: CheckedOrder<M, O>;
}
interface GroupSpecOf<M extends ModelName, D, G extends string, F, O> {
  readonly domain?: DomainIn<M, D>;
  /** Field names, dates with granularity: `date_order:month`. */
  readonly groupby: readonly GroupIn<M, G>[];
  readonly fields?: readonly F[];
  readonly limit?: number;
  readonly offset?: number;
  readonly order?: OrderBy<NoInfer<GroupKey<M, G, F>>, O>;
}

/** Actions of every model; `archive` needs a field `active`. */
type StandardCalls<M extends ModelName> = { readonly copy: Callable<unknown> } & ('active' extends keyof Models[M]
  ? { readonly archive: Callable<unknown>; readonly unarchive: Callable<unknown> }
  : unknown);
type CallsOn<M extends ModelName> = StandardCalls<M> & (M extends keyof Calls ? Calls[M] : unknown);

/** All operations on the records of one model, with the rights of its env. */
interface ModelRecords<M extends ModelName> {
  /** The ids of matching records. Over RPC, `search` returns the records with their default fields, like `searchRead` without fields here. */
  search<const D extends readonly unknown[], const O extends string>(
    domain?: DomainIn<M, D>,
    options?: SearchOptionsOf<M, O>,
  ): Promise<number[]>;
  /** The number of matching records. */
  count<const D extends readonly unknown[]>(domain?: DomainIn<M, D>): Promise<number>;
  /** Matching records with their fields; default: every readable stored field. */
  searchRead<const D extends readonly unknown[]>(domain: DomainIn<M, D>): Promise<WireRecord[]>;
  searchRead<const D extends readonly unknown[], const Item extends ProjectionItem, const O extends string>(
    domain: DomainIn<M, D>,
    fields: readonly ItemIn<M, Item>[],
    options?: SearchOptionsOf<M, O>,
  ): Promise<Projected<M, Item>[]>;
  /**
   * Records in the order of the ids, with `id` and exactly the requested paths; throws NOT_FOUND, or ACCESS_DENIED for hidden
   * records.
   */
  read(ids: readonly number[]): Promise<WireRecord[]>;
  read<const Item extends ProjectionItem>(
    ids: readonly number[],
    fields: readonly ItemIn<M, Item>[],
  ): Promise<Projected<M, Item>[]>;
  /** Figures by group: counts, sums, averages, minimum and maximum. */
  readGroup<
    const D extends readonly unknown[],
    const G extends string,
    const F extends Measure<M> = never,
    const O extends string = never,
  >(spec: GroupSpecOf<M, D, G, F, O>): Promise<GroupRow<M, G, F>[]>;
  /**
   * Records with these paths loaded, relations as records. With `inWords`, shipped texts such as names of units are in the language of
   * the env, for what is printed or shown; what is computed and stored takes them as they are stored.
   */
  load<const Path extends string>(
    ids: readonly number[],
    paths: readonly PathIn<M, Path>[],
    options?: { readonly inWords?: boolean },
  ): Promise<Loaded<M, Path>[]>;
  /** Creates a record and returns its id. */
  create(values: CreateValues<M>): Promise<number>;
  /** Creates many records with as many statements as one record needs. */
  createMany(values: readonly CreateValues<M>[]): Promise<number[]>;
  /** Changes records; other fields keep their values. */
  write(ids: readonly number[], values: WriteValues<M>): Promise<true>;
  /** Deletes records. */
  unlink(ids: readonly number[]): Promise<true>;
  /** Creates a copy of a record, except for the given values and fields that are not copied. */
  copy(id: number, overrides?: WriteValues<M>): Promise<number>;
  /** Runs a move or an action, of the model's own addon or of an extension. */
  call<const Name extends string>(
    ids: readonly number[],
    name: Near<keyof CallsOn<M> & string, Name>,
    ...vals: Name extends keyof CallsOn<M> ? ValsFor<CallsOn<M>[Name]> : [vals?: unknown]
  ): Promise<ActionAnswer>;
}

/**
 * The only handle to data: it has an actor and a transaction. The compiler knows models by name and checks them.
 * ```ts
 * export async function germans(env: Env) {
 *   return env.model('core.partner').searchRead([['country_id.code', '=', 'DE']], ['name', 'country_id.name']);
 * }
 * ```
 */
export interface TypedEnv extends Omit<Env, 'model' | 'sudo' | 'as' | 'inLanguage' | 'visiting' | 'outside' | 'ref'> {
  /** The records of a model, with the rights of the actor. */
  model<const M extends ModelName>(name: M): ModelRecords<M>;
  /** The same transaction without access checks. */
  sudo(): TypedEnv;
  /** The same transaction as another user. */
  as(actor: Actor): TypedEnv;
  /** The same env with labels, choices and shipped names in another language. */
  inLanguage(lang: string): TypedEnv;
  /** The same transaction as somebody who is no user: they read exactly what is named, and change nothing. */
  visiting(visitor: Visitor): TypedEnv;
  /** The id of the record with an external id such as `base.group_user`; throws NOT_FOUND. */
  ref<const Name extends string>(name: Near<RefName, Name>): Promise<number>;
}

/** The kernel's env as addons see it: models are known by name. */
export function typedEnv(env: Env): TypedEnv;
export function typedEnv(env: object): object {
  return env;
}

/** The same env for code that gets the names of models as data. */
export function looseEnv(env: TypedEnv): Env;
export function looseEnv(env: object): object {
  return env;
}

/**
 * The records of a model whose name is only known at runtime, such as for a chatter on any model. The compiler does not check them.
 * ```ts
 * export async function nameOf(env: Env, model: string, id: number) {
 *   const [record] = await anyModel(env, model).read([id], ['display_name']);
 *   return String(record?.display_name ?? '');
 * }
 * ```
 */
export function anyModel(env: TypedEnv, name: string): Records {
  return looseEnv(env).model(name);
}

/** A path, or nested projections of x2many relations: `{ line_ids: ['product_id', 'qty'] }`. */
type ProjectionItem = string | Readonly<Record<string, Projection>>;

/** For array elements whose types are inferred as `Item`. */
type ItemIn<M extends ModelName, Item> = Item extends string
  ? PathIn<M, Item>
  : Item extends Nested<M, Item>
    ? Item
    : Nested<M, Item>;
type Nested<M extends ModelName, Item> = {
  readonly [Name in keyof Item]: Name extends NamesOfKind<M, ManyKind> ? ItemsIn<Target<M, Name>, Item[Name]> : never;
} & { readonly [Name in NamesOfKind<M, ManyKind>]?: unknown };
type ItemsIn<M extends ModelName, Items> = { readonly [Index in keyof Items]: ItemIn<M, Items[Index]> };

/** The result of a read: `id`, exactly the requested paths, and the lines of nested projections. */
type Projected<M extends ModelName, Item> = { readonly id: number } & {
  readonly [Path in Extract<Item, string>]: ValueAt<M, Path>;
} & Lines<M, Exclude<Item, string>>;
type Lines<M extends ModelName, Item> = {
  readonly [Name in KeysOf<Item>]: readonly Projected<Target<M, Name>, ElementOf<ItemAt<Item, Name>>>[];
};
type KeysOf<Item> = Item extends unknown ? keyof Item : never;
type ItemAt<Item, Name> = Item extends unknown ? (Name extends keyof Item ? Item[Name] : never) : never;
type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** A path through a many2one may be null: the many2one is empty, or the caller may not see the record. */
type ValueAt<M extends ModelName, Path> = Path extends keyof Models[M]
  ? Flat<FieldNamed<M, Path>>
  : Path extends `${infer First}.${infer Rest}`
    ? [Target<M, First>] extends [never]
      ? never
      : ValueAt<Target<M, First>, Rest> | null
    : never;
type Flat<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends ManyKind
      ? readonly number[]
      : Kind extends 'many2one'
        ? number | Null<Traits>
        : Value | Null<Traits>
    : never;
