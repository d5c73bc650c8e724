import { useState } from 'react';
import {
  Button,
  type ButtonNode,
  holds,
  NamedIcon,
  showError,
  shownRecord,
  useStorePart,
  ValueRead,
  whileBusy,
} from '../../door/index.ts';
import { saveAndPoint, useOpenForm } from './use-form.ts';

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
  const isSaving = useStorePart(open.form, (state) => state.sending !== null);
  const { isRunning, press } = useButtonRun({ ...after, isBeside: isStat });
  if (isHidden) return null;
  const kind = button.danger ? 'danger' : button.primary && !isPlain ? 'primary' : 'default';
  return isStat ? (
    <button
      type="button"
      className="start round-m framed form-stat"
      aria-disabled={isRunning}
      onClick={() => press(button)}
    >
      <small className="tiny dim block">{button.label}</small>
      <b className="large digits">{button.field ? <StatValue name={button.field} /> : '→'}</b>
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
  /** What it leads to is shown beside the record. */
  readonly isBeside?: boolean;
  readonly onSave?: (() => Promise<boolean>) | undefined;
  /** The answer of a dialog, which closes then. */
  readonly onDone?: (() => void) | undefined;
}

interface ButtonRun {
  readonly isRunning: boolean;
  press(button: ButtonNode): void;
}

/** Runs buttons of the view, after their dialog where they ask or warn. */
export function useButtonRun({ isBeside = false, onSave, onDone }: ButtonAfter): ButtonRun {
  const open = useOpenForm();
  const [isRunning, setRunning] = useState(false);
  const press = (button: ButtonNode) => {
    if (isRunning) return;
    setRunning(true);
    const save = onSave ?? (() => saveAndPoint(open));
    whileBusy(import('./run-button.ts'))
      .then(({ runButton }) => runButton(open, button, { isBeside, save, ...(onDone ? { onDone } : {}) }))
      .catch(showError)
      .finally(() => setRunning(false));
  };
  return { isRunning, press };
}
