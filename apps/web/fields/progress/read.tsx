import { locale } from '../../i18n/messages.ts';
import type { FieldReadProps } from '../define-field.ts';
import './styles.css';

export function percentText({ value }: FieldReadProps): string {
  if (value === null || value === undefined || value === '') return '';
  return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(Number(value))} %`;
}

/** A fraction as per cent: 0.275 is 27.5 %. */
export function fractionText({ value }: FieldReadProps): string {
  if (value === null || value === undefined || value === '') return '';
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(Number(value));
}

export function PercentageRead(props: FieldReadProps) {
  return <span className="num">{fractionText(props)}</span>;
}

/** 0 to 100; more than that is shown full, and said in figures. */
export function ProgressRead(props: FieldReadProps) {
  const percent = Number(props.value ?? 0);
  return (
    <span className="progress">
      <progress max={100} value={Math.max(0, Math.min(100, percent))} aria-label={props.field.label} />
      <span className="num">{percentText(props)}</span>
    </span>
  );
}
