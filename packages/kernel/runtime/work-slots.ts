import type { UnitOfWork } from '@kontor/orm';
import type { OutboxEvent } from './publish-events.ts';

/** What a unit of work gathers for its end, beside its changes. */
export interface WorkSlots {
  /** Written with the change set, in the same statement. */
  readonly events: OutboxEvent[];
  /** Whether mail is set up; nobody queues what will never be sent. */
  readonly canMail: boolean;
  hasMail: boolean;
}

const key = 'kernel.slots';

export function openSlots(work: UnitOfWork, canMail: boolean): WorkSlots {
  const slots: WorkSlots = { events: [], canMail, hasMail: false };
  work.memo.set(key, slots);
  return slots;
}

/** Null outside a unit of work: during an install, and while only reading. */
export function slotsOf(work: UnitOfWork): WorkSlots | null {
  return (work.memo.get(key) as WorkSlots | undefined) ?? null;
}
