import { useEffect, useRef, useState } from 'react';
import { announcement, closeToast, type Toast, toasts } from '../data/toasts.ts';
import { t } from '../i18n/messages.ts';
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

export function Toaster() {
  const shown = useStore(toasts);
  const stack = useRef<HTMLElement>(null);
  useEffect(() => {
    // Dialogs are in the top layer: only what enters it after them can be seen over them.
    const element = stack.current;
    if (!element?.isConnected || typeof element.showPopover !== 'function') return;
    element.hidePopover();
    if (shown.length === 0) return;
    element.showPopover();
    const giveWay = () => {
      element.classList.remove('toasts-up');
      const [own, field] = [element, document.querySelector('.main :focus')].map((one) => one?.getBoundingClientRect());
      const isOver = own && field && field.height < 200 && own.top < field.bottom && own.bottom > field.top;
      element.classList.toggle('toasts-up', isOver === true && own.left < field.right && own.right > field.left);
    };
    giveWay();
    document.addEventListener('focusin', giveWay);
    return () => document.removeEventListener('focusin', giveWay);
  }, [shown]);
  return (
    <>
      <section ref={stack} className="toasts" popover="manual" aria-label={t('Notifications')}>
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
      className={`toast toast-${toast.kind}`}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={marks[toast.kind]} />
      <div className="toast-text">
        <b>{toast.title}</b>
        {toast.body && (toast.kind === 'secret' ? <Secret text={toast.body} /> : <p>{toast.body}</p>)}
      </div>
      {toast.action && (
        <Button
          kind="bare"
          className="toast-action"
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
