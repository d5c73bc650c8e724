import { type Leak as FoundLeak, findLeaks as find } from '@kontor/kernel';
import type { TestKernel } from './test-kernel.ts';

/** A computed field that reveals records or fields that its reader may not read. */
export interface Leak extends FoundLeak {}

/**
 * Unstored values are computed from what their reader may read. Stored values are the same for everyone, so they need a reason
 * (`asServer`) if they follow a list to records that are not parts, or a relation to records that rules may hide, or if more users
 * may read them than their sources. Ids alone reveal nothing.
 */
export async function findLeaks({ kernel, work }: TestKernel): Promise<readonly Leak[]> {
  const rows = await work((env) => env.sudo().model('sys.rule').searchRead([], ['model']));
  return find(kernel.registry, new Set(rows.map((row) => String(row.model))));
}
