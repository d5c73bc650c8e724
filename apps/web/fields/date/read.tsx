import { formatDate } from '../../i18n/dates.ts';
import type { FieldReadProps } from '../define-field.ts';

export function DateRead(props: FieldReadProps) {
  return <>{dateText(props)}</>;
}

export function dateText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? formatDate(value) : '';
}
