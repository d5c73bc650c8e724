import type { ArchField, DomainCondition, WorkspacePayload } from '@kontor/protocol';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { searchRead } from '../data/rpc.ts';
import { rememberName } from '../fields/domain/relation-names.ts';
import { t } from '../i18n/messages.ts';
import { isTyping } from '../navigation/keys.ts';
import { navigate } from '../navigation/router.ts';
import { busyTimer } from '../state/idle.ts';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/popover.tsx';
import { refine, type SearchState, toHref } from './search-state.ts';

interface SearchTextProps {
  readonly workspace: WorkspacePayload;
  /** The one in effect. */
  readonly search: SearchState;
  readonly onCondition: (condition: DomainCondition) => void;
  /** Backspace in the empty field. */
  readonly onRemoveLast: () => void;
}

/** Free text, with what it could mean per field. The address follows a moment after the last key. */
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
    <span className="searchtext">
      <Icon name="search" size={14} />
      <input
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
          <div id={`${id}-list`} role="listbox" aria-label={t('Suggestions')}>
            {suggestions.map((suggestion, index) => (
              <div
                key={suggestion.key}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className="menu-item searchtext-option"
                onPointerDown={(event) => {
                  event.preventDefault();
                  choose(index);
                }}
              >
                <span>
                  {suggestion.label} <b>{suggestion.value}</b>
                </span>
              </div>
            ))}
          </div>
        </Popover>
      )}
    </span>
  );
}

function useTextInAddress(search: SearchState, typed: string | null, setTyped: (typed: null) => void): void {
  const sent = useRef(search.text);
  useEffect(() => {
    if (search.text === sent.current) return;
    // Somebody else changed the address: back, forward, a saved search. What was typed before is not sent again.
    sent.current = search.text;
    setTyped(null);
  }, [search.text, setTyped]);
  useEffect(() => {
    if (typed === null || typed === search.text || search.text !== sent.current) return;
    return busyTimer(() => {
      sent.current = typed;
      void navigate(toHref(refine(search, { text: typed })), { isReplace: search.text !== '', keepTrail: true });
    }, 200);
  }, [typed, search]);
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

const relationsAsked = 3;
const maxPerField = 3;

/** What the typed text could mean: at once per field, and the records of that name a moment later. */
function useSuggestions(workspace: WorkspacePayload, typed: string): readonly Suggestion[] {
  const text = typed.trim();
  const fields = useMemo(() => fieldSuggestions(workspace, text), [workspace, text]);
  const [found, setFound] = useState<{ text: string; records: readonly Suggestion[] }>({ text: '', records: [] });
  // The arch keeps its search fields as long as the view does.
  const relations = useMemo(() => relationFields(workspace).slice(0, relationsAsked), [workspace]);
  const key = JSON.stringify(relations);
  useEffect(() => {
    if (text.length < 2) return;
    const controller = new AbortController();
    const cancel = busyTimer(() => {
      const wanted = JSON.parse(key) as typeof relations;
      Promise.all(wanted.map((field) => findRecords(field, text, controller.signal))).then(
        (records) => setFound({ text, records: records.flat() }),
        () => {},
      );
    }, 150);
    return () => {
      cancel();
      controller.abort();
    };
  }, [text, key]);
  return found.text === text && text !== '' ? [...fields, ...found.records] : fields;
}

async function findRecords(
  field: ReturnType<typeof relationFields>[number],
  text: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const rows = await searchRead(
    field.relation,
    [['display_name', 'ilike', text]],
    ['display_name'],
    { limit: maxPerField },
    { signal },
  );
  return rows.map(({ id, display_name }) => {
    rememberName(field.relation, id, String(display_name ?? ''));
    return recordSuggestion(field, id, String(display_name ?? ''));
  });
}

interface Suggestion {
  readonly key: string;
  readonly label: string;
  /** What is matched, shown bold. */
  readonly value: string;
  readonly condition: DomainCondition;
}

/** Fields of the search view, with what was typed: "Search Customer for …". */
function fieldSuggestions({ arch }: WorkspacePayload, typed: string): readonly Suggestion[] {
  const text = typed.trim();
  if (text === '') return [];
  return arch.search.fields.flatMap(({ name, label, operator }) => {
    const field = arch.fields.find((one) => one.name === name);
    if (field?.selection) return selectionSuggestions(field, label, text);
    if (field && ['boolean', 'date', 'datetime', 'integer', 'float', 'decimal', 'monetary'].includes(field.type)) {
      return numberSuggestion(field, label, text);
    }
    const isText = !field?.relation && (operator === '=' || operator.includes('like'));
    const condition = [name, isText ? operator : 'ilike', text] as DomainCondition;
    return [{ key: `field-${name}`, label: t('Search {label} for', { label }), value: text, condition }];
  });
}

/** Fields whose records can be suggested by name. */
function relationFields({ arch }: WorkspacePayload): readonly RelationSearch[] {
  return arch.search.fields.flatMap(({ name, label, operator }) => {
    const field = arch.fields.find((one) => one.name === name);
    return field?.relation ? [{ name, label, operator, relation: field.relation, type: field.type }] : [];
  });
}

interface RelationSearch {
  readonly name: string;
  readonly label: string;
  readonly operator: string;
  readonly relation: string;
  readonly type: string;
}

function recordSuggestion({ name, label, operator, type }: RelationSearch, id: number, text: string): Suggestion {
  const isTree = operator === 'child_of' && type === 'many2one';
  const condition: DomainCondition = isTree ? [name, 'child_of', id] : [name, '=', id];
  return { key: `record-${name}-${id}`, label: t('{label} is', { label }), value: text, condition };
}

function selectionSuggestions(field: ArchField, label: string, text: string): readonly Suggestion[] {
  const wanted = text.toLowerCase();
  return (field.selection ?? [])
    .filter(([, option]) => option.toLowerCase().includes(wanted))
    .map(([key, option]) => ({
      key: `option-${field.name}-${key}`,
      label: t('{label} is', { label }),
      value: option,
      condition: [field.name, '=', key],
    }));
}

function numberSuggestion(field: ArchField, label: string, text: string): readonly Suggestion[] {
  const isNumber = ['integer', 'float', 'decimal', 'monetary'].includes(field.type) && /^-?\d+(\.\d+)?$/.test(text);
  if (!isNumber) return [];
  const condition: DomainCondition = [field.name, '=', Number(text)];
  return [{ key: `field-${field.name}`, label: t('{label} is', { label }), value: text, condition }];
}
