import { busyTimer, Popover, showError, t } from '@kontor/client';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  run(): void;
}

interface PickPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly choicesFor: (text: string) => Promise<readonly Choice[]>;
  readonly onClose: () => void;
}

const pauseMs = 150;

/** A choice with a field to narrow it: arrows and Enter choose. */
// Over 60 lines: the field and its choices share the position.
export function PickPanel({ anchor, label, choicesFor, onClose }: PickPanelProps) {
  const [text, setText] = useState('');
  const [choices, setChoices] = useState<readonly Choice[] | null>(null);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(choicesFor);
  latest.current = choicesFor;
  const id = useId();
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    let isOver = false;
    const take = (found: readonly Choice[]) => {
      if (isOver) return;
      setChoices(found);
      setAt(0);
    };
    const cancel = busyTimer(() => void latest.current(text.trim()).then(take, showError), text === '' ? 0 : pauseMs);
    return () => {
      isOver = true;
      cancel();
    };
  }, [text]);
  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const list = choices ?? [];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.length > 0) setAt((at + step + list.length) % list.length);
    else if (event.key === 'Enter') pick(list[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Popover anchor={anchor} align="start" onClose={onClose} className="pad-2 bank-pick">
      <input
        ref={input}
        type="search"
        role="combobox"
        className="input full below-2"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={choices?.[at] ? `${id}-${at}` : undefined}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={label}>
        {choices?.map((choice, index) => (
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="menu-item"
            onPointerDown={(event) => {
              event.preventDefault();
              pick(choice);
            }}
          >
            <span className="cut grow">{choice.label}</span>
            {choice.hint && <span className="small dim nowrap">{choice.hint}</span>}
          </div>
        ))}
        {choices?.length === 0 && <p className="pad-2 dim">{t('Nothing found')}</p>}
      </div>
    </Popover>
  );
}
