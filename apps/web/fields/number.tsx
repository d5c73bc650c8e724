import { type ArchField, fieldType, isNumberName, withoutUnit } from '@kontor/protocol';
import { type RefObject, useState } from 'react';
import { asTyped, decimalsOf, typedText } from '../data/form/invalid-values.ts';
import { locale, t } from '../i18n/messages.ts';
import { editNumber, formatDecimal, formatInteger, formatMoney, numberReadings, parseNumber } from '../i18n/numbers.ts';
import { Popover } from '../ui/popover.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { TextControl, useTypingFocus } from './text-control.tsx';
import './number.css';

export const integerField = defineField({
  name: 'integer',
  Read: NumberRead,
  cell: numberText,
  Edit: IntegerEdit,
  toText: numberText,
  align: 'end',
  width: 100,
});

export const floatField = defineField({
  name: 'float',
  Read: NumberRead,
  cell: numberText,
  Edit: NumberEdit,
  toText: numberText,
  align: 'end',
  width: 110,
});

export const decimalField = defineField({
  name: 'decimal',
  Read: NumberRead,
  cell: numberText,
  Edit: NumberEdit,
  toText: numberText,
  align: 'end',
  width: 120,
});

export const monetaryField = defineField({
  name: 'monetary',
  Read: MonetaryRead,
  cell: monetaryText,
  Edit: NumberEdit,
  toText: monetaryText,
  align: 'end',
  width: 130,
});

export const progressbarField = defineField({
  name: 'progressbar',
  Read: ProgressRead,
  Edit: NumberEdit,
  toText: percentText,
  width: 130,
});
export const percentageField = defineField({
  name: 'percentage',
  Read: PercentageRead,
  Edit: PercentageEdit,
  fromText: readPercentage,
  toText: fractionText,
  align: 'end',
  width: 100,
});

function NumberRead(props: FieldReadProps) {
  return <span className="num">{numberText(props)}</span>;
}

function numberText({ value, field }: FieldReadProps): string {
  if (typeof value !== 'number' && typeof value !== 'string') return '';
  if (Number.isNaN(Number(value))) return String(value);
  if (isNumberName(field)) return String(value);
  if (fieldType(field.type).isWhole) return formatInteger(value);
  // Leaves out trailing zeros.
  const scale = field.digits?.[1];
  return formatDecimal(scale === undefined ? value : Number(Number(value).toFixed(scale)));
}

function MonetaryRead(props: FieldReadProps) {
  return <span className="num">{monetaryText(props)}</span>;
}

function monetaryText({ value, field, record }: FieldReadProps): string {
  if (typeof value !== 'number' && typeof value !== 'string') return '';
  if (Number.isNaN(Number(value))) return String(value);
  const currency = field.currency ? record[`${field.currency}.display_name`] : null;
  return formatMoney(value, typeof currency === 'string' ? currency : null);
}

function percentText({ value }: FieldReadProps): string {
  if (value === null || value === undefined || value === '') return '';
  return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(Number(value))} %`;
}

/** A fraction in percent: 0.275 is 27.5 %. */
function fractionText({ value }: FieldReadProps): string {
  if (value === null || value === undefined || value === '') return '';
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(Number(value));
}

function PercentageRead(props: FieldReadProps) {
  return <span className="num">{fractionText(props)}</span>;
}

/** 0 to 100; higher values fill the bar, and the text shows the number. */
function ProgressRead(props: FieldReadProps) {
  const percent = Number(props.value ?? 0);
  return (
    <span className="inline-row gap-2 full progress">
      <progress
        className="no-border round-3 muted clip share"
        max={100}
        value={Math.max(0, Math.min(100, percent))}
        aria-label={props.field.label}
      />
      <span className="num">{percentText(props)}</span>
    </span>
  );
}

function NumberEdit(props: FieldEditProps) {
  return <NumberControl {...props} isWhole={false} />;
}

export function IntegerEdit(props: FieldEditProps) {
  return <NumberControl {...props} isWhole />;
}

/**
 * Keeps the text as typed; reports the value as soon as it is a number, and offers both readings if it is ambiguous.
 */
function NumberControl({ isWhole, ...props }: FieldEditProps & { readonly isWhole: boolean }) {
  const { value, field, onChange } = props;
  const scale = isWhole ? 0 : decimalsOf(field);
  const [typed, setTyped] = useState<string | null>(typedText(value));
  const { hasFocus, wrapper } = useTypingFocus(props.hasAutoFocus === true);
  const isTyped = typed !== null && (typedText(value) === typed || isSame(parseNumber(typed, scale), value));
  const edited = isTyped ? typed : (typedText(value) ?? editNumber(value as number | null));
  const change = (next: string) => {
    setTyped(next);
    const parsed = parseNumber(next, scale);
    // Text that is not a number is passed on as it is, so that the form can show a message and nothing is lost.
    const isNumber = parsed !== undefined && (!isWhole || Number.isInteger(parsed ?? 0));
    onChange(isNumber ? parsed : numberReadings(next, scale) ? asTyped(next) : next);
  };
  // Without focus the number is formatted; with focus it is shown as it is typed.
  const text = hasFocus || typeof value !== 'number' ? edited : shownText(props);
  const readings = hasFocus ? numberReadings(typedText(value) ?? '', scale) : null;
  return (
    <span className="field-wrap" {...wrapper}>
      <TextControl {...props} className="num" inputMode={isWhole ? 'numeric' : 'decimal'} text={text} onText={change} />
      {readings && <Readings anchor={wrapper.ref} numbers={readings} onChoose={onChange} />}
    </span>
  );
}

interface ReadingsProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly numbers: readonly number[];
  readonly onChoose: (number: number) => void;
}

/** The possible readings of an ambiguous number. The focus stays in the field. */
function Readings({ anchor, numbers, onChoose }: ReadingsProps) {
  return (
    <Popover anchor={anchor} mode="manual" onClose={() => {}}>
      <div className="stack gap-1 pad-2" role="status">
        <span className="small dim">{t('Which number do you mean?')}</span>
        <span className="row gap-1">
          {numbers.map((number) => (
            <button
              key={number}
              type="button"
              className="button num"
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(number)}
            >
              {formatDecimal(number)}
            </button>
          ))}
        </span>
      </div>
    </Popover>
  );
}

function shownText(props: FieldEditProps): string {
  if (props.node.widget === 'percentage' || props.node.widget === 'progressbar') return percentText(props);
  return fieldType(props.field.type).isMoney || props.node.widget === 'monetary'
    ? monetaryText(props)
    : numberText(props);
}

function isSame(parsed: number | null | undefined, value: unknown): boolean {
  return parsed === undefined || parsed === (value === undefined ? null : value) || Number(value) === parsed;
}

/** A number from the clipboard, in the user's notation. Currencies and units are left out, except for integers: `3 kg` is not a count. */
export function readNumber(text: string, field: ArchField): number | undefined {
  const { isWhole } = fieldType(field.type);
  const number = parseNumber(isWhole ? text : withoutUnit(text), isWhole ? 0 : decimalsOf(field));
  return typeof number === 'number' && (!isWhole || Number.isInteger(number)) ? number : undefined;
}

function readPercentage(text: string, field: ArchField): number | undefined {
  const percent = readNumber(text, field);
  return percent === undefined ? undefined : exact(percent / 100);
}

/** Typed in percent, stored as a fraction. */
function PercentageEdit(props: FieldEditProps) {
  const { value, onChange } = props;
  return (
    <NumberEdit
      {...props}
      value={typeof value === 'number' ? exact(value * 100) : value}
      onChange={(next) => onChange(typeof next === 'number' ? exact(next / 100) : next)}
    />
  );
}

/** Rounds off floating-point errors. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}
