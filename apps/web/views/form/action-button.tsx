import type { ButtonNode } from '@kontor/protocol';
import { holds } from '../../data/form/conditions.ts';
import { shownRecord } from '../../data/form/form-state.ts';
import { ValueRead } from '../../fields/value.tsx';
import { useStorePart } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { NamedIcon } from '../../ui/named-icon.tsx';
import { useOpenForm } from './form-context.ts';
import { type ButtonAfter, useButtonRun } from './use-button-run.tsx';

interface ActionButtonProps extends ButtonAfter {
  readonly button: ButtonNode;
  /** A number beside the title that leads somewhere. */
  readonly isStat?: boolean;
}

/** A button of the view: saves what is typed, runs the action, goes where it says. */
export function ActionButton({ button, isStat = false, ...after }: ActionButtonProps) {
  const open = useOpenForm();
  const isHidden = useStorePart(open.form, (state) => holds(button.invisible, shownRecord(state)));
  const isSaving = useStorePart(open.form, (state) => state.isSaving);
  const { isRunning, press, question } = useButtonRun(after);
  if (isHidden) return null;
  const kind = button.danger ? 'danger' : button.primary ? 'primary' : 'default';
  return (
    <>
      {isStat ? (
        <button type="button" className="form-stat" disabled={isRunning} onClick={() => press(button)}>
          <small>{button.label}</small>
          <b>{button.field ? <StatValue name={button.field} /> : '→'}</b>
        </button>
      ) : (
        <Button kind={kind} disabled={isRunning || isSaving} onClick={() => press(button)}>
          {button.icon && <NamedIcon name={button.icon} />}
          {button.label}
        </Button>
      )}
      {question}
    </>
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
