import { tn } from '../../i18n/messages.ts';
import type { FieldReadProps } from '../define-field.ts';

export function PlainRead(props: FieldReadProps) {
  return <>{plainText(props)}</>;
}

export function plainText({ value }: FieldReadProps): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : tn('{n} record', '{n} records', value.length);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
