import type { Queryable, Sql } from '@kontor/database';
import type { AccessPolicy, Actor, ModelDefinition } from '@kontor/orm';
import type { DataRecord } from './addons/data/data-record.ts';
import type { AddonDefinition, SystemJobSpec } from './addons/define-addon.ts';
import type { Kernel } from './kernel.ts';
import type { CacheSpec } from './work/cache.ts';
import type { FinishedWork, KeptRows } from './work/keep-rows.ts';
import type { Observer } from './work/work-context.ts';

/** Who may do what. One part says it. */
export interface RightsSpec {
  readonly policy: CacheSpec<undefined, AccessPolicy>;
  readonly actor: CacheSpec<number, Actor | null>;
  /** Whether somebody can sign in. */
  readonly hasUsers: (db: Queryable) => Promise<boolean>;
}

/** Rows that have had their time. */
export interface OldRows {
  readonly model: string;
  /** A time column: `create_date`, which rows have in the order of their ids, or one with an index where there may be many. */
  readonly column: string;
  /** What PostgreSQL reads as an interval. */
  readonly age: string;
  /** Only rows in one of these states. */
  readonly states?: readonly string[];
}

/** All that a part may say of itself; each is asked for by the kernel. */
export interface PartSpec<Running> {
  readonly name: string;
  /** They belong to the module `base`, which lists them. */
  readonly models?: readonly ModelDefinition[];
  /** Which models' changes every process hears of, by the signal that is raised. */
  readonly signals?: Readonly<Record<string, readonly string[]>>;
  readonly caches?: readonly CacheSpec<never, unknown>[];
  /** They belong to the module `base`, whose data say when. */
  readonly jobs?: readonly SystemJobSpec[];
  /** What is deleted when it is old, by the job that does it. */
  readonly expires?: Readonly<Record<string, readonly OldRows[]>>;
  /** Queries of one number, by the name under which they are asked for. */
  readonly counts?: Readonly<Record<string, Sql>>;
  readonly rights?: RightsSpec;
  /** Gives who sees what each unit of work changed. Asked before a transaction begins, when something may have changed. */
  readonly observe?: (kernel: Kernel) => Promise<Observer>;
  /** Gives the rows that are written with each unit of work. */
  readonly keep?: (work: FinishedWork) => KeptRows | null;
  /** Gives the records that what an addon says in code becomes. */
  readonly records?: (module: string, definition: AddonDefinition) => readonly DataRecord[];
  /** Begins what it does by itself. */
  readonly start?: (kernel: Kernel) => Running;
  readonly stop?: (running: Running) => Promise<void>;
}

/** A part of the running application, as data: the kernel asks every part and knows none by name. */
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
