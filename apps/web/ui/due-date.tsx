import { dateIn, daysBetween } from '@kontor/protocol';
import { dueWords, formatDate, timeZone } from '../i18n/dates.ts';
import './due-date.css';

interface DueDateProps {
  /** A date, or a datetime that is shown as its day in the user's time zone. */
  readonly date: string;
  /** Done: the remaining days are not shown. */
  readonly isDone?: boolean;
}

export function dueDay(date: string): string {
  return date.length > 10 ? dateIn(timeZone(), new Date(date)) : date;
}

/** A due date in relative words, the same on every screen; the tooltip shows the date. */
export function DueDate({ date, isDone = false }: DueDateProps) {
  const day = dueDay(date);
  const today = dateIn(timeZone(), new Date());
  const days = daysBetween(today, day);
  const look = isDone ? 'done' : days < 0 ? 'late' : days === 0 ? 'due' : 'ahead';
  return (
    <time className={`remaining remaining-${look}`} dateTime={date} title={formatDate(day)}>
      {isDone ? formatDate(day) : dueWords(day, today)}
    </time>
  );
}
