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
  const head = element('header', '', element('h2', '', title), close);
  const list = element('ol', '', ...mistakes.map(item));
  shown = element('section', 'dev-overlay', head, ...(about ? [element('p', 'mut', about)] : []), list);
  shown.setAttribute('role', 'alert');
  shown.setAttribute('aria-label', title);
  // Above an open dialog, which is in the top layer.
  shown.setAttribute('popover', 'manual');
  document.body.append(shown);
  shown.showPopover();
}

export function hideMistakes(): void {
  shown?.remove();
  shown = null;
}

function item({ path, line, message, fix }: DevMistake): HTMLElement {
  const place = path && element('code', '', line > 0 ? `${path}:${line}` : path);
  const parts = [place, element('p', '', message), fix && element('p', 'dev-overlay-fix', fix)];
  return element('li', '', ...parts.filter((part) => part !== ''));
}

export function element(tag: string, className: string, ...parts: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...parts);
  return made;
}
