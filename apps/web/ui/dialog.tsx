import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
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
  /** Cancel first, the answer last: Enter in a line of the dialog presses it, Ctrl+Enter does so anywhere. */
  readonly footer?: ReactNode;
  /** `side`: a panel at the edge; `top`: near the top, for the palette. */
  readonly place?: 'middle' | 'side' | 'top';
  readonly width?: number;
  /** Escape and a click outside do nothing. */
  readonly isFirm?: boolean;
  readonly hasNoHead?: boolean;
}

/** What is focused first: a control, else the answer; what destroys something is not the answer to a blind Enter. */
const firstControls = [
  '.dialog-body :is(input:not([type=file], [tabindex="-1"]), select, textarea):enabled',
  '.dialog-foot > .btn-primary:enabled',
  '.dialog-foot > .btn:enabled',
];
const answers = '.dialog-foot > :is(.btn-primary, .btn-danger):enabled';

/** The browser's modal dialog, with its own focus trap and Escape handling. Mount it to open it. */
export function Dialog(props: DialogProps) {
  const { title, onClose, onBack, actions, children, footer, place = 'middle', width, isFirm, hasNoHead } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    const dialog = ref.current as HTMLDialogElement;
    const before = document.activeElement;
    dialog.showModal();
    // By default the browser focuses the close button or a control outside the tab order. Focus the first input or the
    // answer instead.
    if (document.activeElement?.closest('.dialog-head, input[tabindex="-1"]')) {
      const found = firstControls.map((selector) => dialog.querySelector<HTMLElement>(selector));
      found.find(Boolean)?.focus();
    }
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (!(target instanceof Element) || target.closest('dialog') !== ref.current) return;
    const isAnswer = event.ctrlKey || event.metaKey || (place !== 'side' && isLine(target));
    const all = [...(ref.current?.querySelectorAll<HTMLElement>(answers) ?? [])];
    if (!isAnswer || all.length === 0) return;
    event.preventDefault();
    all.at(-1)?.click();
  };
  return (
    <dialog
      ref={ref}
      className={`dialog dialog-${place} ${onBack ? 'dialog-over' : ''}`}
      style={width ? { width } : undefined}
      aria-labelledby={headingId}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) (onBack ?? onClose)();
      }}
      onClick={(event) => {
        if (event.target === ref.current && !isFirm) onClose();
      }}
    >
      <div className="column least-0 full">
        <header className={hasNoHead ? 'sr-only' : 'row apart gap-3 lined dialog-head'}>
          {onBack && <IconButton icon="chevron-left" label={t('Back')} onClick={onBack} />}
          <h2 id={headingId} className="grow break">
            {title}
          </h2>
          {actions}
          {!isFirm && !hasNoHead && <IconButton icon="x" label={t('Close')} onClick={onClose} />}
        </header>
        <div className="scroll share dialog-body">{children}</div>
        {footer && <footer className="line end gap-2 topped dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}

/** Enter there does nothing else: it chooses no suggestion, and sends no form of its own. */
function isLine(target: Element): boolean {
  if (!(target instanceof HTMLInputElement) || target.closest('form')) return false;
  return !['file', 'search'].includes(target.type) && target.getAttribute('aria-expanded') !== 'true';
}
