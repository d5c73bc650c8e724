import { defineField, type FieldEditProps, type FieldReadProps, locale } from '@kontor/client';
import './calendar.css';

const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Weekdays as `MO,WE`, in the user's language. */
export const weekdaysField = defineField({
  name: 'weekdays',
  Read: WeekdaysRead,
  Edit: WeekdaysEdit,
  toText: ({ value }) => words(value),
});

function WeekdaysRead({ value }: FieldReadProps) {
  return <span>{words(value)}</span>;
}

function WeekdaysEdit({ value, label, id, onChange }: FieldEditProps) {
  const chosen = daysIn(value);
  const toggle = (day: string) => {
    const next = days.filter((one) => (one === day) !== chosen.includes(one));
    onChange(next.length === 0 ? null : next.join(','));
  };
  return (
    <fieldset className="line wrap gap-1" id={id} aria-label={label}>
      {days.map((day) => (
        <button
          key={day}
          type="button"
          className={`target pad-x-2 framed round-m surface ink lights calendar-weekday ${chosen.includes(day) ? 'strong' : ''}`}
          aria-pressed={chosen.includes(day)}
          title={dayName(day, 'long')}
          onClick={() => toggle(day)}
        >
          {dayName(day, 'short')}
        </button>
      ))}
    </fieldset>
  );
}

function daysIn(value: unknown): readonly string[] {
  const said = String(value ?? '').split(',');
  return days.filter((day) => said.includes(day));
}

function words(value: unknown): string {
  return daysIn(value)
    .map((day) => dayName(day, 'long'))
    .join(', ');
}

/** 5 January 2026 was a Monday. */
function dayName(day: string, weekday: 'long' | 'short'): string {
  const at = new Date(Date.UTC(2026, 0, 5 + days.indexOf(day)));
  return new Intl.DateTimeFormat(locale(), { weekday, timeZone: 'UTC' }).format(at);
}
