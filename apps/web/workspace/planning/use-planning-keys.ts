import { useEffect, useRef } from 'react';
import { isTyping } from '../../navigation/keys.ts';

/** Single-letter keys for today, the previous and next period, and the scales. */
export function usePlanningKeys(keys: Readonly<Record<string, () => void>>, step: (by: 1 | -1) => void): void {
  const latest = useRef({ keys, step });
  latest.current = { keys, step };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyping(event)) return;
      if (event.defaultPrevented || isCovered()) return;
      const { keys, step } = latest.current;
      const by = { PageUp: -1 as const, PageDown: 1 as const }[event.key];
      const run = by ? () => step(by) : Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

/** Whether a dialog or menu is open, which takes the keys. Toasts are popovers too, and take none. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open], :popover-open:not(.toasts)') !== null;
}
