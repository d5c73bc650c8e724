import { useState } from 'react';
import { editNumber, parseNumber } from '../../i18n/numbers.ts';
import type { FieldEditProps } from '../define-field.ts';
import { monetaryText } from '../monetary/read.tsx';
import { percentText } from '../progress/read.tsx';
import { TextControl } from '../text-control.tsx';
import { useTypingFocus } from '../use-typing-focus.ts';
import { numberText } from './read.tsx';

export function NumberEdit(props: FieldEditProps) {
  return <NumberControl {...props} isWhole={false} />;
}

export function IntegerEdit(props: FieldEditProps) {
  return <NumberControl {...props} isWhole />;
}

/** Keeps what was typed as it was typed; tells the value as soon as it is a number. */
function NumberControl({ isWhole, ...props }: FieldEditProps & { readonly isWhole: boolean }) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const { hasFocus, around } = useTypingFocus(props.hasAutoFocus === true);
  const edited = typed !== null && isSame(parseNumber(typed), value) ? typed : editNumber(value as number | null);
  const change = (next: string) => {
    setTyped(next);
    const parsed = parseNumber(next);
    // A half-typed number is sent as it is: the field refuses it with a message instead of losing it.
    onChange(parsed === undefined || (isWhole && !Number.isInteger(parsed ?? 0)) ? next : parsed);
  };
  // Left alone, a number looks as it does everywhere; with the focus in it, as one types it.
  const text = hasFocus || typeof value !== 'number' ? edited : shownText(props);
  return (
    <span className="field-wrap" {...around}>
      <TextControl {...props} className="num" inputMode={isWhole ? 'numeric' : 'decimal'} text={text} onText={change} />
    </span>
  );
}

function shownText(props: FieldEditProps): string {
  if (props.node.widget === 'percentage' || props.node.widget === 'progressbar') return percentText(props);
  return props.field.type === 'monetary' || props.node.widget === 'monetary' ? monetaryText(props) : numberText(props);
}

function isSame(parsed: number | null | undefined, value: unknown): boolean {
  return parsed === undefined || parsed === (value === undefined ? null : value) || Number(value) === parsed;
}
