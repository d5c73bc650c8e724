import { formatDecimal, formatInteger } from '../../i18n/numbers.ts';
import type { FieldReadProps } from '../define-field.ts';

export function NumberRead(props: FieldReadProps) {
  return <span className="num">{numberText(props)}</span>;
}

export function numberText({ value, field }: FieldReadProps): string {
  if (typeof value !== 'number' && typeof value !== 'string') return '';
  return field.type === 'integer' ? formatInteger(value) : formatDecimal(value, field.digits?.[1]);
}
