import type { DomainCondition, WorkspacePayload } from '@kontor/protocol';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../i18n/messages.ts';
import { isTyping } from '../navigation/keys.ts';
import { useGo } from '../navigation/router.ts';
import { busyTimer, whileBusy } from '../state/idle.ts';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/popover.tsx';
import { refine, type SearchState, toHref } from './search-state.ts';
import type { Suggestion } from './suggestions.ts';

interface SearchTextProps {
  readonly workspace: WorkspacePayload;
  /** The effective search. */
  readonly search: SearchState;
  readonly onCondition: (condition: DomainCondition) => void;
  /** Called on Backspace in the empty field. */
  readonly onRemoveLast: () => void;
}

/** Full-text search, with suggestions per field. The URL follows a moment after the last key press. */
// Over 60 lines: the input and its suggestions share key handling.
export function SearchText({ workspace, search, onCondition, onRemoveLast }: SearchTextProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const text = typed ?? search.text;
  const suggestions = useSuggestions(workspace, isOpen ? text : '');
  const isShown = isOpen && suggestions.length > 0;
  useTextInAddress(search, typed, setTyped);
  useSlashKey(input);
  const choose = (index: number) => {
    const chosen = suggestions[index];
    setOpen(false);
    setAt(-1);
    if (!chosen) return;
    setTyped(null);
    onCondition(chosen.condition);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && text === '') return onRemoveLast();
    if (event.key === 'Escape') {
      if (!isShown && text === '') return input.current?.blur();
      event.preventDefault();
      if (!isShown) setTyped('');
      return setOpen(false);
    }
    if (event.key === 'Enter') return choose(isShown ? at : -1);
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    if (!isOpen) return setOpen(true);
    const step = event.key === 'ArrowDown' ? 1 : -1;
    setAt((now) => Math.max(-1, Math.min(suggestions.length - 1, now + step)));
  };
  return (
    <span className="row anchor dim gap-0 searchtext">
      <Icon name="search" size={14} />
      <input
        className="target-high bare full ink round"
        ref={input}
        type="search"
        role="combobox"
        aria-label={t('Search in this screen')}
        aria-keyshortcuts="/"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder={t('Search')}
        value={text}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(-1);
          setOpen(true);
        }}
        onKeyDown={pressed}
        onBlur={() => {
          setOpen(false);
          setTyped((now) => (now === search.text ? null : now));
        }}
      />
      {isShown && (
        <Popover anchor={input} mode="manual" isAnchorWide onClose={() => setOpen(false)}>
          <SuggestionList {...{ id, suggestions, at }} onChoose={choose} />
        </Popover>
      )}
    </span>
  );
}

interface SuggestionListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly at: number;
  readonly onChoose: (index: number) => void;
}

function SuggestionList({ id, suggestions, at, onChoose }: SuggestionListProps) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t('Suggestions')}>
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className="menu-item pointer"
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(index);
          }}
        >
          <span>
            {suggestion.label} <b className="strong">{suggestion.value}</b>
          </span>
        </div>
      ))}
    </div>
  );
}

function useTextInAddress(search: SearchState, typed: string | null, setTyped: (typed: null) => void): void {
  const go = useGo();
  const sent = useRef(search.text);
  useEffect(() => {
    if (search.text === sent.current) return;
    // The URL was changed elsewhere: back, forward, a saved search. The typed text is not sent again.
    sent.current = search.text;
    setTyped(null);
  }, [search.text, setTyped]);
  useEffect(() => {
    if (typed === null || typed === search.text || search.text !== sent.current) return;
    return busyTimer(() => {
      sent.current = typed;
      void go(toHref(refine(search, { text: typed })), { isReplace: search.text !== '', keepTrail: true });
    }, 200);
  }, [typed, search, go]);
}

function useSlashKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [input]);
}

const none: readonly Suggestion[] = [];

/** Suggestions for the typed text: per field at once, and matching records a moment later. */
function useSuggestions(workspace: WorkspacePayload, typed: string): readonly Suggestion[] {
  const text = typed.trim();
  const latest = useRef(workspace);
  latest.current = workspace;
  const [found, setFound] = useState({ text: '', list: none });
  useEffect(() => {
    if (text === '') return;
    const controller = new AbortController();
    const { signal } = controller;
    const take = (list: readonly Suggestion[]) => signal.aborted || setFound({ text, list });
    let cancel = () => {};
    void whileBusy(import('./suggestions.ts')).then(({ fieldSuggestions, recordSuggestions }) => {
      const fields = fieldSuggestions(latest.current, text);
      take(fields);
      if (text.length < 2 || signal.aborted) return;
      cancel = busyTimer(() => {
        recordSuggestions(latest.current, text, signal).then(
          (records) => take([...fields, ...records]),
          () => {},
        );
      }, 150);
    });
    return () => {
      cancel();
      controller.abort();
    };
  }, [text]);
  return found.text === text ? found.list : none;
}
