import { hash, verify } from '@node-rs/argon2';

/** OWASP's second recommended setting for argon2id: 19 MiB, two passes. */
const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | null = null;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), settings);
}

/** With no hash to compare it costs the same time, so that nobody learns which logins exist. */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no password is this one');
  const expected = storedHash ?? (await decoy);
  const isRight = await verify(expected, password.normalize('NFKC')).catch(() => false);
  return isRight && storedHash !== null;
}
