import type { Transaction } from '@kontor/database';
import { KontorError } from '@kontor/protocol';
import { atPlace } from '../addon-error.ts';
import type { DataRecord } from './data-record.ts';

/**
 * Does something for many records at once. When that fails, does it again one by one, only to find the record that it
 * fails at: the error then names its file and line.
 */
export async function atCulprit<Item, T>(
  tx: Transaction,
  records: readonly DataRecord[],
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<T>,
): Promise<T> {
  try {
    return await tx.savepoint(() => work(items));
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    for (const [index, record] of records.entries()) {
      await tx
        .savepoint(() => work(items.slice(index, index + 1)))
        .catch((each: unknown) => {
          throw atPlace(record.place, each);
        });
    }
    throw atPlace(records[0]?.place ?? { addon: '' }, error);
  }
}
