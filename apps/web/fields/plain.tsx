import { type ArchField, fieldType } from '@kontor/protocol';
import type { ReactNode } from 'react';
import { formatDate, formatDateTime } from '../i18n/dates.ts';
import { isRightToLeft, tn } from '../i18n/messages.ts';
import { formatDecimal } from '../i18n/numbers.ts';
import { defineField, type FieldReadProps } from './define-field.ts';

/** For types without a widget: the value as read-only text. */
export const plainField = defineField({ name: 'plain', Read: PlainRead, Edit: null, toText: plainText });

/** Isolated with `bdi`, so that text in another script does not change the direction of its neighbours. */
export function PlainRead(props: FieldReadProps) {
  return <bdi>{plainText(props)}</bdi>;
}

export function plainCell(props: FieldReadProps): ReactNode {
  return isolated(plainText(props));
}

/** Latin, Greek and Cyrillic text in a left-to-right page needs no isolation, which saves an element in every cell. */
export function isolated(text: string): ReactNode {
  return isRightToLeft() || !/^[\0-\u058f]*$/.test(text) ? <bdi>{text}</bdi> : text;
}

export function plainText({ value }: FieldReadProps): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : tn('{n} record', '{n} records', value.length);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value without its record, for messages and conditions; selections and names already come as text. */
export function bareText(field: ArchField | undefined, value: unknown): string {
  const type = fieldType(field?.type);
  if (type.isDate) return type.isInstant ? formatDateTime(String(value)) : formatDate(String(value));
  if (typeof value !== 'number') return String(value);
  // An amount without its currency: 1,820.70 and not 1,820.7.
  return type.isMoney && /\.\d$/.test(String(value)) ? formatDecimal(value, 2) : formatDecimal(value);
}
