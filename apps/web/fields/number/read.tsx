import { formatDecimal, formatInteger } from '../../i18n/numbers.ts';
import type { FieldReadProps } from '../define-field.ts';

export function NumberRead(props: FieldReadProps) {
  return <span className="num">{numberText(props)}</span>;
}

export function numberText({ value, field }: FieldReadProps): string {
  if (typeof value !== 'number' && typeof value !== 'string') return '';
  if (field.type === 'integer') return formatInteger(value);
  // Zeros that only fill up the scale say nothing.
  const scale = field.digits?.[1];
  return formatDecimal(scale === undefined ? value : Number(Number(value).toFixed(scale)));
}
