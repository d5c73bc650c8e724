import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Transaction } from '@kontor/database';
import { KontorError } from '@kontor/protocol';

const moduleChange = 0x6b6f6e75;
const pauseMs = 100;

/** One change of modules at a time in the database; the lock goes with the transaction. */
export async function lockModules(tx: Transaction, waitMs = 30_000): Promise<void> {
  const until = Date.now() + waitMs;
  for (;;) {
    const [row] = await tx.query<{ got: boolean }>(sql`select pg_try_advisory_xact_lock(${moduleChange}) as got`);
    if (row?.got) return;
    if (Date.now() >= until) {
      throw new KontorError('CONFLICT', 'Modules are being changed by someone else right now. Try again in a moment.');
    }
    await pause(pauseMs);
  }
}
