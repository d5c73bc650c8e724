import { atField, ValidationError } from '@kontor/protocol';
import { checkLinks, unknownRecord } from '../given/check-links.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { RowWrite } from '../model/records.ts';
import type { Conflicts, ListChange, ListEdit, ListNow } from '../plan/row-change.ts';

/** A record whose list is edited, and the ids that the caller read, if given. */
export interface ListOwner {
  readonly id: number;
  /** Its index in the call. */
  readonly row: number;
  readonly edit: ListEdit;
  readonly seen: readonly number[] | null;
  /** Where a conflict with changes by others is noted. */
  readonly conflicts: Conflicts;
}
export const emptyList: ListNow = { all: new Set(), visible: new Set() };

/**
 * Adding, removing and changing lines are deltas and merge with changes by others; replacing the list is a value, and conflicts if
 * others changed it to something else. Lines hidden from the caller stay.
 */
export function resolveEdit(field: Field, related: Model, owner: ListOwner, now: ListNow): ListChange {
  const { edit, seen } = owner;
  refuseHidden(field, related, edit, now);
  const deleted = checkDeleted(field, related, edit.delete, now, seen);
  const isUntouched = edit.replaces && isUnchanged(edit, seen);
  if (edit.replaces && !isUntouched && isConflict(edit, now, seen)) {
    owner.conflicts[field.name] = { base: seen, mine: [...edit.link], theirs: [...now.visible] };
  }
  const removed = isUntouched ? [] : removals(edit, now).filter((id) => !edit.delete.has(id));
  const added = isUntouched ? [] : [...edit.link].filter((id) => !now.all.has(id));
  const gone = new Set([...deleted, ...removed]);
  const updated = updates(field, related, owner, now).filter((row) => !gone.has(row.id));
  return { owner: owner.id, row: owner.row, now, added, removed, deleted, updated, created: edit.create };
}

export function changesNothing(change: ListChange): boolean {
  const { added, removed, deleted, updated, created } = change;
  return added.length + removed.length + deleted.length + updated.length + created.length === 0;
}

function removals(edit: ListEdit, now: ListNow): number[] {
  if (edit.replaces) return [...now.visible].filter((id) => !edit.link.has(id));
  return [...edit.unlink].filter((id) => now.all.has(id));
}

function isUnchanged(edit: ListEdit, seen: readonly number[] | null): boolean {
  return seen !== null && edit.create.length === 0 && isSameSet(edit.link, new Set(seen));
}

function isConflict(edit: ListEdit, now: ListNow, seen: readonly number[] | null): boolean {
  return seen !== null && !isSameSet(now.visible, new Set(seen)) && !isSameSet(now.visible, edit.link);
}

function isSameSet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}

function refuseHidden(field: Field, related: Model, edit: ListEdit, now: ListNow): void {
  const hidden = [...edit.unlink, ...edit.delete].filter((id) => now.all.has(id) && !now.visible.has(id));
  if (hidden.length > 0) throw notInList(field, related, hidden);
}

/** A line that does not exist, is not in this list, or is hidden from the caller. */
function notInList(field: Field, related: Model, ids: readonly number[]): ValidationError {
  const messages = ids.map((id) => unknownRecord(related, id));
  return new ValidationError(
    { [field.name]: messages },
    atField(field.label, messages[0] as (typeof messages)[number]),
  );
}

/** Records that join a list must be visible to the caller, and match the list's domain. */
export async function checkAdded(env: Env, field: Field, changes: readonly ListChange[], rows: number): Promise<void> {
  const links = changes.flatMap(({ added, row }) =>
    added.map((id) => ({ field, id, isChosen: true, mustFit: true, row })),
  );
  const model = env.registry.model(field.model);
  await checkLinks(env, links, { model, rows, isEarly: field.kind.isLines });
}

/** A line that the caller saw and someone else has deleted is not their mistake. */
function checkDeleted(
  field: Field,
  related: Model,
  ids: ReadonlySet<number>,
  now: ListNow,
  seen: readonly number[] | null,
): number[] {
  const missing = [...ids].filter((id) => !now.visible.has(id) && !seen?.includes(id));
  if (missing.length > 0) throw notInList(field, related, missing);
  return [...ids].filter((id) => now.visible.has(id));
}

function updates(field: Field, related: Model, owner: ListOwner, now: ListNow): RowWrite[] {
  const rows = new Map<number, RowWrite>();
  for (const { id, values, base } of owner.edit.update) {
    if (!now.visible.has(id) && !owner.edit.link.has(id)) {
      if (!owner.seen?.includes(id)) throw notInList(field, related, [id]);
      owner.conflicts[field.name] = { base: owner.seen, mine: ['update', id, values], theirs: [...now.visible] };
      continue;
    }
    const known = rows.get(id);
    rows.set(id, {
      id,
      values: { ...known?.values, ...values },
      ...(base || known?.base ? { base: { ...known?.base, ...base } } : {}),
    });
  }
  return [...rows.values()];
}
