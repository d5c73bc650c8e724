import type { DevMistake } from '@kontor/protocol';
import { t, tn } from '../i18n/messages.ts';
import './dev-overlay.css';

let shown: HTMLElement | null = null;

/**
 * Shows the errors of an addon above the page, which keeps working. Without React, because it also shows errors that
 * break the client.
 */
export function showMistakes(mistakes: readonly DevMistake[], isFailure = false): void {
  hideMistakes();
  const title = isFailure
    ? t('An addon failed')
    : tn('{n} error in the addon', '{n} errors in the addon', mistakes.length);
  const about = isFailure
    ? ''
    : t('The previous version keeps running. This message disappears once the problem is fixed.');
  const close = element('button', 'btn', t('Hide'));
  close.setAttribute('type', 'button');
  close.addEventListener('click', hideMistakes);
  const head = element('header', 'row apart gap-3', element('h2', 'bad', title), close);
  const list = element('ol', 'stack gap-3', ...mistakes.map(item));
  shown = element('section', `${box} dev-overlay`, head, ...(about ? [element('p', 'mut', about)] : []), list);
  shown.setAttribute('role', 'alert');
  shown.setAttribute('aria-label', title);
  // Above an open dialog, which is in the top layer.
  shown.setAttribute('popover', 'manual');
  document.body.append(shown);
  shown.showPopover();
}

/** The look of a box above the page. */
export const box = 'stack gap-3 pad-4 scroll round-l surface ink float';

export function hideMistakes(): void {
  shown?.remove();
  shown = null;
}

function item({ path, line, message, fix }: DevMistake): HTMLElement {
  const place = path && element('code', '', line > 0 ? `${path}:${line}` : path);
  const parts = [place, element('p', '', message), fix && element('p', 'strong', fix)];
  return element('li', 'break dev-overlay-code dev-overlay-item', ...parts.filter((part) => part !== ''));
}

export function element(tag: string, className: string, ...parts: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...parts);
  return made;
}
