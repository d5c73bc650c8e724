import { currentCompany, currentUser, defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { daysBetween, joinDays, usualWeek, type WorkCalendar, type WorkSpan, weekendIn } from '@kontor/protocol';

export const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type Weekday = (typeof workdays)[number];

const hoursOfDay = (label: string) =>
  fields.char({
    label,
    size: 100,
    computed: true,
    stored: true,
    editable: true,
    required: false,
    clean: (given) => {
      const spans = parseSpans(given);
      return spans ? spansText(spans) : given.trim();
    },
  });

const scheduleFields = {
  name: fields.char({ required: true, size: 100 }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  monday: hoursOfDay('Monday'),
  tuesday: hoursOfDay('Tuesday'),
  wednesday: hoursOfDay('Wednesday'),
  thursday: hoursOfDay('Thursday'),
  friday: hoursOfDay('Friday'),
  saturday: hoursOfDay('Saturday'),
  sunday: hoursOfDay('Sunday'),
};

/** The days of a holiday or a leave. */
const dayFields = {
  date_from: fields.date({ label: 'First day', required: true }),
  date_to: fields.date({ label: 'Last day', required: true, computed: true, stored: true, editable: true }),
};

const holidayFields = {
  name: fields.char({ label: 'Holiday', required: true, size: 200 }),
  company_id: fields.many2one('core.company', {
    label: 'Company',
    required: true,
    default: currentCompany,
    index: true,
    ondelete: 'cascade',
  }),
  ...dayFields,
};

const leaveFields = {
  name: fields.char({ label: 'Leave', required: true, default: 'Leave', size: 200, personal: true }),
  user_id: fields.many2one('core.user', {
    label: 'Person',
    required: true,
    default: currentUser,
    index: true,
    ondelete: 'cascade',
  }),
  ...dayFields,
};

export interface CoreSchedule extends FieldsOf<typeof scheduleFields> {}
export interface CoreHoliday extends FieldsOf<typeof holidayFields> {}
export interface CoreLeave extends FieldsOf<typeof leaveFields> {}
declare module '@kontor/orm' {
  interface Models {
    'core.schedule': CoreSchedule;
    'core.holiday': CoreHoliday;
    'core.leave': CoreLeave;
  }
}

export const coreSchedule = defineModel('core.schedule', {
  label: 'Working hours',
  cached: true,
  order: 'name, id',
  fields: scheduleFields,
  computes: {
    monday: usualHours(0),
    tuesday: usualHours(1),
    wednesday: usualHours(2),
    thursday: usualHours(3),
    friday: usualHours(4),
    saturday: usualHours(5),
    sunday: usualHours(6),
  },
  constraints: {
    readable_hours: {
      on: [...workdays],
      holds: (schedule) => workdays.every((day) => parseSpans(schedule[day] ?? '') !== null),
      message: 'Write the hours of a day like this: 08:00-12:00, 13:00-17:00.',
    },
  },
});

/** As usual in the country of the company. */
function usualHours(index: number) {
  return {
    // The compiler does not know the fields of a country here.
    depends: ['company_id.country_id.code' as 'company_id.lang', 'company_id.lang'] as const,
    value: (schedule: object, { isNew }: { readonly isNew: boolean }) => {
      if (!isNew) return undefined;
      const { company_id: company } = schedule as { readonly company_id: Place | null };
      return spansText(usualWeek(weekendOf(company))[index] ?? []) || null;
    },
  };
}

const mostDays = 366;

const dayRules = {
  order: '-date_from, id',
  computes: {
    date_to: {
      depends: ['date_from'] as const,
      value: ({ date_from: first }: { readonly date_from: string | null }, { isNew }: { readonly isNew: boolean }) =>
        isNew && first !== null ? first : undefined,
    },
  },
} as const;

interface Days {
  readonly date_from: string;
  readonly date_to: string;
}

const isInOrder = ({ date_from: first, date_to: last }: Days) => first <= last && daysBetween(first, last) < mostDays;
const endsInTime = {
  on: ['date_from', 'date_to'] as const,
  holds: isInOrder,
  message: 'The last day is the first one or later, at most a year.',
  field: 'date_to' as const,
};

/** Days on which nobody of a company works. */
export const coreHoliday = defineModel('core.holiday', {
  label: 'Holiday',
  cached: true,
  ...dayRules,
  fields: holidayFields,
  constraints: { ends_in_time: endsInTime },
});

/** Days on which one person does not work. */
export const coreLeave = defineModel('core.leave', {
  label: 'Leave',
  noCompany: 'Leave belongs to one person.',
  ...dayRules,
  fields: leaveFields,
  constraints: { ends_in_time: endsInTime },
});

/** The spans of `08:00-12:00, 13:00-17:00`, in order; null if it is anything else. */
export function parseSpans(text: string): readonly WorkSpan[] | null {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length === 1 && parts[0] === '') return [];
  const spans: WorkSpan[] = [];
  for (const part of parts) {
    const match = /^(\d{1,2})(?:[:.](\d{2}))? ?[-–] ?(\d{1,2})(?:[:.](\d{2}))?$/.exec(part);
    if (!match) return null;
    const [from, to] = [minutes(match[1], match[2]), minutes(match[3], match[4])];
    if (!(from < to) || to > 24 * 60) return null;
    spans.push([from, to]);
  }
  spans.sort(([a], [b]) => a - b);
  return spans.every(([from], index) => index === 0 || (spans[index - 1]?.[1] ?? 0) <= from) ? spans : null;
}

function minutes(hour = '', minute = '0'): number {
  return Number(minute) > 59 ? Number.NaN : Number(hour) * 60 + Number(minute);
}

function spansText(spans: readonly WorkSpan[]): string {
  const clock = (at: number) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  return spans.map(([from, to]) => `${clock(from)}-${clock(to)}`).join(', ');
}

interface Place {
  readonly country_id: { readonly code: string } | null;
  readonly lang: string | null;
}

/** The weekend of a company's country, else that of its language. */
export function weekendOf(company: Place | null): readonly number[] {
  const { country_id: country, lang } = company ?? { country_id: null, lang: null };
  return weekendIn(country ? `und-${country.code}` : (lang ?? '').replace('_', '-'));
}

export function weekOf(schedule: Readonly<Record<Weekday, string | null>>): WorkCalendar['week'] {
  return workdays.map((day) => parseSpans(schedule[day] ?? '') ?? []);
}

/** The latest are enough for plans: whoever enters thousands of them makes no calendar larger. */
const mostOff = 1_000;

/** Days off, in order and without overlaps. */
export function offDays(
  days: readonly { readonly date_from: string | null; readonly date_to: string | null }[],
  others: WorkCalendar['off'] = [],
): WorkCalendar['off'] {
  const own = days.flatMap(({ date_from: first, date_to: last }) =>
    first === null || last === null ? [] : [[first, last] as const],
  );
  return joinDays([...others, ...own]).slice(-mostOff);
}
