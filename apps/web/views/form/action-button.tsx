import type { ButtonNode } from '@kontor/protocol';
import { useState } from 'react';
import { showError } from '../../data/changes.ts';
import { holds } from '../../data/form/conditions.ts';
import { shownRecord } from '../../data/form/form-state.ts';
import { useStore } from '../../data/store.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { isIconName } from '../../ui/icons.ts';
import { useOpenForm } from './form-context.ts';
import { runButton } from './run-button.ts';

/** A button of the view: saves what is typed, runs the action, goes where it says. */
export function ActionButton({ button }: { readonly button: ButtonNode }) {
  const open = useOpenForm();
  const state = useStore(open.form);
  const [isAsking, setAsking] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const record = shownRecord(state);
  if (holds(button.invisible, record)) return null;

  const run = () => {
    setAsking(false);
    setRunning(true);
    runButton(open, button)
      .catch(showError)
      .finally(() => setRunning(false));
  };
  const kind = button.danger ? 'danger' : button.primary ? 'primary' : 'default';
  const value = button.field ? record[button.field] : undefined;
  return (
    <>
      <Button
        kind={button.field ? 'default' : kind}
        className={button.field ? 'form-stat' : ''}
        disabled={isRunning || state.isSaving}
        {...(button.icon && isIconName(button.icon) ? { icon: button.icon } : {})}
        onClick={() => (button.confirm ? setAsking(true) : run())}
      >
        {button.field && <b>{Array.isArray(value) ? value.length : String(value ?? 0)}</b>}
        <span>{button.label}</span>
      </Button>
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
