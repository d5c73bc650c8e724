import { formatMoney } from '../../i18n/numbers.ts';
import type { FieldReadProps } from '../define-field.ts';

export function MonetaryRead(props: FieldReadProps) {
  return <span className="num">{monetaryText(props)}</span>;
}

export function monetaryText({ value, field, record }: FieldReadProps): string {
  if (typeof value !== 'number' && typeof value !== 'string') return '';
  const currency = field.currency ? record[`${field.currency}.display_name`] : null;
  return formatMoney(value, typeof currency === 'string' ? currency : null);
}
