import type { Domain } from '@kontor/protocol';
import { useEffect, useRef, useState } from 'react';
import { busyTimer } from '../../data/idle.ts';
import { searchRead } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { Popover } from '../../ui/popover.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { many2oneText } from './read.tsx';
import '../styles.css';

interface Choice {
  readonly id: number;
  readonly name: string;
}

/** Typeahead over the related model. */
export function Many2oneEdit(props: FieldEditProps) {
  const { id, label, field, onChange, onCommit } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const choices = useChoices(field.relation ?? '', typed, props.domain ?? field.domain ?? []);
  const choose = (choice: Choice | null) => {
    setTyped(null);
    onChange(choice?.id ?? null, { [`${field.name}.display_name`]: choice?.name ?? null });
    onCommit?.();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (typed === null && event.key === 'ArrowDown') return setTyped('');
    if (typed === null) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      event.stopPropagation();
      setAt((now) => Math.max(0, Math.min(choices.length - 1, now + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter' && choices[at]) {
      event.preventDefault();
      event.stopPropagation();
      choose(choices[at] ?? null);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setTyped(null);
    }
  };
  return (
    <>
      <input
        ref={input}
        id={id}
        role="combobox"
        className="field-input"
        aria-label={label}
        aria-expanded={typed !== null}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={typed !== null && choices[at] ? `${id}-${choices[at].id}` : undefined}
        aria-invalid={props.isInvalid || undefined}
        aria-required={props.isRequired || undefined}
        aria-describedby={props.describedBy}
        autoComplete="off"
        autoFocus={props.hasAutoFocus}
        placeholder={props.node.placeholder}
        value={typed ?? many2oneText(props)}
        onChange={(event) => {
          setAt(0);
          setTyped(event.target.value);
          if (event.target.value === '') onChange(null, { [`${field.name}.display_name`]: null });
        }}
        onClick={() => setTyped((now) => now ?? '')}
        onKeyDown={onKeyDown}
        onBlur={() => setTyped(null)}
      />
      {typed !== null && (
        <Popover anchor={input} mode="manual" isAnchorWide onClose={() => setTyped(null)}>
          <div id={`${id}-list`} role="listbox" aria-label={label} className="field-list">
            {choices.map((choice, index) => (
              <div
                key={choice.id}
                id={`${id}-${choice.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className="menu-item"
                onPointerDown={(event) => {
                  event.preventDefault();
                  choose(choice);
                }}
              >
                {choice.name}
              </div>
            ))}
            {choices.length === 0 && <div className="menu-item dim">{t('Nothing found')}</div>}
          </div>
        </Popover>
      )}
    </>
  );
}

function useChoices(model: string, typed: string | null, domain: Domain): readonly Choice[] {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const given = JSON.stringify(domain);
  useEffect(() => {
    if (typed === null || model === '') return;
    const controller = new AbortController();
    const cancel = busyTimer(
      () => {
        const wanted: Domain = typed ? [['display_name', 'ilike', typed]] : [];
        searchRead(
          model,
          [...(JSON.parse(given) as Domain), ...wanted],
          ['display_name'],
          { limit: 8 },
          { signal: controller.signal },
        ).then(
          (found) => setChoices(found.map((one) => ({ id: one.id, name: String(one.display_name ?? '') }))),
          () => {},
        );
      },
      typed === '' ? 0 : 120,
    );
    return () => {
      cancel();
      controller.abort();
    };
  }, [model, typed, given]);
  return choices;
}
