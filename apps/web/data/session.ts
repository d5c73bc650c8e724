import { bootstrap, changeBootstrap } from '../state/bootstrap.ts';
import { waitForPerson } from '../state/idle.ts';
import { createStore } from '../state/store.ts';
import { ClientError } from './client-error.ts';

/** Requests that wait until the user has signed in again. */
interface SignInNeed {
  resolve(): void;
  reject(error: ClientError): void;
  readonly promise: Promise<void>;
}

/** Set while the session has expired; the shell shows the sign-in dialog over the screen. */
export const signInNeed = createStore<SignInNeed | null>(null);

/** Resolves when the user has signed in again. All requests with an expired session wait for the same dialog. */
export function needSignIn(): Promise<void> {
  const open = signInNeed.get();
  if (open) return open.promise;
  let resolve = () => {};
  let reject: (error: ClientError) => void = () => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  signInNeed.set({ promise, resolve, reject });
  waitForPerson(true);
  return promise;
}

/** What is needed after the password: a code, or a page to enrol a second factor. */
export interface SecondFactor {
  readonly methods?: readonly string[];
  readonly enrol?: string;
}

/**
 * Signs the same user in again without leaving the page: first the password, then the second factor (`{code}`, or a
 * passkey's answer). Another user must not act on this user's drafts.
 */
export async function signInAgain(proof: object, step: '' | '/factor' | '/passkey' = ''): Promise<SecondFactor | null> {
  const answer = await fetch(`/web/login${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ login: bootstrap().user.login, ...proof }),
  });
  const body = (await answer.json().catch(() => null)) as {
    ok: boolean;
    result?: { csrfToken?: string; secondFactor?: SecondFactor };
    error?: { message: string };
  } | null;
  if (!answer.ok || !body?.ok || !body.result) {
    throw new ClientError('UNAUTHORIZED', body?.error?.message ?? 'Signing in did not work.', {
      status: answer.status,
    });
  }
  const { csrfToken: token, secondFactor } = body.result;
  if (!token) return secondFactor ?? null;
  signedIn(token);
  shareSignIn(token);
  return null;
}

/** A sign-in in one window continues the others. */
export function startSession(): void {
  onSharedSignIn(signedIn);
}

function signedIn(token: string): void {
  setCsrfToken(token);
  const need = signInNeed.get();
  signInNeed.set(null);
  waitForPerson(false);
  need?.resolve();
}

export function csrfToken(): string {
  return bootstrap().csrfToken;
}

export function setCsrfToken(token: string): void {
  changeBootstrap((now) => (now.csrfToken === token ? now : { ...now, csrfToken: token }));
}

interface SignedIn {
  readonly userId: number;
  readonly csrfToken: string;
}

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('kontor-session');

/** All windows of a browser share one session, so signing in again in one covers all of them. */
function shareSignIn(csrfToken: string): void {
  channel?.postMessage({ userId: bootstrap().user.id, csrfToken } satisfies SignedIn);
}

function onSharedSignIn(take: (csrfToken: string) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<SignedIn>) => {
    if (data.userId === bootstrap().user.id) take(data.csrfToken);
  });
}
