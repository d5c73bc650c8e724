import { useState } from 'react';
import { editNumber, parseNumber } from '../i18n/numbers.ts';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { TextControl } from './text-control.tsx';

export const durationField = defineField({
  name: 'duration',
  Read: DurationRead,
  Edit: DurationEdit,
  toText: durationText,
  align: 'end',
  width: 90,
});

function durationText({ value }: FieldReadProps): string {
  return value === null || value === undefined || value === '' ? '' : formatHours(Number(value));
}

function DurationRead(props: FieldReadProps) {
  return <span className="num">{durationText(props)}</span>;
}

/** Hours and minutes; what is typed stays as typed until the field is left. */
function DurationEdit(props: FieldEditProps) {
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

/** 1.5 hours as 1:30. */
export function formatHours(value: number): string {
  const minutes = Math.round(Math.abs(value) * 60);
  return `${value < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

/** `1:30`, `1.5`, `90m`, `1h 30m` in hours; undefined when it is none of them. */
export function parseHours(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const clock = /^(-?)(\d+):([0-5]?\d)$/.exec(trimmed);
  if (clock) return (clock[1] ? -1 : 1) * (Number(clock[2]) + Number(clock[3]) / 60);
  const units = /^(?:(\d+(?:[.,]\d+)?)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?$/i.exec(trimmed);
  if (units && (units[1] || units[2])) {
    return Number((units[1] ?? '0').replace(',', '.')) + Number(units[2] ?? 0) / 60;
  }
  return parseNumber(trimmed);
}

/** As a person would type it. */
function editHours(value: unknown): string {
  return typeof value === 'number' ? formatHours(value) : editNumber(value as string | null);
}
