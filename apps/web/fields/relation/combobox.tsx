import { type KeyboardEvent, type Ref, type RefObject, useRef, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { Popover } from '../../ui/popover.tsx';
import type { FieldEditProps } from '../define-field.ts';
import '../styles.css';

interface ComboboxProps extends FieldEditProps {
  readonly text: string;
  /** The search text; null: the list is closed. */
  readonly typed: string | null;
  readonly choices: readonly Choice[];
  readonly isCurrent: boolean;
  readonly className?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
  onTyped(typed: string | null): void;
  /** Called when the field is left with text that was not chosen, so that the text is not lost. */
  onLeave?(typed: string): void;
  /** Called on Backspace in the empty field. */
  onBack?(): void;
  /** Called on Alt+Enter: opens the chosen record. */
  onOpen?: (() => void) | undefined;
}

/** A text field with suggestions: arrow keys move, Enter or Tab chooses, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const { id, label, typed, choices, onTyped, text } = props;
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const current = choices[at] ?? choices[0];
  const isOpen = typed !== null;
  const take = (choice: Choice) => {
    onTyped(null);
    choice.run();
  };
  const move = (step: number) => setAt((now) => Math.max(0, Math.min(choices.length - 1, now + step)));
  const shown = choices.map((choice) => ({ ...choice, run: () => take(choice) }));
  return (
    <>
      <input
        ref={input}
        id={id}
        role="combobox"
        className={`field-input ${props.className ?? ''}`}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && current ? `${id}-${current.key}` : undefined}
        aria-invalid={props.isInvalid || undefined}
        aria-required={props.isRequired || undefined}
        aria-describedby={props.describedBy}
        autoComplete="off"
        autoFocus={props.hasAutoFocus}
        placeholder={props.node.placeholder}
        value={typed ?? text}
        onChange={(event) => {
          setAt(0);
          onTyped(event.target.value);
        }}
        onFocus={(event) => event.target.select()}
        onClick={() => {
          if (!isOpen) onTyped(props.onLeave && props.isInvalid ? text : '');
        }}
        onKeyDown={(event) => handleKey(event, props, { current, take, move })}
        onBlur={() => leave(props)}
      />
      {isOpen && (
        <ChoiceList
          id={id}
          label={label}
          anchor={input}
          choices={
            shown.length > 0 || !props.isCurrent
              ? shown
              : [{ key: 'none', label: t('Nothing found'), isDim: true, run: () => {} }]
          }
          at={at}
          onClose={() => onTyped(null)}
        />
      )}
    </>
  );
}

interface OpenList {
  readonly current: Choice | undefined;
  readonly take: (choice: Choice) => void;
  readonly move: (step: number) => void;
}

function handleKey(event: KeyboardEvent<HTMLInputElement>, props: ComboboxProps, list: OpenList) {
  const { typed, onTyped, onOpen, onBack, isCurrent } = props;
  const { current, take, move } = list;
  if (event.key === 'Backspace' && event.currentTarget.value === '') return onBack?.();
  if (event.key === 'Enter' && event.altKey && onOpen) {
    event.preventDefault();
    event.stopPropagation();
    onTyped(null);
    return onOpen();
  }
  if (typed === null) {
    if (event.key === 'ArrowDown' && !event.altKey) {
      event.preventDefault();
      onTyped('');
    }
    return;
  }
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
  else if (event.key === 'Enter' && current) take(current);
  else if (event.key === 'Tab' && current && typed !== '' && isCurrent && !current.isDim) return take(current);
  else if (event.key === 'Escape') onTyped(null);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function leave({ typed, onLeave, onTyped }: ComboboxProps): void {
  if (typed !== null && typed.trim() !== '') onLeave?.(typed.trim());
  onTyped(null);
}

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly isDim?: boolean;
  run(): void;
}

interface ChoiceListProps {
  readonly id: string;
  readonly label: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly choices: readonly Choice[];
  readonly at: number;
  readonly onClose: () => void;
}

/** Suggestions below a field; the focus stays in the field. */
function ChoiceList({ id, label, anchor, choices, at, onClose }: ChoiceListProps) {
  return (
    <Popover anchor={anchor} mode="manual" isAnchorWide onClose={onClose}>
      <div id={`${id}-list`} role="listbox" aria-label={label} className="field-list">
        {choices.map((choice, index) => (
          <div
            key={choice.key}
            id={`${id}-${choice.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={`menu-item pointer ${choice.isDim ? 'accent field-more' : ''}`}
            onPointerDown={(event) => {
              event.preventDefault();
              choice.run();
            }}
          >
            {choice.label}
          </div>
        ))}
      </div>
    </Popover>
  );
}
