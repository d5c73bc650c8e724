import { useState } from 'react';
import type { FieldEditProps, FieldReadProps } from '../define-field.ts';
import { TextControl } from '../text-control.tsx';
import { editHours, formatHours, parseHours } from './hours.ts';

export function durationText({ value }: FieldReadProps): string {
  return value === null || value === undefined || value === '' ? '' : formatHours(Number(value));
}

export function DurationRead(props: FieldReadProps) {
  return <span className="num">{durationText(props)}</span>;
}

/** Hours and minutes; what is typed stays as typed until the field is left. */
export function DurationEdit(props: FieldEditProps) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string) => {
    setTyped(text);
    const hours = parseHours(text);
    onChange(hours === undefined ? text : hours === null ? null : Math.round(hours * 1e4) / 1e4);
  };
  return (
    <span className="field-wrap" onBlur={() => setTyped(null)}>
      <TextControl {...props} className="num" inputMode="text" text={typed ?? editHours(value)} onText={change} />
    </span>
  );
}
