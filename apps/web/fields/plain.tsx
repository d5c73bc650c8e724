import { type ArchField, fieldType } from '@kontor/protocol';
import type { ReactNode } from 'react';
import { formatDate, formatDateTime } from '../i18n/dates.ts';
import { isRightToLeft, tn } from '../i18n/messages.ts';
import { formatDecimal } from '../i18n/numbers.ts';
import { defineField, type FieldReadProps } from './define-field.ts';

/** For types that have no widget yet: the value as text, never edited. */
export const plainField = defineField({ name: 'plain', Read: PlainRead, Edit: null, toText: plainText });

/** Isolated with `bdi`, so that text in another script does not change the direction of its neighbours. */
export function PlainRead(props: FieldReadProps) {
  return <bdi>{plainText(props)}</bdi>;
}

export function plainCell(props: FieldReadProps): ReactNode {
  return isolated(plainText(props));
}

/** Latin, Greek and Cyrillic text in a page that is read the same way needs no isolation: an element less in every cell. */
export function isolated(text: string): ReactNode {
  return isRightToLeft() || !/^[\0-\u058f]*$/.test(text) ? <bdi>{text}</bdi> : text;
}

export function plainText({ value }: FieldReadProps): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : tn('{n} record', '{n} records', value.length);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value without its record, as messages and conditions name it; choices and names are words already. */
export function bareText(field: ArchField | undefined, value: unknown): string {
  const type = fieldType(field?.type);
  if (type.isDate) return type.isInstant ? formatDateTime(String(value)) : formatDate(String(value));
  return typeof value === 'number' ? formatDecimal(value) : String(value);
}
