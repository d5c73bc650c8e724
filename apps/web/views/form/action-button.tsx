import type { ButtonNode } from '@kontor/protocol';
import { useState } from 'react';
import { showError } from '../../data/changes.ts';
import { holds } from '../../data/form/conditions.ts';
import { shownRecord } from '../../data/form/form-state.ts';
import { useStorePart } from '../../data/store.ts';
import { ValueRead } from '../../fields/value.tsx';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NamedIcon } from '../../ui/named-icon.tsx';
import { useOpenForm } from './form-context.ts';
import { runButton } from './run-button.ts';
import { saveAndPoint } from './use-form.ts';

interface ActionButtonProps {
  readonly button: ButtonNode;
  /** A number beside the title that leads somewhere. */
  readonly isStat?: boolean;
  readonly onSave?: () => Promise<boolean>;
  /** The answer of a dialog, which closes then. */
  readonly onDone?: () => void;
}

/** A button of the view: saves what is typed, runs the action, goes where it says. */
export function ActionButton({ button, isStat = false, onSave, onDone }: ActionButtonProps) {
  const open = useOpenForm();
  const isHidden = useStorePart(open.form, (state) => holds(button.invisible, shownRecord(state)));
  const isSaving = useStorePart(open.form, (state) => state.isSaving);
  const [isAsking, setAsking] = useState(false);
  const [isRunning, setRunning] = useState(false);
  if (isHidden) return null;

  const run = () => {
    setAsking(false);
    setRunning(true);
    runButton(open, button, { save: onSave ?? (() => saveAndPoint(open)), ...(onDone ? { onDone } : {}) })
      .catch(showError)
      .finally(() => setRunning(false));
  };
  const kind = button.danger ? 'danger' : button.primary ? 'primary' : 'default';
  const press = () => (button.confirm ? setAsking(true) : run());
  return (
    <>
      {isStat ? (
        <button type="button" className="form-stat" disabled={isRunning} onClick={press}>
          <small>{button.label}</small>
          <b>{button.field ? <StatValue name={button.field} /> : '→'}</b>
        </button>
      ) : (
        <Button kind={kind} disabled={isRunning || isSaving} onClick={press}>
          {button.icon && <NamedIcon name={button.icon} />}
          {button.label}
        </Button>
      )}
      {isAsking && (
        <Dialog
          title={button.label}
          onClose={() => setAsking(false)}
          width={420}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>{t('Back')}</Button>
              <Button kind={kind === 'default' ? 'primary' : kind} onClick={run}>
                {button.label}
              </Button>
            </>
          }
        >
          <p>{button.confirm}</p>
        </Dialog>
      )}
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
