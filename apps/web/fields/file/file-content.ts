import { locale } from '../../i18n/messages.ts';
import type { FieldReadProps } from '../define-field.ts';

/** The content of a file in wire format. */
export function readFile(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}

/** The size in bytes of base64 content. */
function base64Size(value: string): number {
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return (value.length / 4) * 3 - padding;
}

export function fileText({ value, field }: FieldReadProps): string {
  if (typeof value !== 'string' || value === '') return '';
  const kilobytes = Math.max(1, Math.round(base64Size(value) / 1000));
  return `${field.label} (${new Intl.NumberFormat(locale(), { style: 'unit', unit: 'kilobyte' }).format(kilobytes)})`;
}
