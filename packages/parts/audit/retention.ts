import { type Database, type Queryable, sql } from '@kontor/database';
import type { SystemJobSpec } from '@kontor/kernel';
import { readParameter } from '../settings/config-parameter.ts';
import { lockChain, noteEntry } from './chain.ts';

/** The system parameter with the number of months to keep. */
export const keptMonthsParameter = 'audit.keep_months';
const keptMonths = 24;

/**
 * Drops expired months, oldest first. A month is dropped at once: from then on the chain starts with its last hash. Its rows are
 * then deleted in small transactions, and the next run deletes what an interruption leaves.
 */
export const dropOldAudit: SystemJobSpec = {
  name: 'clean_audit',
  async runAsSystem({ database, log }, signal) {
    const given = Number((await readParameter(database, keptMonthsParameter)) ?? keptMonths);
    const months = Number.isInteger(given) && given > 0 ? given : keptMonths;
    while (!signal.aborted && (await dropOldest(database, months)));
    while (!signal.aborted && (await deleteDropped(database)) === batch);
    const [end] = await database.query<{ last_seq: number; last_hash: string }>(sql`
      select last_seq, last_hash from sys_audit_segment order by last_seq desc limit 1`);
    // Also outside the database, as independent evidence.
    if (end) log.info({ audit: `${end.last_seq}:${end.last_hash}` }, 'head of the audit trail');
  },
};

/** Whether there was one. */
async function dropOldest(database: Database, months: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockChain(tx);
    const [oldest] = await findOldest(tx, months);
    if (!oldest) return false;
    await tx.execute(sql`
      update sys_audit_segment set dropped_at = now(), write_date = now() where name = ${oldest.name}`);
    await noteEntry(tx, {
      ...{ kind: 'retention', model: 'sys.audit', uid: 0, address: null, via: null, requestId: null },
      count: oldest.last_seq - oldest.first_seq + 1,
      values: { segment: oldest.name, head: `${oldest.last_seq}:${oldest.last_hash}` },
    });
    return true;
  });
}

const batch = 5_000;

function deleteDropped(database: Database): Promise<number> {
  return database.execute(sql`
    delete from sys_audit where id in (
      select a.id from sys_audit_segment s join sys_audit a on a.segment = s.name
      where s.dropped_at is not null limit ${batch}::int4)`);
}

interface OldSegment extends Record<string, unknown> {
  readonly name: string;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly last_hash: string;
}

function findOldest(tx: Queryable, months: number): Promise<readonly OldSegment[]> {
  return tx.query<OldSegment>(sql`
    select name, first_seq, last_seq, last_hash from sys_audit_segment
    where dropped_at is null
      and name < to_char((now() at time zone 'UTC') - make_interval(months => ${months}::int4), 'YYYY-MM')
    order by last_seq limit 1`);
}
