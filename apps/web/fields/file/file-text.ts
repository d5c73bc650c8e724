import { locale } from '../../i18n/messages.ts';
import type { FieldReadProps } from '../define-field.ts';
import { base64Size } from './read-file.ts';

export function fileText({ value, field }: FieldReadProps): string {
  if (typeof value !== 'string' || value === '') return '';
  const kilobytes = Math.max(1, Math.round(base64Size(value) / 1000));
  return `${field.label} (${new Intl.NumberFormat(locale(), { style: 'unit', unit: 'kilobyte' }).format(kilobytes)})`;
}
