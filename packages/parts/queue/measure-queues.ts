import { ident, join, sql } from '@kontor/database';
import type { Kernel, Queue } from '@kontor/kernel';
import { openStates } from './claim-rows.ts';
import { addonQueues } from './start-queues.ts';

/** The table of a queue, and the names of its states. */
export type QueueTable = Pick<Queue, 'name' | 'model' | 'states' | 'handover'>;

export interface QueueMeasures {
  readonly name: string;
  /** Open rows that are not being worked on, including those waiting for their next try. */
  readonly waiting: number;
  readonly running: number;
  /** Given up. */
  readonly dead: number;
  /** Handed over without a known outcome. */
  readonly unclear: number;
  /** For how long the oldest due row has been due. */
  readonly oldestSeconds: number;
}

/** Counting stops here: an exact number above it is of no interest. */
const most = 100_000;

/** The size of the queues of parts and of installed modules, in one statement. */
export async function measureQueues(kernel: Kernel, ofParts: readonly QueueTable[]): Promise<readonly QueueMeasures[]> {
  const ofAddons = [...addonQueues(kernel)].map(([name, queue]): QueueTable => ({ ...queue, name }));
  const queues = [...ofParts, ...ofAddons].filter(({ model }) => kernel.registry.models.has(model));
  if (queues.length === 0) return [];
  const rows = await kernel.database.arrays(join(queues.map(measured(kernel)), sql` union all `));
  return rows.map(([name, waiting, running, dead, unclear, oldest]) => ({
    ...{ name: String(name), waiting: Number(waiting), running: Number(running), dead: Number(dead) },
    ...{ unclear: Number(unclear), oldestSeconds: Number(oldest) },
  }));
}

function measured({ registry }: Pick<Kernel, 'registry'>) {
  return (queue: QueueTable) => {
    const table = ident(registry.model(queue.model).table);
    const isOpen = sql`state = any(${openStates(queue)}::text[])`;
    const isHeld = sql`locked_until > now()`;
    return sql`
      select ${queue.name}::text,
        (select count(*) from (select from ${table} where ${isOpen} and (${isHeld}) is not true limit ${most}::int4) w),
        (select count(*) from ${table} where ${isHeld} and locked_by is not null),
        (select count(*) from (select from ${table} where state = ${queue.states.dead} limit ${most}::int4) d),
        (select count(*) from (select from ${table} where state = ${queue.handover?.unclear ?? null} limit ${most}::int4) u),
        coalesce((select greatest(0, extract(epoch from now() - min(next_try))) from ${table}
          where ${isOpen} and (${isHeld}) is not true and next_try <= now()), 0)`;
  };
}
