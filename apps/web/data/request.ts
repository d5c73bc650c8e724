import type { Envelope, ErrorCode } from '@kontor/protocol';
import { whileSending } from '../state/idle.ts';
import { ClientError } from './client-error.ts';
import { connectionBack, connectionLost } from './connection.ts';
import { csrfToken, needSignIn } from './session.ts';

interface Answer<T> {
  readonly body: T;
  readonly headers: Headers;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON, with the CSRF token. */
  readonly json?: unknown;
  readonly form?: FormData | URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The redirect is not followed: the caller loads that page afterwards. */
  readonly isRedirect?: boolean;
  /** Background work, such as a prefetch: it does not count as busy and never asks the user to sign in. */
  readonly isQuiet?: boolean;
}

/**
 * A request to our own server that returns JSON. An expired session is renewed in place and the request is sent again.
 */
export async function request<T>(url: string, options: RequestOptions = {}): Promise<Answer<T>> {
  if (options.isQuiet) return send(url, options);
  try {
    return await whileSending(send<T>(url, options));
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'UNAUTHORIZED') throw error;
  }
  // Waiting for the user to sign in does not count as busy.
  await needSignIn();
  return request(url, options);
}

async function send<T>(url: string, options: RequestOptions): Promise<Answer<T>> {
  const answer = await fetchAnswer(url, options);
  if (answer.type === 'opaqueredirect') return { body: null as T, headers: answer.headers };
  const body = (await answer.json().catch(() => null)) as (T & Envelope) | null;
  if (answer.ok && body !== null && body.ok !== false) return { body, headers: answer.headers };
  throw toError(answer, body);
}

async function fetchAnswer(url: string, options: RequestOptions): Promise<Response> {
  const isPost = options.json !== undefined || options.form !== undefined || options.method === 'POST';
  try {
    const answer = await fetch(url, {
      method: isPost ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isPost ? { 'x-csrf-token': csrfToken() } : {}),
        ...options.headers,
      },
      body: options.json === undefined ? (options.form ?? null) : JSON.stringify(options.json),
      ...(options.isRedirect ? { redirect: 'manual' as const } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (answer.status < 502 || answer.status > 504) connectionBack();
    return answer;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    connectionLost();
    throw new ClientError(
      'network',
      'The server cannot be reached. Nothing is lost; try again when you are back online.',
    );
  }
}

function toError(answer: Response, body: Envelope | null): ClientError {
  const requestId = answer.headers.get('x-request-id') ?? '';
  const rest = { requestId, status: answer.status };
  if (body?.error) {
    return new ClientError(body.error.code, body.error.message, { ...rest, details: body.error.details });
  }
  const code: ErrorCode =
    answer.status === 401 ? 'UNAUTHORIZED' : answer.status === 404 ? 'NOT_FOUND' : 'INTERNAL_ERROR';
  return new ClientError(code, `The server answered ${answer.status}.`, rest);
}

/**
 * Sends a form whose response is a redirect: the next page shows the result and one-time secrets. Errors are thrown
 * here, so nothing on screen is lost.
 */
export async function postAndReload(url: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const next = `${location.pathname}${location.search}`;
  await request(url, { form: new URLSearchParams({ ...fields, next }), isRedirect: true });
  location.reload();
}

/** Responses may arrive out of order. Passes each one to `take`, unless a later one was already taken. */
export function latestOnly<T>(ask: () => Promise<T>, take: (answer: T) => void): () => Promise<void> {
  let asked = 0;
  let taken = 0;
  return async () => {
    const mine = ++asked;
    const answer = await ask();
    if (mine < taken) return;
    taken = mine;
    take(answer);
  };
}
