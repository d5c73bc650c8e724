import { lastChange, lastUndone, type MadeChange } from '../data/change-history.ts';
import { undo } from '../data/changes.ts';
import { read } from '../data/rpc.ts';
import { showToast } from '../data/toasts.ts';
import { t, tn } from '../i18n/messages.ts';

/** Ctrl+Z and Ctrl+Shift+Z. */
export async function undoLast(isAgain: boolean): Promise<void> {
  const change = isAgain ? lastUndone() : lastChange();
  if (change) await turnChange(change);
  else
    showToast({
      kind: 'info',
      title: isAgain ? t('There is nothing to do again.') : t('There is nothing to take back.'),
    });
}

/** Takes a change back, or does it again; refused when somebody touched the records since. */
export async function turnChange(change: MadeChange): Promise<void> {
  const title = change.undoneAt === 0 ? t('Undone') : t('Done again');
  await undo(change.next, change.model, { title, body: await wordsOf(change) });
}

/** As its toast said it; else by the names of its records. */
export async function wordsOf({ words, method, model, ids }: MadeChange): Promise<string> {
  if (words) return words;
  const [id] = ids;
  const [record] = typeof id === 'number' ? await read(model, [id], ['display_name']).catch(() => []) : [];
  const name = ids.length > 1 ? tn('{n} record', '{n} records', ids.length) : String(record?.display_name ?? '');
  if (method.startsWith('create')) return t('Created {name}', { name });
  return method.startsWith('unlink') ? t('Deleted {name}', { name }) : t('Changed {name}', { name });
}
