import type {
  AnyDomain,
  GroupRow,
  GroupSpec,
  OnchangeAnswer,
  Projection,
  SearchOptions,
  Values,
  WireRecord,
} from '@kontor/protocol';
import type { ActionAnswer, Answers, LoadedRecord } from './behaviour.ts';

export type {
  GroupRow,
  GroupSpec,
  Measure,
  OnchangeAnswer,
  Projection,
  SearchOptions,
  Values,
  WireRecord,
  X2manyCommand,
} from '@kontor/protocol';

/** A group spec whose domain may be parsed already. */
export interface GroupQuery extends Omit<GroupSpec, 'domain'> {
  readonly domain: AnyDomain;
}

export interface CreateOptions {
  /** Fields that server code sets as the caller: neither readonly nor groups are checked for them. */
  readonly granted?: readonly string[];
  /** Restores previous values: states, stages, locks and computes do not apply. */
  readonly restores?: boolean;
}

export interface WriteOptions extends CreateOptions {
  /** The values the caller saw; one id only. */
  readonly base?: Values;
}

/** One record of a write in which each has its own values. */
export interface RowWrite {
  readonly id: number;
  readonly values: Values;
  readonly base?: Values;
}

export interface LoadOptions {
  /** How missing ids are handled: an error, or left out. */
  readonly missing?: 'throw' | 'skip';
  /** Shipped texts, such as names of units, in the language of the env: for what is shown and never stored. */
  readonly inWords?: boolean;
}

/** All operations on the records of one model, with the rights of its env. */
export interface Records {
  search(domain?: AnyDomain, options?: SearchOptions): Promise<number[]>;
  count(domain?: AnyDomain): Promise<number>;
  searchRead(domain: AnyDomain, projection?: Projection, options?: SearchOptions): Promise<WireRecord[]>;
  /** The same as JSON text, written directly from the rows if no computed field is requested. */
  searchReadJson(domain: AnyDomain, projection?: Projection, options?: SearchOptions): Promise<string>;
  /** In the order of the ids; throws NOT_FOUND with `missing_ids`, ACCESS_DENIED for hidden ones. */
  read(ids: readonly number[], projection?: Projection): Promise<WireRecord[]>;
  readJson(ids: readonly number[], projection?: Projection): Promise<string>;
  readGroup(spec: GroupQuery): Promise<GroupRow[]>;
  load(ids: readonly number[], paths: readonly string[], options?: LoadOptions): Promise<LoadedRecord[]>;
  create(values: Values): Promise<number>;
  createMany(values: readonly Values[], options?: CreateOptions): Promise<number[]>;
  write(ids: readonly number[], values: Values, options?: WriteOptions): Promise<true>;
  /** Different values for many records, with as many statements as `write` needs for one. */
  writeEach(rows: readonly RowWrite[], options?: CreateOptions): Promise<true>;
  unlink(ids: readonly number[], options?: Pick<CreateOptions, 'restores'>): Promise<true>;
  copy(id: number, overrides?: Values): Promise<number>;
  onchange(values: Values, changed: readonly string[], options?: { readonly id?: number }): Promise<OnchangeAnswer>;
  /** Initial answers of an action's dialog for these records; `given` stays. */
  proposeAnswers(ids: readonly number[], action: string, given?: Values): Promise<OnchangeAnswer>;
  /** `action` as its author named it: `confirm`, not `action_confirm`. */
  call(ids: readonly number[], action: string, answers?: Answers): Promise<ActionAnswer>;
}
