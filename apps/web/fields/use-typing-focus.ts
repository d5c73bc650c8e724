import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface TypingFocus {
  readonly hasFocus: boolean;
  /** For the element around the input. */
  readonly around: {
    readonly ref: RefObject<HTMLSpanElement | null>;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
}

/**
 * For values that look one way and are typed in another. The text changes with the focus, which would leave the caret behind
 * the old text: what comes into focus is selected, so that typing replaces it.
 */
export function useTypingFocus(isFocused: boolean): TypingFocus {
  const ref = useRef<HTMLSpanElement>(null);
  const [hasFocus, setFocus] = useState(isFocused);
  useLayoutEffect(() => {
    if (hasFocus) ref.current?.querySelector('input')?.select();
  }, [hasFocus]);
  return { hasFocus, around: { ref, onFocus: () => setFocus(true), onBlur: () => setFocus(false) } };
}
