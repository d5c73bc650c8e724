import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';

/** The rows of one's own batch that were not written, as a CSV file with their reasons. */
export async function readRejects(
  env: Env,
  batchId: number,
): Promise<{ readonly name: string; readonly content: string }> {
  const [batch] = await env.model('sys.bulk.import').read([batchId], ['name']);
  const [file] = await env.db.query<{ rejects: string | null }>(
    sql`select rejects from sys_bulk_import_file where batch_id = ${batchId}::int4`,
  );
  if (!file?.rejects) throw new KontorError('NOT_FOUND', 'No row of this import was left out.');
  return { name: String(batch?.name ?? 'import.csv'), content: file.rejects };
}
