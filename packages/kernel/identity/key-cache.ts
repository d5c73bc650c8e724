import type { Queryable } from '@kontor/database';
import { type ApiKey, findApiKey } from './api-keys.ts';
import { digest } from './token.ts';

/** Keys that were just found good, so that a busy client does not cost a statement more with every call. */
export interface KeyCache {
  find(secret: string): Promise<ApiKey | null>;
  drop(): void;
}

/**
 * A key that is ended here is dropped with everyone's rights, and other processes hear of that. This bounds what neither
 * tells of: a process that cannot hear, a key that expires, a hand in the database.
 */
const believedMs = 500;
const maxKeys = 1_000;

interface Found {
  readonly key: Promise<ApiKey | null>;
  readonly askedAt: number;
}

export function createKeyCache(db: Queryable): KeyCache {
  const known = new Map<string, Found>();

  async function ask(secret: string, hash: string): Promise<ApiKey | null> {
    if (known.size >= maxKeys) known.clear();
    const found: Found = { key: findApiKey(db, secret), askedAt: performance.now() };
    known.set(hash, found);
    const forget = (): void => {
      if (known.get(hash) === found) known.delete(hash);
    };
    try {
      const key = await found.key;
      // Guesses must not push out keys.
      if (key === null) forget();
      return key;
    } catch (error) {
      forget();
      throw error;
    }
  }

  return {
    async find(secret) {
      const hash = digest(secret);
      const found = known.get(hash);
      if (found && performance.now() - found.askedAt < believedMs) return found.key;
      return ask(secret, hash);
    },
    drop: () => known.clear(),
  };
}
