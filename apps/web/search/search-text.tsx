import { useEffect, useRef, useState } from 'react';
import { busyTimer } from '../data/idle.ts';
import { t } from '../i18n/messages.ts';
import { isTyping } from '../shell/keys.ts';
import { navigate } from '../shell/router.ts';
import { Icon } from '../ui/icon.tsx';
import { refine, type SearchState, toHref } from './search-state.ts';

/** Free text. The address follows a moment after the last key. */
export function SearchText({ search }: { readonly search: SearchState }) {
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const text = typed ?? search.text;
  useEffect(() => {
    if (typed === null || typed === search.text) return;
    return busyTimer(() => {
      void navigate(toHref(refine(search, { text: typed })), { isReplace: true, keepTrail: true });
    }, 200);
  }, [typed, search]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
  return (
    <span className="searchtext">
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={t('Search in this screen')}
        aria-keyshortcuts="/"
        placeholder={t('Search')}
        value={text}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped((now) => (now === search.text ? null : now))}
      />
    </span>
  );
}
