import type { Change, FieldSpec, ModelDefinition, TypedEnv } from '@kontor/orm';
import type { Domain, FollowedChange, NoticeWay, Text } from '@kontor/protocol';
import type { WidgetSpec } from '@kontor/views';
import type { Runtime } from '../runtime.ts';
import type { Queue } from './define-queue.ts';

export type { FollowedChange };

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `none`: public; `session`: a signed-in person; `apikey`: a request that carries an API key. */
export type RouteAuth = 'none' | 'session' | 'apikey';

/**
 * What the handler of a route gets.
 * ```ts
 * export async function countIn({ env, params }: RouteRequest) {
 *   return { body: await env.model('core.partner').count([['city', '=', params.city ?? '']]) };
 * }
 * ```
 */
export interface RouteRequest {
  /** In the caller's name; with `none`, in nobody's, so that only what `sudo` asks for can be read. */
  readonly env: TypedEnv;
  /** As it was sent. */
  readonly method: RouteMethod;
  /** The path that was asked for, without the query. */
  readonly path: string;
  /** What stands in the path for each `:name`. */
  readonly params: Readonly<Record<string, string>>;
  /** What stands after `?`; a list where a name comes twice. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON or form fields; text otherwise; null without a body. */
  readonly body: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}
/**
 * What the handler of a route answers.
 * ```ts
 * export const gone: RouteAnswer = { status: 410, body: 'This parcel was fetched.' };
 * ```
 */
export interface RouteAnswer {
  /** 200 when absent. */
  readonly status?: number;
  /** Headers besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Records that go out as a document: the audit trail tells who printed them. */
  readonly printed?: { readonly model: string; readonly ids: readonly number[] };
  /** The same for records that go out as data. */
  readonly exported?: { readonly model: string; readonly ids: readonly number[] };
}
/**
 * An address that an addon answers.
 * ```ts
 * const ping: RouteSpec = { method: 'GET', path: '/library/ping', auth: 'none', handler: () => ({ body: 'pong' }) };
 * export default defineAddon({ routes: [ping] });
 * ```
 */
export interface RouteSpec {
  /** The method that it answers. */
  readonly method: RouteMethod;
  /** Begins with `/`; parameters as `:name`. */
  readonly path: string;
  /**
   * Who may call it: `none` everyone, `session` people who are signed in, `apikey` programs with a key. Anyone else
   * is refused before it runs.
   */
  readonly auth: RouteAuth;
  /** Gives the answer. What it throws is shaped as the errors of RPC are. */
  readonly handler: (request: RouteRequest) => Promise<RouteAnswer> | RouteAnswer;
}

/** A job that is one unit of work, as the system: all of it is kept, or nothing. */
export interface UnitJobSpec {
  /** Called `module.name` by `sys.cron`. */
  readonly name: string;
  /** The work, in one transaction. */
  readonly run: (call: JobCall & { readonly env: TypedEnv }) => Promise<void>;
}

export interface JobCall {
  /** The row of `sys.cron` that is due: one handler may serve several. */
  readonly cronId: number;
}

/** A long job: each step is a unit of work of its own, and `signal` says when to stop between them. */
export interface SteppedJobSpec {
  /** Called `module.name` by `sys.cron`. */
  readonly name: string;
  /** The work: each `step` is a transaction of its own. */
  readonly runInSteps: (
    call: JobCall & {
      readonly step: <T>(work: (env: TypedEnv) => Promise<T>) => Promise<T>;
      readonly signal: AbortSignal;
    },
  ) => Promise<void>;
}

/** A job of a part, which works with the database itself. */
export interface SystemJobSpec {
  readonly name: string;
  readonly runAsSystem: (runtime: Runtime, signal: AbortSignal) => Promise<void>;
}
/**
 * Work for the clock; a row of `sys.cron` says when.
 * ```ts
 * const countPartners: JobSpec = { name: 'count', run: async ({ env }) => void (await env.model('core.partner').count()) };
 * export default defineAddon({ jobs: [countPartners] });
 * ```
 */
export type JobSpec = UnitJobSpec | SteppedJobSpec | SystemJobSpec;

/**
 * What goes on by itself beside the requests, in every process that runs jobs: asked at the start, soon after something was changed
 * anywhere, and every few seconds. It looks for what is due and does it; what it must not lose it keeps in records.
 *
 * @example
 * const mirror: WorkerSpec = {
 *   name: 'mirror',
 *   run: async ({ step, begin, signal }) => {
 *     const [request, count] = await step(async (env) => [outsideRequests(env), await env.model('core.partner').count()] as const);
 *     begin(async () => {
 *       await request({ url: 'https://example.com/contacts', body: String(count), signal });
 *     });
 *   },
 * };
 */
export interface WorkerSpec {
  /** One of a kind in its addon. */
  readonly name: string;
  /** Does what is due; it ends soon, and leaves what takes long to `begin`. */
  readonly run: (call: WorkerCall) => Promise<void>;
}

/**
 * What a worker gets when it is asked.
 * ```ts
 * export async function countOnce({ step, signal }: WorkerCall) {
 *   return signal.aborted ? 0 : step((env) => env.model('core.partner').count());
 * }
 * ```
 */
export interface WorkerCall {
  /** One unit of work, as the system. Steps of one worker come one after another, whatever process they are of. */
  readonly step: <T>(work: (env: TypedEnv) => Promise<T>) => Promise<T>;
  /** Begins what goes on after `run`, such as a request to a server elsewhere; at its end the worker is asked again. */
  readonly begin: (work: () => Promise<void>) => void;
  /** Says to come to an end. */
  readonly signal: AbortSignal;
}

/**
 * Sees what a unit of work changed, in its transaction and before its end; what it throws takes all of it back.
 * ```ts
 * const watch: ObserverSpec = { run: async ({ changes }) => void changes.filter(({ operation }) => operation === 'unlink') };
 * export default defineAddon({ observers: [watch] });
 * ```
 */
export interface ObserverSpec {
  /** `chatter`: only changes of models with a chatter. */
  readonly models?: 'chatter';
  /**
   * False: it does nothing about records that are made with these fields, or in which no others change; that is saved faster.
   * Absent: every change concerns it.
   */
  readonly concerns?: (change: {
    readonly model: string;
    readonly operation: 'create' | 'write';
    readonly fields: readonly FieldSpec[];
  }) => boolean;
  /** Gets the changes with their values before and after. */
  readonly run: (call: { readonly env: TypedEnv; readonly changes: readonly Change[] }) => Promise<void>;
}

/** What others did lately to records that the person of the env follows, the newest first; only what they may read. */
export type FollowedSpec = (call: {
  readonly env: TypedEnv;
  readonly limit: number;
}) => Promise<readonly FollowedChange[]>;

/**
 * One kind of news that people are told of, each in the way that they choose in their profile.
 * ```ts
 * const overdue: NoticeSpec = { name: 'library.overdue', label: text('A book is overdue'), usual: 'both' };
 * export default defineAddon({ notices: [overdue] });
 * ```
 */
export interface NoticeSpec {
  /** Begins with the name of the addon, such as `mail.mention`. */
  readonly name: string;
  /** What happens, as the person reads it: `text('Someone mentions you')`. */
  readonly label: Text;
  /** For who chose nothing. */
  readonly usual: NoticeWay;
}

type AddonHook = (call: { readonly env: TypedEnv }) => Promise<void>;
/** Run in the transaction of the change, under sudo; throwing takes all of it back. */
export interface AddonHooks {
  /** Once its data are loaded. */
  readonly afterInstall?: AddonHook;
  /** Once they are loaded again. */
  readonly afterUpgrade?: AddonHook;
  /** While its models are still there. */
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
  /** In the system's name, without access checks, in the transaction of the upgrade. */
  readonly env: TypedEnv;
  /** Values of columns that the model no longer declares, of every record in the order of ids; dates and amounts are texts. */
  readonly before: (
    model: string,
    columns: readonly string[],
  ) => Promise<readonly ({ readonly id: number } & Readonly<Record<string, unknown>>)[]>;
  /** Drops such columns with their data. Otherwise they are kept. */
  readonly drop: (model: string, columns: readonly string[]) => Promise<void>;
}

/** Becomes a record of sys.automation at install, which an administrator may change or switch off. */
export interface AutomationSpec {
  /** One of a kind in its addon. */
  readonly name: string;
  /** The model that it watches. */
  readonly model: string;
  /** What sets it off. */
  readonly on: 'create' | 'write' | 'unlink' | 'cron';
  /** Which records set it off; all when absent. */
  readonly domain?: Domain;
  /** `publish:<channel>` or `write:{"field": value}`. */
  readonly run: `publish:${string}` | `write:${string}`;
}

/** A view type that an addon's `client/` draws. */
export interface ClientViewSpec {
  /** On its tab. */
  readonly label: string;
  /** Name of an icon. */
  readonly icon?: string;
  /** A sentence about it, for the reference. */
  readonly doc?: string;
}

export interface AddonSpec {
  /** Its models, and its extensions of others, in any order. */
  readonly models?: readonly ModelDefinition[];
  /** Addresses that it answers. */
  readonly routes?: readonly RouteSpec[];
  /** Work for the clock: rows of `sys.cron` say when. */
  readonly jobs?: readonly JobSpec[];
  /** What follows changes by itself, beside the requests. */
  readonly workers?: readonly WorkerSpec[];
  /** Work that waits in records until it is done, made by `defineQueue`. */
  readonly queues?: readonly Queue[];
  /** What happens when it comes and goes. */
  readonly hooks?: AddonHooks;
  /**
   * By the version that they lead to: run once, in order, by the upgrade of a module of an earlier version, when all models and
   * columns are there. A new install has nothing to migrate and runs none.
   */
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Rules that administrators may change. */
  readonly automations?: readonly AutomationSpec[];
  /** Code that sees every change before it is kept. */
  readonly observers?: readonly ObserverSpec[];
  /** Shown on people's home. */
  readonly followed?: FollowedSpec | null;
  /** What it tells people of; they choose how. */
  readonly notices?: readonly NoticeSpec[];
  /** Field widgets that its `client/` registers, by name: views may use them. */
  readonly widgets?: Readonly<Record<string, WidgetSpec>>;
  /** View types that its `client/` registers, by name: `<list as="timeline">` is a view of the type `timeline`. */
  readonly views?: Readonly<Record<string, ClientViewSpec>>;
}
/**
 * What an addon brings in code: frozen data.
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
    followed: spec.followed ?? null,
    notices: Object.freeze([...(spec.notices ?? [])]),
    widgets: Object.freeze({ ...spec.widgets }),
    views: Object.freeze({ ...spec.views }),
  });
}

/** For addons that bring data only. */
export const emptyAddon: AddonDefinition = defineAddon({});
