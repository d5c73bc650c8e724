import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { FieldEditProps } from './define-field.ts';
import './styles.css';

interface TextControlProps extends FieldEditProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  readonly type?: string;
  readonly maxLength?: number | undefined;
  readonly className?: string;
  /** Id of a datalist with suggestions. */
  readonly list?: string;
}

/** The single-line input that most widgets use. */
export function TextControl(props: TextControlProps) {
  const { id, label, text, onText, inputMode, type = 'text', maxLength, className, node, isInvalid } = props;
  return (
    <input
      id={id}
      type={type}
      className={`field-input ${className ?? ''}`}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-required={props.isRequired || undefined}
      aria-describedby={props.describedBy}
      inputMode={inputMode}
      list={props.list}
      maxLength={maxLength}
      placeholder={node.placeholder}
      autoComplete="off"
      autoFocus={props.hasAutoFocus}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onFocus={(event) => props.place !== 'form' && event.target.select()}
    />
  );
}

interface TypingFocus {
  readonly hasFocus: boolean;
  /** Props of the element that contains the input. */
  readonly wrapper: {
    readonly ref: RefObject<HTMLSpanElement | null>;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
}

/**
 * For values that are shown in one notation and typed in another. The text changes on focus, so it is selected and
 * typing replaces it.
 */
export function useTypingFocus(isFocused: boolean): TypingFocus {
  const ref = useRef<HTMLSpanElement>(null);
  const [hasFocus, setFocus] = useState(isFocused);
  useLayoutEffect(() => {
    if (hasFocus) ref.current?.querySelector('input')?.select();
  }, [hasFocus]);
  return { hasFocus, wrapper: { ref, onFocus: () => setFocus(true), onBlur: () => setFocus(false) } };
}
