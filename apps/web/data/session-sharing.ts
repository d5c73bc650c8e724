import { bootstrap } from '../state/bootstrap.ts';

interface SignedIn {
  readonly userId: number;
  readonly csrfToken: string;
}

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('kontor-session');

/** The windows of one browser have one session: whoever signed in again in one has signed in in all of them. */
export function shareSignIn(csrfToken: string): void {
  channel?.postMessage({ userId: bootstrap().user.id, csrfToken } satisfies SignedIn);
}

export function onSharedSignIn(take: (csrfToken: string) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<SignedIn>) => {
    if (data.userId === bootstrap().user.id) take(data.csrfToken);
  });
}
