import type { Queryable, Sql } from '@kontor/database';
import type { AccessPolicy, Actor, ModelDefinition } from '@kontor/orm';
import type { DataRecord } from './addons/data/data-record.ts';
import type { AddonDefinition, SystemJobSpec } from './addons/define-addon.ts';
import type { Kernel } from './kernel.ts';
import type { CacheSpec } from './work/cache.ts';
import type { FinishedWork, KeptRows } from './work/keep-rows.ts';
import type { Observer } from './work/work-context.ts';

/** Access rights. Exactly one part defines them. */
export interface RightsSpec {
  readonly policy: CacheSpec<undefined, AccessPolicy>;
  readonly actor: CacheSpec<number, Actor | null>;
  /** Whether a user can sign in. */
  readonly hasUsers: (db: Queryable) => Promise<boolean>;
}

/** Expired rows. */
export interface OldRows {
  readonly model: string;
  /** A time column: `create_date`, which follows the order of ids, or an indexed one if there may be many rows. */
  readonly column: string;
  /** A PostgreSQL interval. */
  readonly age: string;
  /** Only rows in one of these states. */
  readonly states?: readonly string[];
}

/** The options of a part. */
export interface PartSpec<Running> {
  readonly name: string;
  /** They belong to the module `base`, which lists them. */
  readonly models?: readonly ModelDefinition[];
  /** Models whose changes raise a signal in every process, by signal. */
  readonly signals?: Readonly<Record<string, readonly string[]>>;
  readonly caches?: readonly CacheSpec<never, unknown>[];
  /** They belong to the module `base`, whose data contains their schedules. */
  readonly jobs?: readonly SystemJobSpec[];
  /** Expired rows to delete, by job. */
  readonly expires?: Readonly<Record<string, readonly OldRows[]>>;
  /** Queries that return one number, by name. */
  readonly counts?: Readonly<Record<string, Sql>>;
  readonly rights?: RightsSpec;
  /** Returns the observers of each unit of work. Called before a transaction begins, if something may have changed. */
  readonly observe?: (kernel: Kernel) => Promise<Observer>;
  /** Returns the rows that are written with each unit of work. */
  readonly keep?: (work: FinishedWork) => KeptRows | null;
  /** Returns the records that an addon's code declares. */
  readonly records?: (module: string, definition: AddonDefinition) => readonly DataRecord[];
  /** Starts its background work. */
  readonly start?: (kernel: Kernel) => Running;
  readonly stop?: (running: Running) => Promise<void>;
}

/** A part of the running application, as data: the kernel uses every part and knows none by name. */
export interface Part<Running = unknown> {
  readonly name: string;
  readonly models: readonly ModelDefinition[];
  readonly signals: Readonly<Record<string, readonly string[]>>;
  readonly caches: readonly CacheSpec<never, unknown>[];
  readonly jobs: readonly SystemJobSpec[];
  readonly expires: Readonly<Record<string, readonly OldRows[]>>;
  readonly counts: Readonly<Record<string, Sql>>;
  readonly rights: RightsSpec | null;
  readonly observe: ((kernel: Kernel) => Promise<Observer>) | null;
  readonly keep: ((work: FinishedWork) => KeptRows | null) | null;
  readonly records: ((module: string, definition: AddonDefinition) => readonly DataRecord[]) | null;
  readonly start: ((kernel: Kernel) => Running) | null;
  stop(running: Running): Promise<void>;
}

/**
 * @example
 * export const clockPart = definePart({
 *   name: 'clock',
 *   models: [sysAlarm],
 *   signals: { alarms: ['sys.alarm'] },
 *   caches: [alarmCache],
 *   start: (kernel) => startClock(kernel),
 *   stop: (clock) => clock.stop(),
 * });
 */
export function definePart<Running = null>(spec: PartSpec<Running>): Part<Running> {
  return Object.freeze({
    ...{ models: [], signals: {}, caches: [], jobs: [], expires: {}, counts: {} },
    ...{ rights: null, observe: null, keep: null, records: null, start: null },
    stop: async () => {},
    ...spec,
  });
}
