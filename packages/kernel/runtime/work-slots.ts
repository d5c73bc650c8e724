import type { UnitOfWork } from '@kontor/orm';
import type { Aside } from './aside.ts';
import type { OutboxEvent } from './publish-events.ts';

/** What a unit of work gathers for its end, beside its changes. */
export interface WorkSlots {
  /** Written with the change set, in the same statement. */
  readonly events: OutboxEvent[];
  /** Whether mail is set up; nobody queues what will never be sent. */
  readonly canMail: boolean;
  hasMail: boolean;
  /** Everything is taken back at the end. */
  readonly isDryRun: boolean;
  /** What is to be known before the end, or after a failure. */
  readonly aside: Aside;
  /**
   * Writes down what was changed so far and forgets it, so that long work does not hold all of it until its end. Automations
   * and observers have seen it then. Not inside a savepoint.
   */
  readonly keepSoFar: () => Promise<void>;
}

const key = 'kernel.slots';

export function openSlots(
  work: UnitOfWork,
  given: Pick<WorkSlots, 'canMail' | 'isDryRun' | 'aside' | 'keepSoFar'>,
): WorkSlots {
  const slots: WorkSlots = { ...given, events: [], hasMail: false };
  work.memo.set(key, slots);
  return slots;
}

/** Null outside a unit of work: during an install, and while only reading. */
export function slotsOf(work: UnitOfWork): WorkSlots | null {
  return (work.memo.get(key) as WorkSlots | undefined) ?? null;
}
