import { useEffect, useRef, useState } from 'react';
import { announcement, closeToast, type Toast, toasts } from '../data/toasts.ts';
import { t } from '../i18n/messages.ts';
import { whileBusy } from '../state/idle.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { useStore } from '../state/store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';

const { Component: Secret } = lazyComponent(async () => (await import('./secret.tsx')).Secret);
const shownFor = 8000;
const marks: Readonly<Record<Toast['kind'], IconName>> = {
  success: 'circle-check',
  error: 'circle-alert',
  info: 'info',
  secret: 'key',
};

const tones: Partial<Readonly<Record<Toast['kind'], string>>> = { success: 'ok', error: 'bad' };

export function Toaster() {
  const shown = useStore(toasts);
  const stack = useRef<HTMLElement>(null);
  useEffect(() => {
    // Dialogs are in the top layer: toasts must enter it after them to be visible.
    const element = stack.current;
    if (!element?.isConnected || typeof element.showPopover !== 'function') return;
    element.hidePopover();
    if (shown.length === 0) return;
    element.showPopover();
    let stop = () => {};
    let isOver = false;
    // Offline, the toast simply stays in place.
    const found = whileBusy(import('./avoid-focused-field.ts'));
    found.then(
      ({ avoidFocusedField }) => {
        if (!isOver) stop = avoidFocusedField(element);
      },
      () => {},
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [shown]);
  return (
    <>
      <section
        ref={stack}
        className="pad-0 no-border bare gap-2 spill toasts"
        popover="manual"
        aria-label={t('Notifications')}
      >
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </section>
      <div role="status" className="sr-only">
        {useStore(announcement)}
      </div>
    </>
  );
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (toast.isSticky || isHeld) return;
    const timer = setTimeout(() => closeToast(toast.id), shownFor);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <div
      className={`row wrap end round-m framed raised float gap-2 rows-0 pad-y-1h least-44 toast toast-${toast.kind}`}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={marks[toast.kind]} className={tones[toast.kind] ?? 'info'} />
      <div className="shrink break toast-text">
        <b className="semi">{toast.title}</b>
        {toast.body && (toast.kind === 'secret' ? <Secret text={toast.body} /> : <p className="mut">{toast.body}</p>)}
      </div>
      {toast.action && (
        <Button
          kind="bare"
          className="strong accent toast-action"
          onClick={() => {
            closeToast(toast.id);
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton icon="x" label={t('Close')} onClick={() => closeToast(toast.id)} />
    </div>
  );
}
