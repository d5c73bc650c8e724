import { formatDate, formatDateTime } from '../i18n/dates.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { Skeleton } from '../ui/parts.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';

/** Days in words need a parser that reading does not: the editors are a chunk of their own, which lists and forms load ahead of time. */
const dates = () => import('./date-edit.tsx');
const waiting = <Skeleton width="50%" />;
export const { Component: DateEdit, preload: preloadDates } = lazyComponent<FieldEditProps>(
  async () => (await dates()).DateEdit,
  waiting,
);
const { Component: DatetimeEdit } = lazyComponent<FieldEditProps>(async () => (await dates()).DatetimeEdit, waiting);

export const dateField = defineField({
  name: 'date',
  Read: DateRead,
  cell: dateText,
  Edit: DateEdit,
  toText: dateText,
  width: 130,
});

export const datetimeField = defineField({
  name: 'datetime',
  Read: DatetimeRead,
  cell: datetimeText,
  Edit: DatetimeEdit,
  toText: datetimeText,
  width: 180,
});

function DateRead(props: FieldReadProps) {
  return <>{dateText(props)}</>;
}

function dateText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? formatDate(value) : '';
}

function DatetimeRead(props: FieldReadProps) {
  return <>{datetimeText(props)}</>;
}

function datetimeText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? formatDateTime(value) : '';
}
