import type { Operation } from '@kontor/protocol';

export interface FieldChange {
  readonly old: unknown;
  readonly new: unknown;
}

/** One record that was created, written or unlinked, with the stored values that differ. */
export interface Change {
  readonly model: string;
  readonly id: number;
  readonly operation: Exclude<Operation, 'read'>;
  readonly values: Readonly<Record<string, FieldChange>>;
  /** Company of the record after the change (before it, when unlinked), where the model has one. */
  readonly companyId: number | null;
}

/** What one transaction did; the kernel turns it into change sets, events and tracking before the commit. */
export interface UnitOfWork {
  readonly changes: readonly Change[];
  record(change: Change): void;
  /** Free slots for what a transaction shares, by key (sequence blocks, loaded rows). */
  readonly memo: Map<string, unknown>;
}

export function createUnitOfWork(): UnitOfWork {
  const changes: Change[] = [];
  return { changes, record: (change) => changes.push(change), memo: new Map() };
}
