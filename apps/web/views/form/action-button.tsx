import type { ButtonNode } from '@kontor/protocol';
import { useState } from 'react';
import { runCommand } from '../../commands/command.ts';
import { showError } from '../../data/changes.ts';
import { holds } from '../../data/conditions.ts';
import { isDirty, shownRecord } from '../../data/form/form-state.ts';
import { ValueRead } from '../../fields/registry.tsx';
import { useStorePart } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { actionQuery, followRedirect, openDialog } from '../follow-redirect.ts';
import { callAction, offerMoveUndo } from '../run-action.ts';
import { type OpenForm, saveAndPoint, useOpenForm } from './use-form.ts';

interface ActionButtonProps extends ButtonAfter {
  readonly button: ButtonNode;
  /** A number beside the title that leads somewhere. */
  readonly isStat?: boolean;
  /** Another button is the next step, so that this one is not filled. */
  readonly isPlain?: boolean;
}

/** A button of the view: saves what is typed, runs the action, goes where it says. */
export function ActionButton({ button, isStat = false, isPlain = false, ...after }: ActionButtonProps) {
  const open = useOpenForm();
  const isHidden = useStorePart(open.form, (state) => holds(button.invisible, shownRecord(state)));
  const isSaving = useStorePart(open.form, (state) => state.isSaving);
  const { isRunning, press } = useButtonRun(after);
  if (isHidden) return null;
  const kind = button.danger ? 'danger' : button.primary && !isPlain ? 'primary' : 'default';
  return isStat ? (
    <button type="button" className="form-stat" disabled={isRunning} onClick={() => press(button)}>
      <small>{button.label}</small>
      <b>{button.field ? <StatValue name={button.field} /> : '→'}</b>
    </button>
  ) : (
    <Button kind={kind} disabled={isRunning || isSaving} onClick={() => press(button)}>
      {button.icon && <NamedIcon name={button.icon} />}
      {button.label}
    </Button>
  );
}

function StatValue({ name }: { readonly name: string }) {
  const { form, workspace } = useOpenForm();
  const record = useStorePart(form, shownRecord);
  const field = workspace.arch.fields.find((one) => one.name === name);
  const value = record[name];
  if (!field || Array.isArray(value)) return <>{Array.isArray(value) ? value.length : String(value ?? 0)}</>;
  return <ValueRead field={field} node={field} model={workspace.model} record={record} place="kanban" />;
}

interface ButtonAfter {
  readonly onSave?: (() => Promise<boolean>) | undefined;
  /** The answer of a dialog, which closes then. */
  readonly onDone?: (() => void) | undefined;
}

interface ButtonRun {
  readonly isRunning: boolean;
  press(button: ButtonNode): void;
}

/** Runs buttons of the view, after their dialog where they ask or warn. */
export function useButtonRun({ onSave, onDone }: ButtonAfter): ButtonRun {
  const open = useOpenForm();
  const [isRunning, setRunning] = useState(false);
  const press = (button: ButtonNode) => {
    setRunning(true);
    runButton(open, button, { save: onSave ?? (() => saveAndPoint(open)), ...(onDone ? { onDone } : {}) })
      .catch(showError)
      .finally(() => setRunning(false));
  };
  return { isRunning, press };
}

interface RunOptions {
  save(): Promise<boolean>;
  /** A dialog has been answered with this, and closes. */
  onDone?(): void;
}

/** Object actions run on the saved record; window actions open with it as their context. */
async function runButton(open: OpenForm, button: ButtonNode, { save, onDone }: RunOptions): Promise<void> {
  const { form, workspace } = open;
  if ((form.get().id === 0 || isDirty(form.get())) && !(await save())) return;
  const { id, model } = form.get();
  if (button.type === 'client') return runCommand(button.name, { model, id, name: nameOf(open) });
  const refresh = () => void open.reload().catch(() => {});
  if (button.type === 'action') {
    const query = actionQuery(button, [id]);
    if (button.target === 'dialog') return openDialog(query, button.label, refresh);
    return followRedirect(`/web?${query}`, button.label, refresh);
  }
  const receipt = await callAction({ model, ids: [id] }, button);
  if (!receipt) return;
  const { result, changeSet } = receipt;
  onDone?.();
  offerMoveUndo(workspace, [id], button, changeSet);
  if (result !== true) await followRedirect(result.redirect, button.label, refresh);
  if (!onDone) await open.reload().catch(() => {});
}

function nameOf({ form }: OpenForm): string {
  const { name, display_name: shown } = form.get().stored;
  return String(name ?? shown ?? '');
}
