import type { JsonShape, Sql } from '@kontor/database';
import { lruCache } from '@kontor/protocol';
import { rightsNumber } from '../access/rights-number.ts';
import type { Env, Model } from '../model/model.ts';
import type { AskedCount } from './asked.ts';

/** A cached read: its statement, and how its rows become JSON. */
export interface KeptRead {
  readonly statement: Sql;
  readonly shape: JsonShape;
  /** Where a page is counted. */
  readonly asked?: AskedCount;
}

const maxKeyLength = 4_000;
const reads = lruCache<string, KeptRead>(1_000);

/** The cache key of an external read, whose arguments are JSON, for the rights of the caller; null: not cached. */
export function readKey(env: Env, model: Model, question: readonly unknown[]): string | null {
  if (!env.isOutside || env.isSudo) return null;
  const text = JSON.stringify(question);
  return text.length > maxKeyLength ? null : `${rightsNumber(env)} ${env.scope?.key ?? ''} ${model.name} ${text}`;
}

export function findRead(key: string | null): KeptRead | undefined {
  return key === null ? undefined : reads.get(key);
}

export function keepRead(key: string | null, read: KeptRead): void {
  if (key !== null) reads.set(key, read);
}
