import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../i18n/messages.ts';
import { IconButton } from './button.tsx';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Set when the dialog covers another one: Escape and a back button in its header return to it. */
  readonly onBack?: (() => void) | undefined;
  /** Additional buttons in the header. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  /** `side`: a panel at the edge; `top`: near the top, for the palette. */
  readonly place?: 'middle' | 'side' | 'top';
  readonly width?: number;
  /** Escape and a click outside do nothing. */
  readonly isFirm?: boolean;
  readonly hasNoHead?: boolean;
}

const firstControl = '.dialog-body :is(input:not([type=file], [tabindex="-1"]), select, textarea):enabled';

/** The browser's modal dialog, with its own focus trap and Escape handling. Mount it to open it. */
export function Dialog(props: DialogProps) {
  const { title, onClose, onBack, actions, children, footer, place = 'middle', width, isFirm, hasNoHead } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    const dialog = ref.current as HTMLDialogElement;
    const before = document.activeElement;
    dialog.showModal();
    // By default the browser focuses the close button or a control outside the tab order. Focus the first input
    // instead.
    if (document.activeElement?.closest('.dialog-head, input[tabindex="-1"]'))
      dialog.querySelector<HTMLElement>(firstControl)?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog dialog-${place} ${onBack ? 'dialog-over' : ''}`}
      style={width ? { width } : undefined}
      aria-labelledby={headingId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) (onBack ?? onClose)();
      }}
      onClick={(event) => {
        if (event.target === ref.current && !isFirm) onClose();
      }}
    >
      <div className="dialog-box">
        <header className={hasNoHead ? 'sr-only' : 'dialog-head'}>
          {onBack && <IconButton icon="chevron-left" label={t('Back')} onClick={onBack} />}
          <h2 id={headingId}>{title}</h2>
          {actions}
          {!isFirm && !hasNoHead && <IconButton icon="x" label={t('Close')} onClick={onClose} />}
        </header>
        <div className="dialog-body">{children}</div>
        {footer && <footer className="dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}
