import { lastChange, lastUndone, type MadeChange, madeChanges } from '../data/change-history.ts';
import { showError, undo } from '../data/changes.ts';
import { showToast } from '../data/toasts.ts';
import { t, tn } from '../i18n/messages.ts';

/** Undo (Ctrl+Z) and redo (Ctrl+Shift+Z). */
export async function undoLast(isAgain: boolean): Promise<void> {
  try {
    const all = await madeChanges();
    const change = isAgain ? lastUndone(all) : lastChange(all);
    if (change) return await undoOrRedo(change);
  } catch (error) {
    return showError(error);
  }
  const title = isAgain ? t('Nothing to redo.') : t('Nothing to undo.');
  showToast({ kind: 'info', title });
}

/** Undoes or redoes a change; rejected if someone has changed the records since. */
export async function undoOrRedo(change: MadeChange): Promise<void> {
  const title = change.undoneAt === null ? t('Undone') : t('Redone');
  await undo(change.next, change.model, { title, body: wordsOf(change) });
}

/** The text of its toast, or the names of its records. */
export function wordsOf({ words, agent, task, operation, count, name: known, label }: MadeChange): string {
  if (words) return words;
  if (task) return agent ? t('{agent}: {task}', { agent, task }) : task;
  const name = count > 1 ? `${label}: ${tn('{n} record', '{n} records', count)}` : known || label;
  if (operation === 'create') return t('Created {name}', { name });
  return operation === 'unlink' ? t('Deleted {name}', { name }) : t('Changed {name}', { name });
}
