import { queue } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { toClientError } from './client-error.ts';
import { connection } from './connection.ts';
import { forget, patch, recall, remember } from './records.ts';
import { history, type RpcCall, type RpcReceipt, rpcReceipt, type Values } from './rpc.ts';
import { announce, closeOffers, showToast } from './toasts.ts';
import { saveWhenBack } from './waiting-saves.ts';
import { expireModel } from './workspace-cache.ts';

/** Calls that change records are sent one after the other, in the order the user made them. */
const changes = queue();

/**
 * Sends a changing call after those before it. If the server is unreachable, the call waits, is listed as not saved,
 * and is sent in order later. Prefer `writeRecords` and `deleteRecords`.
 */
export function sendChange<T>(call: RpcCall): Promise<RpcReceipt<T>> {
  const key = crypto.randomUUID();
  if (connection.get() === 'lost') saveWhenBack({ key, name: nameOf(call), run: () => {} });
  return changes.run(() => sendPatiently<T>(call, key));
}

/** Writing values is idempotent; calls that create, delete or move something carry an idempotency key. */
async function sendPatiently<T>(call: RpcCall, key: string): Promise<RpcReceipt<T>> {
  try {
    return await rpcReceipt<T>(call, call.method === 'write' ? {} : { headers: { 'idempotency-key': key } });
  } catch (error) {
    if (toClientError(error).code !== 'network') throw error;
  }
  await new Promise<void>((run) => saveWhenBack({ key, name: nameOf(call), run }));
  return sendPatiently(call, key);
}

/** The name of the call in the list of unsaved changes. */
function nameOf({ model, method, args: [first] }: RpcCall): string {
  const made = method === 'create' ? (first as Values) : {};
  const typed = made.name ?? made.summary ?? Object.values(made).find((value) => typeof value === 'string');
  const [id] = method === 'create' ? [] : ([first].flat() as number[]);
  return String(typed ?? recall(model, id ?? 0)?.display_name ?? t('a change'));
}

interface WriteChange {
  readonly model: string;
  readonly ids: readonly number[];
  readonly values: Values;
  /** Additional keys to show at once, such as `partner_id.display_name`, for all records or by record. */
  readonly shown?: Values | ((id: number) => Values);
  /** The values the user saw, to merge with changes by others. One id only. */
  readonly base?: Values;
  /** Earlier change sets that its Undo reverts as well; null: it cannot be undone. */
  readonly earlier?: readonly number[] | null;
  /** Text of the toast with Undo, in the past tense: "Archived 3 orders". Absent: no toast. */
  readonly done?: string;
}

/** Shows the change at once, then saves it. On failure the old values are restored and the error is thrown. */
export async function writeRecords(change: WriteChange): Promise<void> {
  const { model, ids, values, shown } = change;
  const after = ids.map((id) => ({ id, ...values, ...(typeof shown === 'function' ? shown(id) : shown) }));
  const unpatches = after.map((record) => patch(model, [record.id], record));
  try {
    const kwargs = change.base ? { kwargs: { base: change.base } } : {};
    const { changeSet } = await sendChange({ model, method: 'write', args: [ids, values], ...kwargs });
    remember(model, after);
    const { earlier = [] } = change;
    if (change.done) offerUndo(change.done, model, ...(earlier ? [...earlier, changeSet] : []));
  } finally {
    for (const unpatch of unpatches) unpatch();
    expireModel(model);
  }
}

interface DeleteChange {
  readonly model: string;
  readonly ids: readonly number[];
  readonly done: string;
}

/** Deletes records, with Undo. */
export async function deleteRecords({ model, ids, done }: DeleteChange): Promise<void> {
  const { changeSet } = await sendChange({ model, method: 'unlink', args: [ids] });
  forget(model, ids);
  expireModel(model);
  offerUndo(done, model, changeSet);
}

/** Shows a toast that undoes the changes, the last one first. Change set 0: nothing changed. */
export function offerUndo(done: string, model: string, ...changeSets: readonly number[]): void {
  announce(done);
  const made = changeSets.filter((changeSet) => changeSet > 0);
  if (made.length === 0) return void showToast({ kind: 'success', title: done });
  history((book) => book.nameChange(done, made));
  const action = { label: t('Undo'), run: () => void undo(made, model) };
  showToast({ kind: 'success', title: done, action, undoes: made });
}

/** Undoes changes, the last one first, and shows a toast. */
export async function undo(
  changeSets: readonly number[],
  model: string,
  said: { readonly title: string; readonly body?: string } = { title: t('Undone') },
): Promise<void> {
  try {
    // In one call, so that all or none of it is undone.
    const vals = { active_ids: changeSets.join() };
    await sendChange({ model: 'sys.change.set', method: 'call', args: [0, 'action_revert', vals] });
    announce(said.title);
    closeOffers(changeSets);
    showToast({ kind: 'info', ...said });
  } catch (error) {
    showError(error);
  } finally {
    expireModel(model);
  }
}

/** For failures that no field or form can show. */
export function showError(error: unknown): void {
  const { message, requestId, code } = toClientError(error);
  if (code === 'signed_out') return;
  const body = code === 'INTERNAL_ERROR' && requestId ? t('Request {id}', { id: requestId }) : undefined;
  showToast({ kind: 'error', title: message, ...(body ? { body } : {}) });
}
