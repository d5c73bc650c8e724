import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('hex');
}

/** The stored hash of a session token, an API key or a reset token. */
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

/** OWASP's second recommended setting for argon2id: 19 MiB, two passes. */
const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | null = null;

export async function hashPassword(password: string): Promise<string> {
  const argon2 = await import('@node-rs/argon2');
  return argon2.hash(password.normalize('NFKC'), settings);
}

/** Without a hash to compare it takes the same time, so that the time does not reveal which logins exist. */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no password is this one');
  const expected = storedHash ?? (await decoy);
  const argon2 = await import('@node-rs/argon2');
  const isRight = await argon2.verify(expected, password.normalize('NFKC')).catch(() => false);
  return isRight && storedHash !== null;
}
