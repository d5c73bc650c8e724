import { type Queryable, sql } from '@kontor/database';
import { noteEntry } from './chain.ts';

interface SignInOrigin {
  readonly address: string;
  readonly requestId: string;
}

export interface NotedSignIn extends SignInOrigin {
  readonly uid: number;
  readonly sessionId: number;
  /** The factors they used, such as `password, totp`. */
  readonly method: string;
}

/** Recorded before the browser has its cookie. */
export function noteSignIn(db: Queryable, { uid, sessionId, method, address, requestId }: NotedSignIn): Promise<void> {
  const via = `session ${sessionId}`;
  const origin = { address: address.slice(0, 64), via, requestId };
  return noteEntry(db, { kind: 'sign_in', model: null, count: null, uid, ...origin, values: { method } });
}

export interface FailedSignIn extends SignInOrigin {
  /** Null: there is no such login. The typed text is not stored: it may be a password in the wrong field. */
  readonly uid: number | null;
  /** The reason of the failure. */
  readonly method: string;
}

/** Every failure of a known user; for unknown logins one a minute per address, or strangers could fill the trail. */
export async function noteFailedSignIn(db: Queryable, failed: FailedSignIn): Promise<void> {
  const { uid, method, requestId } = failed;
  const address = failed.address.slice(0, 64);
  const [known] = await db.query<{ is_known: boolean }>(sql`
    select exists (select 1 from sys_audit
      where kind = 'sign_in_failed' and uid is null and address = ${address} and at > now() - interval '1 minute') as is_known`);
  if (uid === null && known?.is_known) return;
  const origin = { address, via: null, requestId };
  await noteEntry(db, {
    kind: 'sign_in_failed',
    model: null,
    count: null,
    uid: uid ?? 0,
    ...origin,
    values: { method },
  });
}
