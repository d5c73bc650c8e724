import type { Change, FieldSpec, ModelDefinition, TextDefinition, TypedEnv } from '@kontor/orm';
import type { ModelName } from '@kontor/orm/author';
import type { Domain, FollowedChange, NoticeWay, Text } from '@kontor/protocol';
import type { WidgetSpec } from '@kontor/views';
import type { Runtime } from '../runtime.ts';
import type { CarriedRecords } from './carried-records.ts';
import type { Queue } from './define-queue.ts';
import type { RouteSpec } from './route-spec.ts';

export type { FollowedChange };

/** A job that is one unit of work, as the system: everything is committed, or nothing. */
export interface UnitJobSpec {
  /** `sys.cron` refers to it as `module.name`. */
  readonly name: string;
  /** The work, in one transaction. */
  readonly run: (call: JobCall & { readonly env: TypedEnv }) => Promise<void>;
}

export interface JobCall {
  /** The due row of `sys.cron`; several rows may use one handler. */
  readonly cronId: number;
}

/** A long job: each step is a separate unit of work; stop between steps when `signal` is aborted. */
export interface SteppedJobSpec {
  /** `sys.cron` refers to it as `module.name`. */
  readonly name: string;
  /** The work; each `step` is a separate transaction. */
  readonly runInSteps: (
    call: JobCall & {
      readonly step: <T>(work: (env: TypedEnv) => Promise<T>) => Promise<T>;
      readonly signal: AbortSignal;
    },
  ) => Promise<void>;
}

/** A job of a part, which works directly with the database. */
export interface SystemJobSpec {
  readonly name: string;
  readonly runAsSystem: (runtime: Runtime, signal: AbortSignal) => Promise<void>;
}
/**
 * A scheduled job; a row of `sys.cron` has its schedule.
 * ```ts
 * const countPartners: JobSpec = { name: 'count', run: async ({ env }) => void (await env.model('core.partner').count()) };
 * export default defineAddon({ jobs: [countPartners] });
 * ```
 */
export type JobSpec = UnitJobSpec | SteppedJobSpec | SystemJobSpec;

/**
 * Background work in every process that runs jobs. It runs at the start, soon after every change or after changes of the models that
 * it names, and every few seconds, and does what is due. It stores in records what must not be lost.
 *
 * @example
 * const mirror: WorkerSpec = {
 *   name: 'mirror',
 *   models: ['core.partner'],
 *   run: async ({ step, begin, signal }) => {
 *     const [request, count] = await step(async (env) => [outsideRequests(env), await env.model('core.partner').count()] as const);
 *     begin(async () => {
 *       await request({ url: 'https://example.com/contacts', body: String(count), signal });
 *     });
 *   },
 * };
 */
export interface WorkerSpec {
  /** Unique in its addon. */
  readonly name: string;
  /** The models whose changes give it something to do. Without it, changes of all. */
  readonly models?: readonly ModelName[];
  /** Does what is due and returns soon; long work is passed to `begin`. */
  readonly run: (call: WorkerCall) => Promise<void>;
}

/**
 * The argument of a worker's `run`.
 * ```ts
 * export async function countOnce({ step, signal }: WorkerCall) {
 *   return signal.aborted ? 0 : step((env) => env.model('core.partner').count());
 * }
 * ```
 */
export interface WorkerCall {
  /** Runs one unit of work, as the system. The steps of a worker run one after another, also across processes. */
  readonly step: <T>(work: (env: TypedEnv) => Promise<T>) => Promise<T>;
  /** Starts work that continues after `run`, such as a request to another server; when it ends, the worker runs again. */
  readonly begin: (work: () => Promise<void>) => void;
  /** Aborted when the worker must stop. */
  readonly signal: AbortSignal;
}

/**
 * Receives the changes of a unit of work, in its transaction before it commits; an exception rolls everything back.
 * ```ts
 * const watch: ObserverSpec = { run: async ({ changes }) => void changes.filter(({ operation }) => operation === 'unlink') };
 * export default defineAddon({ observers: [watch] });
 * ```
 */
export interface ObserverSpec {
  /** `chatter`: only changes of models with a chatter. */
  readonly models?: 'chatter';
  /**
   * Return false if the observer ignores records that are created with these fields, or in which only these change; such changes
   * are saved faster. Absent: it receives every change.
   */
  readonly concerns?: (change: {
    readonly model: string;
    readonly operation: 'create' | 'write';
    readonly fields: readonly FieldSpec[];
  }) => boolean;
  /** Gets the changes with their values before and after. */
  readonly run: (call: { readonly env: TypedEnv; readonly changes: readonly Change[] }) => Promise<void>;
}

/**
 * Observes the changes that records ask for, such as those of automations. It runs before other observers, which also receive what it
 * changes.
 * ```ts
 * const alarms: WatcherSpec<ReadonlySet<string>> = {
 *   follows: 'sys.cron',
 *   load: async () => new Set(['core.partner']),
 *   concerns: (models, { model }) => models.has(model),
 *   run: async ({ changes }) => void changes.length,
 * };
 * export default defineAddon({ watchers: [alarms as WatcherSpec] });
 * ```
 */
export interface WatcherSpec<Loaded = unknown> {
  /** The model whose records say what to watch; every process loads them again after a change. */
  readonly follows: string;
  /** Reads them, as the server and without a transaction. */
  readonly load: (env: TypedEnv) => Promise<Loaded>;
  /** Whether somebody asks for such a change; other changes are saved faster. */
  readonly concerns: (loaded: Loaded, change: { readonly model: string; readonly operation: string }) => boolean;
  /** Gets the changes with their values before and after. */
  readonly run: (call: {
    readonly env: TypedEnv;
    readonly changes: readonly Change[];
    readonly loaded: Loaded;
  }) => Promise<void>;
}

/** Recent changes by others to records that the user of the env follows and may read, newest first. */
export type FollowedSpec = (call: {
  readonly env: TypedEnv;
  readonly limit: number;
}) => Promise<readonly FollowedChange[]>;

/**
 * A kind of notification; each user chooses in the profile how to receive it.
 * ```ts
 * const overdue: NoticeSpec = { name: 'library.overdue', label: text('A book is overdue'), usual: 'both' };
 * export default defineAddon({ notices: [overdue] });
 * ```
 */
export interface NoticeSpec {
  /** Starts with the name of the addon, such as `mail.mention`. */
  readonly name: string;
  /** The event, as shown in the profile: `text('Someone mentions you')`. */
  readonly label: Text;
  /** For users who have not chosen. */
  readonly usual: NoticeWay;
  /** Its e-mails may pass the quiet hours of users who allow it. */
  readonly isUrgent?: boolean;
}

type AddonHook = (call: { readonly env: TypedEnv }) => Promise<void>;
/** Run in the transaction of the install, upgrade or uninstall, under sudo; an exception rolls everything back. */
export interface AddonHooks {
  /** Runs after its data is loaded. */
  readonly afterInstall?: AddonHook;
  /** Runs after its data is loaded again. */
  readonly afterUpgrade?: AddonHook;
  /** Runs while its models still exist. */
  readonly beforeUninstall?: AddonHook;
}

/**
 * Brings the data of an earlier version into the form of this one.
 * ```ts
 * export const splitNames: Migration = async ({ env, before, drop }) => {
 *   for (const { id, full_name } of await before('core.partner', ['full_name'])) {
 *     await env.model('core.partner').write([id], { name: String(full_name ?? '') });
 *   }
 *   await drop('core.partner', ['full_name']);
 * };
 * export default defineAddon({ migrations: { '1.1.0': splitNames } });
 * ```
 */
export type Migration = (call: MigrationCall) => Promise<void>;
export interface MigrationCall {
  /** As the system, without access checks, in the transaction of the upgrade. */
  readonly env: TypedEnv;
  /**
   * Values of columns that the model no longer declares, of every record in id order; dates and amounts are strings.
   */
  readonly before: (
    model: string,
    columns: readonly string[],
  ) => Promise<readonly ({ readonly id: number } & Readonly<Record<string, unknown>>)[]>;
  /** Drops such columns with their data. By default they are kept. */
  readonly drop: (model: string, columns: readonly string[]) => Promise<void>;
}

/** Becomes a record of sys.automation at install, which an administrator may change or switch off. */
export interface AutomationSpec {
  /** Unique in its addon. */
  readonly name: string;
  /** The model that it watches. */
  readonly model: string;
  /** The event that triggers it. */
  readonly on: 'create' | 'write' | 'unlink' | 'cron';
  /** The records that trigger it; default: all. */
  readonly domain?: Domain;
  /** With `write`: what held before the change, such as `[['state', '=', 'draft']]`. Fields of the record itself. */
  readonly before?: Domain;
  /** `publish:<channel>` or `write:{"field": value}`. */
  readonly run: `publish:${string}` | `write:${string}`;
}

/** A view type that an addon's `client/` renders. */
export interface ClientViewSpec {
  /** The label of its tab. */
  readonly label: string;
  /** Name of an icon. */
  readonly icon?: string;
  /** A sentence about it, for the reference. */
  readonly doc?: string;
}

export interface AddonSpec {
  /** Its models and extensions of models, in any order. */
  readonly models?: readonly ModelDefinition[];
  /** HTTP routes. */
  readonly routes?: readonly RouteSpec[];
  /** Scheduled jobs; rows of `sys.cron` have the schedules. */
  readonly jobs?: readonly JobSpec[];
  /** Background work that follows changes. */
  readonly workers?: readonly WorkerSpec[];
  /** Work that waits in records until it is done, created with `defineQueue`. */
  readonly queues?: readonly Queue[];
  /** Code that runs at install, upgrade and uninstall. */
  readonly hooks?: AddonHooks;
  /**
   * By target version: run once, in order, when a module of an earlier version is upgraded, after all models and
   * columns exist. A new install has nothing to migrate and runs none.
   */
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Rules that administrators may change. */
  readonly automations?: readonly AutomationSpec[];
  /** Code that receives every change before it is committed. */
  readonly observers?: readonly ObserverSpec[];
  /** Code that receives the changes that records ask for. */
  readonly watchers?: readonly WatcherSpec[];
  /** Records that belong to the customisation of a database: they are exported and imported with it. */
  readonly carries?: readonly CarriedRecords[];
  /** Recent changes for the home screen. */
  readonly followed?: FollowedSpec | null;
  /** Kinds of notifications; users choose how to receive them. */
  readonly notices?: readonly NoticeSpec[];
  /** Texts that it mails or prints, created with `defineText`; administrators may change them. */
  readonly texts?: readonly TextDefinition[];
  /** Field widgets that its `client/` registers, by name; views can use them. */
  readonly widgets?: Readonly<Record<string, WidgetSpec>>;
  /** View types that its `client/` registers, by name: `<list as="timeline">` is a view of the type `timeline`. */
  readonly views?: Readonly<Record<string, ClientViewSpec>>;
}
/**
 * The code of an addon, as frozen data.
 * ```ts
 * export const nothing: AddonDefinition = defineAddon({});
 * ```
 */
export interface AddonDefinition extends Required<AddonSpec> {
  readonly kind: 'addon';
}

/**
 * The default export of an addon's `addon.ts`.
 *
 * @example
 * export default defineAddon({
 *   models: [],
 *   routes: [{ method: 'GET', path: '/hello/:name', auth: 'none', handler: ({ params }) => ({ body: params.name }) }],
 * });
 */
export function defineAddon(spec: AddonSpec): AddonDefinition {
  return Object.freeze({
    kind: 'addon' as const,
    models: Object.freeze([...(spec.models ?? [])]),
    routes: Object.freeze([...(spec.routes ?? [])]),
    jobs: Object.freeze([...(spec.jobs ?? [])]),
    workers: Object.freeze([...(spec.workers ?? [])]),
    queues: Object.freeze([...(spec.queues ?? [])]),
    hooks: Object.freeze({ ...spec.hooks }),
    migrations: Object.freeze({ ...spec.migrations }),
    automations: Object.freeze([...(spec.automations ?? [])]),
    observers: Object.freeze([...(spec.observers ?? [])]),
    watchers: Object.freeze([...(spec.watchers ?? [])]),
    carries: Object.freeze([...(spec.carries ?? [])]),
    followed: spec.followed ?? null,
    notices: Object.freeze([...(spec.notices ?? [])]),
    texts: Object.freeze([...(spec.texts ?? [])]),
    widgets: Object.freeze({ ...spec.widgets }),
    views: Object.freeze({ ...spec.views }),
  });
}

/** For addons without code. */
export const emptyAddon: AddonDefinition = defineAddon({});
