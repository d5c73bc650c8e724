import { decimalsOf } from '../data/form/invalid-values.ts';
import { formatHours, parseHours } from '../i18n/numbers.ts';
import { defineField, type FieldReadProps } from './define-field.ts';
import { rareEdit } from './rare-fields.tsx';

export const durationField = defineField({
  name: 'duration',
  Read: DurationRead,
  Edit: rareEdit('DurationEdit'),
  toText: durationText,
  fromText: (text, field) => parseHours(text, decimalsOf(field)) ?? undefined,
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
