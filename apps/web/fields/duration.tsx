import { latinDigits } from '@kontor/protocol';
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
  if (value === null || value === undefined || value === '') return '';
  // Text that is not a duration is kept as typed.
  return Number.isNaN(Number(value)) ? String(value) : formatHours(Number(value));
}

function DurationRead(props: FieldReadProps) {
  return <span className="num">{durationText(props)}</span>;
}

/** Hours and minutes; the text stays as typed until the field is left. */
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

/** Hours and minutes: 1.5 becomes 1:30. */
export function formatHours(value: number): string {
  const minutes = Math.round(Math.abs(value) * 60);
  return `${value < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

const hourUnit = String.raw`(?:h|hrs?|hours?|std|stunden?|heures?|ساعة|ساعات|ساعتان)\.?`;
const minuteUnit = String.raw`(?:m|mins?|minuten?|minutes?|min|دقيقة|دقائق|['\u2032])\.?`;
const clock = /^([+-]?)(\d+):([0-5]?\d)$/;
const units = new RegExp(
  String.raw`^([+-]?)(?:([\d.,]+)\s*${hourUnit}\s*(?:([0-5]?\d)\s*(?:${minuteUnit})?)?|(\d+)\s*${minuteUnit})$`,
  'i',
);

/** Parses a duration such as `1:30`, `1.5`, `90m`, `1h30` or `1 h 30 min` into hours; undefined if it is invalid. */
export function parseHours(text: string): number | null | undefined {
  const trimmed = latinDigits(text).trim();
  if (trimmed === '') return null;
  const match = clock.exec(trimmed) ?? units.exec(trimmed);
  if (match === null) return parseNumber(trimmed);
  const [, sign, hours = '0', minutes = '0', alone = '0'] = match;
  const whole = parseNumber(hours);
  if (typeof whole !== 'number') return undefined;
  return (sign === '-' ? -1 : 1) * (whole + (Number(minutes) + Number(alone)) / 60);
}

/** As a user would type it. */
function editHours(value: unknown): string {
  return typeof value === 'number' ? formatHours(value) : editNumber(value as string | null);
}
