import { type Condition, dateIn } from '@kontor/protocol';
import { holds } from '../data/conditions.ts';
import { dueWords, formatDate, timeZone } from '../i18n/dates.ts';
import { DueDate, dueDay } from '../ui/due-date.tsx';
import { DateEdit } from './date.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';

export const remainingDaysField = defineField({
  name: 'remaining_days',
  Read: RemainingDaysRead,
  Edit: RemainingDaysEdit,
  toText: remainingText,
  width: 130,
});

function remainingText(props: FieldReadProps): string {
  const { value } = props;
  if (typeof value !== 'string' || value === '') return '';
  const day = dueDay(value);
  return isDone(props) ? formatDate(day) : dueWords(day, dateIn(timeZone(), new Date()));
}

function RemainingDaysRead(props: FieldReadProps) {
  const { value } = props;
  return typeof value === 'string' && value !== '' ? <DueDate date={value} isDone={isDone(props)} /> : null;
}

/** In a form the date is editable, with the remaining days beside it. */
function RemainingDaysEdit(props: FieldEditProps) {
  const { value, place } = props;
  if (place !== 'form') return <DateEdit {...props} />;
  const isTold = typeof value === 'string' && /^\d{4}-/.test(value) && !isDone(props);
  return (
    <div className="dated">
      <DateEdit {...props} />
      {isTold && <DueDate date={value} />}
    </div>
  );
}

/** If the condition `options.done` holds, the date is shown without the remaining days. */
function isDone({ node, record, field }: FieldReadProps): boolean {
  return holds(node.options?.done as Condition | undefined, record, [field]);
}
