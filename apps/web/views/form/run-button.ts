import type { ButtonNode } from '@kontor/protocol';
import { runCommand } from '../../commands/command.ts';
import { sendChange } from '../../data/changes.ts';
import { isDirty } from '../../data/form/form-state.ts';
import { actionQuery, followRedirect, openDialog } from '../follow-redirect.ts';
import type { OpenForm } from './use-form.ts';

interface RunOptions {
  save(): Promise<boolean>;
  /** A dialog has been answered with this, and closes. */
  onDone?(): void;
}

/** Object actions run on the saved record; window actions open with it as their context. */
export async function runButton(open: OpenForm, button: ButtonNode, { save, onDone }: RunOptions): Promise<void> {
  const { form } = open;
  if ((form.get().id === 0 || isDirty(form.get())) && !(await save())) return;
  const { id, model } = form.get();
  if (button.type === 'client') return runCommand(button.name, { model, id, name: nameOf(open) });
  const refresh = () => void open.reload().catch(() => {});
  if (button.type === 'action') {
    const query = actionQuery(button, [id]);
    if (button.target === 'dialog') return openDialog(query, button.label, refresh);
    return followRedirect(`/web?${query}`, button.label, refresh);
  }
  const call = { model, method: 'call', args: [id, button.name] };
  const { result } = await sendChange<true | { redirect: string }>(call);
  onDone?.();
  if (result !== true) await followRedirect(result.redirect, button.label, refresh);
  if (!onDone) await open.reload().catch(() => {});
}

function nameOf({ form }: OpenForm): string {
  const { name, display_name: shown } = form.get().stored;
  return String(name ?? shown ?? '');
}
