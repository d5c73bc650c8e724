import { useState } from 'react';
import { type ButtonNode, holds, type Line, NamedIcon, showError, t, whileBusy } from '../../../door/index.ts';
import { useOpenForm } from '../use-form.ts';
import { useGrid } from './grid-context.ts';

/** The buttons of a saved line. They run on it once the record is saved, which is read again afterwards. */
export function LineButtons({ line, row }: { readonly line: Line; readonly row: number }) {
  const { buttons, model } = useGrid();
  const open = useOpenForm();
  const [isRunning, setRunning] = useState(false);
  if (line.isNew) return null;
  const press = (button: ButtonNode) => {
    if (isRunning) return;
    setRunning(true);
    whileBusy(import('../run-button.ts'))
      .then(({ runOnLine }) => runOnLine(open, button, { model, id: line.key }))
      .catch(showError)
      .finally(() => setRunning(false));
  };
  return buttons
    .filter(({ invisible }) => !holds(invisible, line.values))
    .map((button) => (
      <button
        key={button.name}
        type="button"
        tabIndex={-1}
        className="icon-btn grid-act"
        aria-label={t('{label}, line {n}', { label: button.label, n: row + 1 })}
        title={button.label}
        onClick={(event) => {
          event.stopPropagation();
          press(button);
        }}
      >
        <NamedIcon name={button.icon ?? 'arrow-right'} size={14} />
      </button>
    ));
}
