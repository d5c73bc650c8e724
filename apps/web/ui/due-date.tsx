import { dateIn, daysBetween } from '@kontor/protocol';
import { dueWords, formatDate, timeZone } from '../i18n/dates.ts';
import './due-date.css';

interface DueDateProps {
  /** A day, or an instant whose day in the person's time zone is meant. */
  readonly date: string;
  /** It no longer matters how far away it is. */
  readonly isDone?: boolean;
}

export function dueDay(date: string): string {
  return date.length > 10 ? dateIn(timeZone(), new Date(date)) : date;
}

/** Until when something is due, the same on every screen; the tip has the date. */
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
