import type { WorkspacePayload } from '@kontor/protocol';
import { deleteRecords, sendChange, showError, writeRecords } from '../data/changes.ts';
import { tn } from '../i18n/messages.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { navigate } from '../navigation/router.ts';

type Ids = readonly number[];

/** Each of these functions shows a toast with Undo on success, and the error on failure. */
export function removeRecords({ model }: WorkspacePayload, ids: Ids): void {
  const done = tn('Deleted {n} record', 'Deleted {n} records', ids.length);
  deleteRecords({ model, ids, done }).catch(showError);
}

/** Archives or unarchives records, with Undo. */
export function archiveRecords({ model }: WorkspacePayload, ids: Ids, isBack = false): void {
  const done = isBack
    ? tn('Restored {n} record', 'Restored {n} records', ids.length)
    : tn('Archived {n} record', 'Archived {n} records', ids.length);
  writeRecords({ model, ids, values: { active: isBack }, done }).catch(showError);
}

/** Copies a record and opens the copy, as `action_copy` says. */
export function copyRecord(model: string, id: number): void {
  sendChange<true | { redirect: string }>({ model, method: 'call', args: [id, 'action_copy'] }).then(({ result }) => {
    if (result !== true) void navigate(result.redirect, { trail: trailFromHere() });
  }, showError);
}
