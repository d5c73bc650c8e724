import type { Envelope } from '@kontor/protocol';
import { RpcError, toError } from './errors.ts';

export interface RetryOptions {
  /** How often a call is sent at most; 1: never again. */
  readonly attempts?: number;
  /** The longest first pause. Each is chosen at random up to twice the one before. */
  readonly firstMs?: number;
  /** The longest pause. A server that asks for more gets its error told at once. */
  readonly mostMs?: number;
}

export interface ClientOptions {
  /** Where the server is, such as `https://erp.example.com`. In a page of the server itself it may be left out. */
  readonly url?: string;
  /** An API key. Without one the session counts: that of the page, or that of `login`. */
  readonly key?: string;
  /** The token of the page's session (`csrfToken` of its bootstrap). `login` gets one of its own. */
  readonly csrfToken?: string;
  readonly retries?: RetryOptions;
  /** How long one try may take. */
  readonly timeoutMs?: number;
  /** Ends every call of the client. */
  readonly signal?: AbortSignal;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
}

export interface RpcCall {
  readonly model: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

/** What a call gave back, and the change set by which it can be undone. */
export interface Receipt<Result = unknown> {
  readonly result: Result;
  /** Null where nothing changed. The feed names it with each change. */
  readonly changeSet: number | null;
  readonly canUndo: boolean;
  readonly requestId: string | null;
}

export interface Transport {
  readonly address: string;
  send<Result>(call: RpcCall): Promise<Receipt<Result>>;
  login(login: string, password: string): Promise<void>;
  /** What a WebSocket outside of browsers has to send along. */
  sessionHeaders(): Readonly<Record<string, string>>;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

const reading: ReadonlySet<string> = new Set(['search', 'search_read', 'read', 'read_group', 'onchange']);
/** What passes by itself: try again. */
const passing: ReadonlySet<string> = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'NETWORK']);

/** One endpoint: who calls, what is sent again and when, and which error comes of an answer. */
// Over 60 lines: the functions share cookies, token and retries.
export function createTransport(options: ClientOptions): Transport {
  const { retries = {}, timeoutMs = 120_000, signal, key } = options;
  const { attempts = 6, firstMs = 250, mostMs = 60_000 } = retries;
  const address = (options.url ?? (globalThis as { location?: { origin: string } }).location?.origin ?? '').replace(
    /\/+$/,
    '',
  );
  if (address === '') throw new TypeError('Say where the server is: createClient({ url: … }).');
  const get = options.fetch ?? ((input, init) => fetch(input, init));
  const cookies = new Map<string, string>();
  let csrfToken = options.csrfToken ?? '';

  const who = (): Record<string, string> => ({
    ...(key ? { 'x-api-key': key } : {}),
    ...(!key && csrfToken !== '' ? { 'x-csrf-token': csrfToken } : {}),
    ...(cookies.size > 0 ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
  });

  async function once(path: string, body: string, headers: Record<string, string>): Promise<Answer> {
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
    try {
      const response = await get(address + path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers, ...who() },
        redirect: 'error',
        signal: AbortSignal.any(limits),
      });
      // An answer that breaks off is none, so it is read here.
      return { response, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      throw noAnswer(`No answer from ${address}: ${(error as Error).message}`, error);
    }
  }

  /** Sends until there is an answer, as long as that may still change. Every try has the same body and the same headers. */
  async function post(path: string, body: string, headers: Record<string, string>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const failure = await tried(() => once(path, body, headers));
      if (!(failure instanceof RpcError)) return failure;
      const ms = waitFor(failure, attempt);
      if (!passing.has(failure.code) || attempt >= attempts || ms > mostMs) throw failure;
      await pause(ms, signal);
    }
  }

  function waitFor(error: RpcError, attempt: number): number {
    const asked = Number(error.details.retry_after ?? 0) * 1_000;
    const longest = Math.min(mostMs, firstMs * 2 ** (attempt - 1));
    return Math.max(asked, Math.random() * longest);
  }

  return {
    address,
    pause,
    sessionHeaders: () => ({ ...who(), origin: address }),
    async send<Result>({ model, method, args, kwargs = {} }: RpcCall): Promise<Receipt<Result>> {
      const again = reading.has(method) ? {} : { 'idempotency-key': crypto.randomUUID() };
      const { response, text } = await post('/api/rpc', JSON.stringify({ model, method, args, kwargs }), again);
      const { result } = JSON.parse(text) as { result: Result };
      if (response.status === 202) throw heldError(result as Readonly<Record<string, unknown>>, response);
      const changeSet = response.headers.get('x-change-set');
      return {
        result,
        changeSet: changeSet === null ? null : Number(changeSet),
        canUndo: response.headers.get('x-undo') !== 'no',
        requestId: response.headers.get('x-request-id'),
      };
    },
    async login(login, password) {
      const { response, text } = await post('/web/login', JSON.stringify({ login, password }), {});
      for (const line of response.headers.getSetCookie?.() ?? []) {
        const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      const { result } = JSON.parse(text) as { result: { csrfToken?: string } };
      if (result.csrfToken === undefined) {
        throw toError({
          ...unknown,
          code: 'UNAUTHORIZED',
          message: 'This person has a second factor: use an API key.',
        });
      }
      csrfToken = result.csrfToken;
    },
  };
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

const unknown = { details: {}, status: 0, requestId: null } as const;

function noAnswer(message: string, cause?: unknown): RpcError {
  return toError({ ...unknown, code: 'NETWORK', message }, { cause });
}

/** The answer where it is a good one, else the error that it is. */
async function tried(send: () => Promise<Answer>): Promise<Answer | RpcError> {
  try {
    const answer = await send();
    return answer.response.ok ? answer : refusalOf(answer);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

/** What is not the envelope comes from something in between, which may be gone at the next try. */
function refusalOf({ response, text }: Answer): RpcError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id');
  const wait = Number(headers.get('retry-after') ?? 0);
  const known = envelopeOf(text);
  if (known?.ok === false) {
    const details = { ...known.error.details, ...(wait > 0 ? { retry_after: wait } : {}) };
    return toError({ ...known.error, details, status, requestId });
  }
  const code = status === 429 ? 'RATE_LIMITED' : status >= 500 ? 'UNAVAILABLE' : 'INVALID_ARGS';
  const details = wait > 0 ? { retry_after: wait } : {};
  return toError({ code, message: `${response.url} answered ${status}.`, details, status, requestId });
}

/** The answer to a call that waits for approval must not be taken for the result of the call. */
function heldError({ proposal, state, changes }: Readonly<Record<string, unknown>>, { headers }: Response): RpcError {
  const message = `The call waits for approval, as proposal ${proposal}. Nothing has changed yet.`;
  const details = { proposal, state, changes };
  return toError({ code: 'HELD', message, details, status: 202, requestId: headers.get('x-request-id') });
}

function envelopeOf(text: string): Envelope | null {
  try {
    const value = JSON.parse(text) as Envelope | null;
    return typeof value === 'object' && value !== null && 'ok' in value ? value : null;
  } catch {
    return null;
  }
}

/** Throws when the signal ends it. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
