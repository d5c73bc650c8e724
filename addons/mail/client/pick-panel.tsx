import { busyTimer, NamedIcon, Popover, showError, t } from '@kontor/client';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';

export interface PickOption {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  readonly icon?: string;
  run(): void;
}

interface PickPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly placeholder: string;
  readonly optionsFor: (text: string) => Promise<readonly PickOption[]>;
  readonly onClose: () => void;
}

/** A choice with a field to narrow it: the digits choose while nothing is typed, arrows and Enter always do. */
// Over 60 lines: the field and its options share the position.
export function PickPanel({ anchor, label, placeholder, optionsFor, onClose }: PickPanelProps) {
  const [text, setText] = useState('');
  const [options, setOptions] = useState<readonly PickOption[] | null>(null);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(optionsFor);
  latest.current = optionsFor;
  const id = useId();
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    let isOver = false;
    const take = (found: readonly PickOption[]) => {
      if (isOver) return;
      setOptions(found);
      setAt(0);
    };
    const cancel = busyTimer(() => void latest.current(text.trim()).then(take, showError), text === '' ? 0 : 150);
    return () => {
      isOver = true;
      cancel();
    };
  }, [text]);
  const pick = (option: PickOption | undefined) => {
    if (!option) return;
    onClose();
    option.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const list = options ?? [];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.length > 0) setAt((at + step + list.length) % list.length);
    else if (event.key === 'Enter') pick(list[at]);
    else if (text === '' && /^[1-9]$/.test(event.key)) pick(list[Number(event.key) - 1]);
    else return;
    event.preventDefault();
  };
  return (
    <Popover anchor={anchor} align="start" onClose={onClose} className="pad-2 inbox-pick">
      <input
        ref={input}
        type="search"
        role="combobox"
        className="input full below-2"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={options?.[at] ? `${id}-${at}` : undefined}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={label}>
        {options?.map((option, index) => (
          <div
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="menu-item"
            onPointerDown={(event) => {
              event.preventDefault();
              pick(option);
            }}
          >
            {option.icon && <NamedIcon name={option.icon} />}
            <span className="cut grow">{option.label}</span>
            {option.hint && <span className="small dim nowrap">{option.hint}</span>}
            {text === '' && index < 9 && <kbd>{index + 1}</kbd>}
          </div>
        ))}
        {options?.length === 0 && <p className="pad-2 dim">{t('Nothing found')}</p>}
      </div>
    </Popover>
  );
}
