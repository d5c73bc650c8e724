import { defineModel, type FieldsOf, fields } from '@kontor/addon';
import { type Rhythm, ruleOf, weekdays } from '../series/rule.ts';

export const frequencies = {
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
  yearly: 'Every year',
} as const;
export const monthlyBy = { day: 'On the same day', weekday: 'On the same weekday' } as const;
export const endings = { never: 'Never', until: 'On a day', count: 'After a number of occurrences' } as const;

const seriesFields = {
  frequency: fields.selection(frequencies, { label: 'Repeats', required: true, default: 'weekly' }),
  interval: fields.integer({ label: 'Every', required: true, default: 1, min: 1, max: 99 }),
  weekdays: fields.char({ label: 'On', size: 20 }),
  monthly_by: fields.selection(monthlyBy, { label: 'In the month', required: true, default: 'day' }),
  ending: fields.selection(endings, { label: 'Ends', required: true, default: 'never' }),
  until: fields.date({ label: 'Last day' }),
  count: fields.integer({ label: 'Times', min: 1, max: 730 }),
  first_on: fields.date({ label: 'First day', required: true }),
  tz: fields.char({ label: 'Time zone', required: true, size: 64 }),
  rrule: fields.char({ label: 'Rule', computed: true, stored: true, size: 200 }),
  made_until: fields.date({ label: 'Created until', readonly: true }),
  left_out: fields.json({ label: 'Days left out', readonly: true }),
  event_ids: fields.one2many('calendar.event', 'series_id', { label: 'Meetings' }),
};
export interface CalendarSeries extends FieldsOf<typeof seriesFields> {}
declare module '@kontor/addon' {
  interface Models {
    'calendar.series': CalendarSeries;
  }
}

/**
 * The recurrence of meetings. It is created and changed only through its meetings, and contains nothing about their
 * content.
 */
export const calendarSeries = defineModel('calendar.series', {
  label: 'Series of meetings',
  noCompany: 'It says how meetings come again and nothing of what they are about.',
  order: 'id',
  displayName: '{rrule}',
  fields: seriesFields,
  computes: {
    rrule: {
      depends: ['frequency', 'interval', 'weekdays', 'monthly_by', 'ending', 'until', 'count', 'first_on'],
      value: (series) => (series.first_on ? ruleOf(series as Rhythm) : ''),
    },
  },
  constraints: {
    says_its_end: {
      on: ['ending', 'until', 'count'],
      holds: ({ ending, until, count }) => ending === 'never' || (ending === 'until' ? until !== null : count !== null),
      message: 'Choose when the series ends.',
      field: 'ending',
    },
    known_weekdays: {
      on: ['weekdays'],
      holds: (series) => (series.weekdays ?? '').split(',').every((day) => day === '' || isWeekday(day)),
      message: 'Use MO, TU, WE, TH, FR, SA and SU, separated by commas.',
    },
  },
});

function isWeekday(text: string): boolean {
  return (weekdays as readonly string[]).includes(text);
}
