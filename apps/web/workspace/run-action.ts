import type { ButtonNode, WorkspacePayload } from '@kontor/protocol';
import { offerUndo, sendChange, showError } from '../data/changes.ts';
import { type ActionResult, type AskingButton, openPanel } from '../data/form/record-panels.ts';
import { recall } from '../data/records.ts';
import type { RpcReceipt } from '../data/rpc.ts';
import { expireModel } from '../data/workspace-cache.ts';
import { t, tn } from '../i18n/messages.ts';
import { hasFeature } from '../state/bootstrap.ts';
import { actionQuery, followRedirect, openDialog } from './follow-redirect.ts';

interface ActionTarget {
  readonly model: string;
  readonly ids: readonly number[];
  /** Sends the records as `active_ids`, even a single one. */
  readonly isSelection?: boolean;
}

/** Calls an object action, after its dialog if it asks for values or warns. Null: the user cancelled. */
export async function callAction(
  { model, ids, isSelection = false }: ActionTarget,
  button: AskingButton,
): Promise<RpcReceipt<ActionResult> | null> {
  const call = (answers: Readonly<Record<string, string>>) => {
    const vals = isSelection ? { ...answers, active_ids: ids.join(',') } : answers;
    const rest = Object.keys(vals).length > 0 ? [vals] : [];
    const args = [isSelection ? 0 : ids[0], button.name, ...rest];
    return sendChange<ActionResult>({ model, method: 'call', args });
  };
  const isMute = button.mails !== undefined && !hasFeature('mail');
  if (!button.asks && !button.confirm && !isMute) return call({});
  return new Promise((resolve) => openPanel({ kind: 'ask', model, ids, button, call, onClosed: resolve }));
}

/** The toast after a move. Other actions report their result themselves. */
export function offerMoveUndo(
  { arch, model }: WorkspacePayload,
  ids: readonly number[],
  button: AskingButton,
  changeSet: number,
): void {
  if (!isMove(arch, button)) return;
  const { label: action } = button;
  const [id = 0] = ids;
  const name = String(recall(model, id)?.display_name ?? '');
  const done =
    ids.length === 1
      ? t('{action}: {name}', { action, name })
      : tn('{action}: {n} record', '{action}: {n} records', ids.length, { action });
  offerUndo(done, model, changeSet);
}

function isMove({ states }: WorkspacePayload['arch'], { name }: AskingButton): boolean {
  return states?.moves.some((move) => move.name === name) === true;
}

/** Runs a button of the view on the selected records: an object action, or a window action that opens with them. */
export function runOnSelection(workspace: WorkspacePayload, ids: readonly number[], button: ButtonNode): void {
  const { model } = workspace;
  const refresh = () => expireModel(model);
  if (button.type === 'action') {
    const query = actionQuery(button, ids);
    if (button.target === 'dialog') openDialog(query, button.label, refresh);
    else void followRedirect(`/web?${query}`, button.label, refresh);
    return;
  }
  callAction({ model, ids, isSelection: true }, button).then((receipt) => {
    if (!receipt) return;
    refresh();
    offerMoveUndo(workspace, ids, button, receipt.changeSet);
    if (receipt.result !== true) void followRedirect(receipt.result.redirect, button.label, refresh);
  }, showError);
}
