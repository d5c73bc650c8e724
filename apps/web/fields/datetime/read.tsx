import { formatDateTime } from '../../i18n/dates.ts';
import type { FieldReadProps } from '../define-field.ts';

export function DatetimeRead(props: FieldReadProps) {
  return <>{datetimeText(props)}</>;
}

export function datetimeText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? formatDateTime(value) : '';
}
