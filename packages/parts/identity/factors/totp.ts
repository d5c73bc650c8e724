import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type Queryable, sql } from '@kontor/database';
import type { Config } from '@kontor/kernel';
import { Secret, TOTP } from 'otpauth';

/** Seconds for which a code is valid; the previous and the next one are accepted too, because clocks differ. */
const period = 30;
const window = 1;

export interface NewTotp {
  /** In base32, for typing. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
}

/** 160 bits, as RFC 4226 recommends. */
export function newTotp(login: string): NewTotp {
  return totpOf(new Secret({ size: 20 }).base32, login);
}

export function totpOf(secret: string, login: string): NewTotp {
  const totp = new TOTP({ issuer: 'Kontor', label: login, secret: Secret.fromBase32(secret), period });
  return { secret, uri: totp.toString() };
}

/** The time step of a code; null: none nearby. */
export function stepOf(secret: string, code: string, at = Date.now()): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period });
  const delta = totp.validate({ token: code, timestamp: at, window });
  return delta === null ? null : Math.floor(at / 1_000 / period) + delta;
}

/**
 * Accepts a code of a user's authenticator. Each code is accepted once: the step of the last one is stored, and earlier ones do not
 * count.
 */
export async function useTotp(
  db: Queryable,
  { factorKey }: Pick<Config, 'factorKey'>,
  uid: number,
  code: string,
): Promise<boolean> {
  const rows = await db.query<{ id: number; material: string }>(sql`
    select id, material from core_user_factor where user_id = ${uid} and kind = 'totp' order by id`);
  for (const { id, material } of rows) {
    const secret = openSecret(factorKey, material);
    const step = secret === null ? null : stepOf(secret, code);
    if (step === null) continue;
    const taken = await db.query(sql`
      update core_user_factor set last_step = ${step}::int4, last_used_at = now()
      where id = ${id} and (last_step is null or last_step < ${step}::int4) returning id`);
    if (taken.length > 0) return true;
  }
  return false;
}

const mark = 'v1:';

/** With `factor_key` the stored secrets are useless without the configuration. */
export function sealSecret(factorKey: string, secret: string): string {
  if (factorKey === '') return secret;
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(factorKey), iv);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return mark + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Null: it was encrypted with another key. */
export function openSecret(factorKey: string, stored: string): string | null {
  if (!stored.startsWith(mark)) return stored;
  const bytes = Buffer.from(stored.slice(mark.length), 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(factorKey), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function keyOf(factorKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', factorKey, '', 'kontor second factors', 32));
}
