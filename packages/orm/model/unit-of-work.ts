import type { RecordChange } from '@kontor/protocol';

export type { FieldChange } from '@kontor/protocol';

/** One record that was created, written or unlinked, with the stored values that differ. */
export interface Change extends RecordChange {
  /** Company of the record after the change (before it, if deleted), if the model has one. */
  readonly companyId: number | null;
}

/** The changes of one transaction; the kernel turns them into change sets, events and tracking before the commit. */
export interface UnitOfWork {
  readonly changes: readonly Change[];
  record(change: Change): void;
  /**
   * Adds values to the `create` of the record if it is among the changes from `since` on; otherwise records the change.
   */
  amend(change: Change, since: number): void;
  /** Drops every change after the first `count`: they were made in a savepoint that was rolled back. */
  rewind(count: number): void;
  /** Removes values that must not be stored from the changes so far. */
  redact(redacted: (change: Change) => Change): void;
  /** The work had external effects and cannot be undone. */
  keepFromUndo(): void;
  readonly canUndo: boolean;
  /** Everything is rolled back at the end. */
  readonly isDryRun: boolean;
  /** Slots for data that a transaction shares, by key (sequence blocks, loaded rows). */
  readonly memo: Map<string, unknown>;
}

export function createUnitOfWork(isDryRun = false): UnitOfWork {
  const changes: Change[] = [];
  const created = new Map<string, number>();
  const record = (change: Change): void => {
    if (change.operation === 'create') created.set(`${change.model}/${change.id}`, changes.length);
    changes.push(change);
  };
  const amend = (change: Change, since: number): void => {
    const index = created.get(`${change.model}/${change.id}`) ?? -1;
    const known = index < since ? undefined : changes[index];
    if (known === undefined) record(change);
    else {
      const values = { ...known.values, ...withoutOldValues(change.values) };
      changes[index] = { ...known, values, companyId: change.companyId ?? known.companyId };
    }
  };
  const rewind = (count: number): void => {
    const forgotten = changes.splice(count);
    if (count === 0) created.clear();
    else for (const { operation, model, id } of forgotten) if (operation === 'create') created.delete(`${model}/${id}`);
  };
  const work = {
    changes,
    record,
    amend,
    rewind,
    redact: (redacted: (change: Change) => Change) => {
      for (const [at, change] of changes.entries()) changes[at] = redacted(change);
    },
    keepFromUndo: () => {
      work.canUndo = false;
    },
    canUndo: true,
    isDryRun,
    memo: new Map(),
  };
  return work;
}

function withoutOldValues(values: Change['values']): Change['values'] {
  return Object.fromEntries(Object.entries(values).map(([name, change]) => [name, { old: null, new: change.new }]));
}
