import type { ButtonNode } from '@kontor/protocol';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { NamedIcon } from '../ui/icon.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { runOnSelection } from './record-actions.ts';

interface SelectionButtonsProps {
  readonly model: string;
  readonly ids: readonly number[];
  readonly buttons: readonly ButtonNode[];
}

/** Buttons of the view for the records that are chosen; those that ask first do so. */
export function SelectionButtons({ model, ids, buttons }: SelectionButtonsProps) {
  const [asked, setAsked] = useState<ButtonNode | null>(null);
  const kindOf = ({ danger, primary }: ButtonNode) => (danger ? 'danger' : primary ? 'primary' : 'default');
  const run = (button: ButtonNode) => {
    setAsked(null);
    runOnSelection(model, ids, button);
  };
  return (
    <>
      {buttons
        .filter(({ type }) => type !== 'client')
        .map((button, index) => (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: one action may have several buttons.
            key={`${button.name}-${index}`}
            kind={kindOf(button)}
            onClick={() => (button.confirm ? setAsked(button) : run(button))}
          >
            {button.icon && <NamedIcon name={button.icon} />}
            {button.label}
          </Button>
        ))}
      {asked && <ConfirmDialog button={asked} onYes={() => run(asked)} onNo={() => setAsked(null)} />}
    </>
  );
}
