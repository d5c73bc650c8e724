import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('hex');
}

/** What the database keeps instead of a session token, an API key or a reset token. */
export function digest(secret: string): string {
  return hash('sha256', secret);
}

/** Derived from the session token, so it is valid in every process and needs no storage. */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('hex');
}

export function isSameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(digest(given));
  const b = Buffer.from(digest(expected));
  return timingSafeEqual(a, b);
}
