import { type Cell, ident, join, sql } from '@kontor/database';
import type { Env } from '../../env.ts';
import type { Field, Model } from '../../model/model.ts';
import { companyField } from '../record-change.ts';

export interface LockedRecord {
  /** Values of the asked fields as they are now. */
  readonly values: ReadonlyMap<Field, unknown>;
  readonly companyId: number | null;
}

/**
 * Locks records in id order and reads what they hold. Two people who add lines to one order both come through here, so
 * the second one's recompute starts after the first has committed and counts both lines. Records that are gone are left out.
 */
export async function lockRecords(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
): Promise<ReadonlyMap<number, LockedRecord>> {
  const company = companyField(model)?.column;
  const columns = [
    sql`id`,
    company ? ident(company) : sql`null`,
    ...fields.map((field) => ident(field.column as string)),
  ];
  const rows = await env.db.arrays(sql`
    select ${join(columns)} from ${ident(model.table)}
    where id = any(${ids}::int4[]) order by id for no key update`);
  return new Map(rows.map((row) => [row[0] as number, toLocked(row, fields)]));
}

function toLocked(row: readonly Cell[], fields: readonly Field[]): LockedRecord {
  const values = new Map(fields.map((field, i) => [field, field.kind.fromCell(row[i + 2] as Cell)]));
  return { values, companyId: row[1] as number | null };
}
