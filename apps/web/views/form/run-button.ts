import {
  actionQuery,
  type ButtonNode,
  callAction,
  followRedirect,
  isDirty,
  offerMoveUndo,
  openDialog,
  runCommand,
  whileBusy,
} from '../../door/index.ts';
import { type OpenForm, saveAndPoint } from './use-form.ts';

interface RunOptions {
  /** Opens the result beside the record. */
  readonly isBeside: boolean;
  save(): Promise<boolean>;
  /** Called after the button has answered a dialog, to close it. */
  onDone?(): void;
}

/** Object actions run on the saved record; window actions open with it as their context. */
export async function runButton(
  open: OpenForm,
  button: ButtonNode,
  { isBeside, save, onDone }: RunOptions,
): Promise<void> {
  const { form, workspace } = open;
  if ((form.get().id === 0 || isDirty(form.get())) && !(await save())) return;
  const { id, model } = form.get();
  if (button.type === 'client') return runCommand(button.name, { model, id, name: nameOf(open) });
  const refresh = () => void open.reload().catch(() => {});
  const follow = async (href: string) => {
    const beside = isBeside ? await whileBusy(import('./beside-list.tsx')) : null;
    if (beside?.openBeside(href, `${button.label} · ${nameOf(open)}`, refresh)) return;
    return followRedirect(href, button.label, refresh);
  };
  if (button.type === 'action') {
    const query = actionQuery(button, [id]);
    if (button.target === 'dialog') return openDialog(query, button.label, refresh);
    return follow(`/web?${query}`);
  }
  const receipt = await callAction({ model, ids: [id] }, button);
  if (!receipt) return;
  const { result, changeSet } = receipt;
  onDone?.();
  offerMoveUndo(workspace, [id], button, changeSet);
  if (result !== true) await follow(result.redirect);
  if (!onDone) await open.reload().catch(() => {});
}

/** Runs an action of a line, which is saved with its record. */
export async function runOnLine(
  open: OpenForm,
  button: ButtonNode,
  target: { readonly model: string; readonly id: number },
): Promise<void> {
  if (isDirty(open.form.get()) && !(await saveAndPoint(open))) return;
  const receipt = await callAction({ model: target.model, ids: [target.id] }, button);
  if (!receipt) return;
  const { result } = receipt;
  if (result !== true) await followRedirect(result.redirect, button.label, () => void open.reload().catch(() => {}));
  await open.reload().catch(() => {});
}

function nameOf({ form }: OpenForm): string {
  const { name, display_name: shown } = form.get().stored;
  return String(name ?? shown ?? '');
}
