import type { ButtonNode } from '@kontor/protocol';
import { type ReactNode, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useOpenForm } from './form-context.ts';
import { runButton } from './run-button.ts';
import { saveAndPoint } from './use-form.ts';

export interface ButtonAfter {
  readonly onSave?: (() => Promise<boolean>) | undefined;
  /** The answer of a dialog, which closes then. */
  readonly onDone?: (() => void) | undefined;
}

interface ButtonRun {
  readonly isRunning: boolean;
  press(button: ButtonNode): void;
  /** The question before a button that asks one; to be drawn somewhere. */
  readonly question: ReactNode;
}

/** Presses buttons of the view, wherever they stand: those that ask first do so. */
export function useButtonRun({ onSave, onDone }: ButtonAfter): ButtonRun {
  const open = useOpenForm();
  const [asked, setAsked] = useState<ButtonNode | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = (button: ButtonNode) => {
    setAsked(null);
    setRunning(true);
    runButton(open, button, { save: onSave ?? (() => saveAndPoint(open)), ...(onDone ? { onDone } : {}) })
      .catch(showError)
      .finally(() => setRunning(false));
  };
  const question = asked && (
    <Dialog
      title={asked.label}
      onClose={() => setAsked(null)}
      width={420}
      footer={
        <>
          <Button onClick={() => setAsked(null)}>{t('Back')}</Button>
          <Button kind={asked.danger ? 'danger' : 'primary'} onClick={() => run(asked)}>
            {asked.label}
          </Button>
        </>
      }
    >
      <p>{asked.confirm}</p>
    </Dialog>
  );
  return { isRunning, press: (button) => (button.confirm ? setAsked(button) : run(button)), question };
}
