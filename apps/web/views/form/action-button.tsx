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
  /** A stat button: a number beside the title that links to related records. */
  readonly isStat?: boolean;
  /** Another button is the primary one. */
  readonly isPlain?: boolean;
}

/** A button of the view: saves pending edits, runs the action and follows its redirect. */
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
      className="start round-m framed edges hovers form-stat"
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
  /** Opens the result beside the record. */
  readonly isBeside?: boolean;
  readonly onSave?: (() => Promise<boolean>) | undefined;
  /** Called after the button has answered a dialog, to close it. */
  readonly onDone?: (() => void) | undefined;
}

interface ButtonRun {
  readonly isRunning: boolean;
  press(button: ButtonNode): void;
}

/** Runs buttons of the view, after showing their dialog if they ask for values or warn. */
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
