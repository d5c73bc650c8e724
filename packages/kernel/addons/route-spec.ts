import type { TypedEnv } from '@kontor/orm';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `none`: public; `session`: a signed-in person; `apikey`: a request that carries an API key. */
export type RouteAuth = 'none' | 'session' | 'apikey';

/**
 * The request that the handler of a route gets.
 * ```ts
 * export async function countIn({ env, params }: RouteRequest) {
 *   return { body: await env.model('core.partner').count([['city', '=', params.city ?? '']]) };
 * }
 * ```
 */
export interface RouteRequest {
  /** Acts as the caller; with `none` as nobody, so that only `sudo` can read. */
  readonly env: TypedEnv;
  /** The HTTP method of the request. */
  readonly method: RouteMethod;
  /** The requested path, without the query. */
  readonly path: string;
  /** The values of `:name` in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters after `?`; a list if a name is repeated. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON or form fields; otherwise text; null without a body. */
  readonly body: unknown;
  /** The body as it was sent, for signatures; null without one. */
  readonly bytes?: Uint8Array | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of the cookie that the route names; null without one. */
  readonly cookie?: string | null;
  /** The language of the caller, such as `de_DE`; of a stranger the first translated one that their browser accepts. */
  readonly lang: string;
}

/**
 * The answer of a route.
 * ```ts
 * export const gone: RouteAnswer = { status: 410, body: 'This parcel was fetched.' };
 * ```
 */
export interface RouteAnswer {
  /** Default: 200. */
  readonly status?: number;
  /** Headers besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Sets the cookie that the route names; an empty value with the age 0 removes it. */
  readonly cookie?: { readonly value: string; readonly maxAgeSeconds: number };
  /** Records that are sent as a document; the audit trail records who printed them. */
  readonly printed?: { readonly model: string; readonly ids: readonly number[] };
  /** The same for records that are sent as data. */
  readonly exported?: { readonly model: string; readonly ids: readonly number[] };
}

/**
 * A route of an addon.
 * ```ts
 * const ping: RouteSpec = { method: 'GET', path: '/library/ping', auth: 'none', handler: () => ({ body: 'pong' }) };
 * export default defineAddon({ routes: [ping] });
 * ```
 */
export interface RouteSpec {
  /** The HTTP method. */
  readonly method: RouteMethod;
  /** Starts with `/`; parameters are written `:name`. */
  readonly path: string;
  /**
   * Who may call it: `none` everyone, `session` signed-in users, `apikey` programs with a key. Other requests
   * are rejected before it runs.
   */
  readonly auth: RouteAuth;
  /** Returns the answer. Exceptions become errors in the format of RPC. */
  readonly handler: (request: RouteRequest) => Promise<RouteAnswer> | RouteAnswer;
  /** How many requests a minute come from one address, for what costs much; further ones get 429. */
  readonly perMinute?: number;
  /** For bodies above 4 MB, other than JSON and form fields. */
  readonly largeBody?: LargeBody;
  /**
   * A cookie of its own, for callers who are no users; scripts cannot read it, and a post with it from another site is rejected. Its
   * name begins with that of the addon, and it is sent to paths below `path` alone.
   */
  readonly cookie?: { readonly name: string; readonly path: string };
}

export interface LargeBody {
  /** The largest body, up to 30,000,000 bytes. */
  readonly bytes: number;
  /** Throws unless the caller may send one; it runs as the caller before the body is read, without it. */
  readonly admits: (request: Omit<RouteRequest, 'body'>) => Promise<void>;
}
