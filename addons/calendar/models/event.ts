import {
  type CallsOf,
  currentUser,
  defineModel,
  type Env,
  editable,
  type FieldsOf,
  fields,
  isTimeZone,
  usualCalendar,
  type WorkCalendar,
  type WriteValues,
  workingTime,
} from '@kontor/addon';
import { followMeetings } from '../activities/follow-meeting.ts';
import { answerWith } from '../people/answer.ts';
import { findTime } from '../people/find-time.ts';
import { inviteAsks, inviteGuests, proposeGuests } from '../people/invite-guests.ts';
import { isMirrored, keepBusy } from '../people/keep-busy.ts';
import { keepPeople } from '../people/keep-people.ts';
import { tellInvited, tellMoved } from '../people/tell-people.ts';
import { changeOthers, isFromSeries, scopes } from '../series/change-series.ts';
import { leaveOut, proposeRhythm, removeAsks, removeFromSeries, repeat, repeatAsks } from '../series/repeat.ts';
import { beginOf, normaliseTimes, timeFields } from '../series/times.ts';

const hourMs = 3_600_000;

/** Whole days are the same days everywhere: they count the working hours that the organiser has on them. */
function hoursOfDays(start: string, stop: string, calendar: WorkCalendar): number {
  const [from, to] = [Date.parse(start), Date.parse(stop)];
  return workingTime({ ...calendar, tz: 'UTC' }, from, Math.max(to, from + 24 * hourMs)) / hourMs;
}

const eventFields = {
  name: fields.char({ label: 'Meeting', required: true, size: 200, tracking: true }),
  start: fields.datetime({ label: 'Begins', required: true, index: true, tracking: true, ...editable }),
  stop: fields.datetime({ label: 'Ends', required: true, index: true, ends: 'start', ...editable }),
  all_day: fields.boolean({ label: 'All day' }),
  hours: fields.float({ label: 'Hours', computed: true, stored: true }),
  tz: fields.char({
    label: 'Time zone',
    required: true,
    size: 64,
    help: 'A series keeps its local time in this time zone.',
    from: 'organiser_id.tz',
  }),
  place: fields.char({ size: 300, tracking: true }),
  video_url: fields.char({ label: 'Video link', size: 1000, format: 'url' }),
  description: fields.html(),
  organiser_id: fields.many2one('core.user', {
    label: 'Organiser',
    required: true,
    default: currentUser,
    index: true,
    tracking: true,
  }),
  user_ids: fields.many2many('core.user', {
    label: 'Colleagues',
    copy: true,
    through: { table: 'calendar_event_user_rel', own: 'event_id', other: 'user_id' },
    ...editable,
  }),
  partner_ids: fields.many2many('core.partner', {
    label: 'Guests',
    copy: true,
    through: { table: 'calendar_event_partner_rel', own: 'event_id', other: 'partner_id' },
  }),
  person_ids: fields.one2many('calendar.person', 'event_id', { label: 'Answers', copy: false }),
  declined_ids: fields.many2many('core.user', {
    label: 'Declined by',
    readonly: true,
    copy: false,
    through: { table: 'calendar_event_declined_rel', own: 'event_id', other: 'user_id' },
  }),
  privacy: fields.selection(
    { everyone: 'Everyone', people: 'Attendees only' },
    {
      label: 'Seen by',
      required: true,
      default: 'everyone',
      help: 'Others only see that the attendees are busy.',
    },
  ),
  tag_ids: fields.many2many('calendar.tag', { label: 'Kind', copy: true }),
  reminder_ids: fields.many2many('calendar.reminder', { label: 'Reminders', copy: true }),
  remind_at: fields.datetime({
    label: 'Next reminder',
    computed: true,
    stored: true,
    required: false,
    index: true,
    copy: false,
  }),
  reminded_until: fields.datetime({ label: 'Reminded until', readonly: true, copy: false }),

  series_id: fields.many2one('calendar.series', {
    label: 'Series',
    readonly: true,
    copy: false,
    index: true,
    ondelete: 'set null',
  }),
  occurs_on: fields.date({ label: 'Day in the series', readonly: true, copy: false }),
  is_changed: fields.boolean({ label: 'Differs from its series', readonly: true, copy: false }),
  apply_to: fields.selection(scopes, { label: 'Apply changes to', copy: false, ...editable }),
  frequency: fields.related('series_id.frequency'),
  interval: fields.related('series_id.interval'),
  weekdays: fields.related('series_id.weekdays'),
  ending: fields.related('series_id.ending', { label: 'Series ends' }),
  until: fields.related('series_id.until'),
  count: fields.related('series_id.count'),

  shadow_of_id: fields.many2one('calendar.event', {
    label: 'Stands for',
    readonly: true,
    copy: false,
    index: true,
    ondelete: 'cascade',
  }),
  invitation_uid: fields.char({
    ...{ label: 'Invitation', size: 500, readonly: true, copy: false, index: true },
    help: 'The name of the meeting in the calendar of an organiser outside, who invited by e-mail.',
  }),
  invited_by: fields.char({ label: 'Invited by', size: 320, readonly: true, copy: false, personal: true }),
  activity_ids: fields.one2many('mail.activity', 'event_id', { label: 'Activities', copy: false }),
};

export interface CalendarEvent extends FieldsOf<typeof eventFields> {}
export interface CalendarEventCalls extends CallsOf<typeof calendarEvent> {}
declare module '@kontor/addon' {
  interface Models {
    'calendar.event': CalendarEvent;
  }
  interface Calls {
    'calendar.event': CalendarEventCalls;
  }
}

/** Fields that the server maintains: not a change by a user. */
const ownKeeping: ReadonlySet<string> = new Set([
  'reminded_until',
  'occurs_on',
  'is_changed',
  'apply_to',
  'person_ids',
  'declined_ids',
]);

export const calendarEvent = defineModel('calendar.event', {
  label: 'Meeting',
  noCompany: 'A meeting belongs to its people: those who share a company with its organiser see it.',
  ownRules: 'A private meeting is for its people alone; a record beside it tells the others that they are busy.',
  order: 'start, id',
  chatter: true,
  timeline: {
    meetings: {
      ...{ label: 'Meetings', icon: 'calendar', date: 'start', allDay: 'all_day', of: 'partner_ids' },
      where: [['shadow_of_id', '=', null]],
      shows: ['place', 'organiser_id'],
    },
  },
  due: {
    label: 'Meetings',
    icon: 'calendar',
    date: 'start',
    until: 'stop',
    allDay: 'all_day',
    by: 'user_ids',
    open: [['shadow_of_id', '=', null]],
    about: ['place'],
    daysLate: 0,
    unless: [
      { lines: 'person_ids', by: 'user_id', where: [['answer', '=', 'no']] },
      // Its activity represents it.
      { lines: 'activity_ids', by: 'user_id', where: [['done', '=', false]] },
    ],
  },
  fields: eventFields,
  uniques: { once_a_day: { fields: ['series_id', 'occurs_on'], message: 'The series has a meeting on this day.' } },
  computes: {
    start: { depends: [], value: (_, { now, isNew }) => (isNew ? nextHour(now) : undefined) },
    stop: {
      depends: ['start'],
      value: ({ start }, { isNew }) =>
        isNew && start !== null ? new Date(Date.parse(start) + hourMs).toISOString() : undefined,
    },
    user_ids: {
      depends: ['organiser_id'],
      value: ({ organiser_id: organiser }, { isNew }) => (isNew && organiser ? [organiser] : undefined),
    },
    apply_to: { depends: ['series_id'], value: ({ series_id: series }) => (series ? 'this' : null) },
    hours: {
      asServer: 'How long a meeting lasts is the same for everybody who sees it.',
      depends: ['start', 'stop', 'all_day', 'organiser_id.work_calendar'],
      value: ({ start, stop, all_day: isWhole, organiser_id: organiser }) => {
        if (start === null || stop === null) return 0;
        if (!isWhole) return (Date.parse(stop) - Date.parse(start)) / hourMs;
        return hoursOfDays(start, stop, (organiser?.work_calendar ?? usualCalendar('UTC')) as WorkCalendar);
      },
    },
    remind_at: {
      asServer: 'When the next reminder is due is for the job alone; everybody may read reminders.',
      depends: ['start', 'all_day', 'tz', 'reminder_ids.minutes', 'reminded_until'],
      value: ({ start, all_day, tz, reminder_ids: reminders, reminded_until: until }) => {
        const sent = until === null ? 0 : Date.parse(until);
        const begins = beginOf({ start: start ?? '', all_day, tz: tz ?? 'UTC' });
        const times = reminders.map(({ minutes }) => begins - minutes * 60_000);
        const next = times.filter((at) => at > sent).sort((a, b) => a - b)[0];
        return next === undefined ? null : new Date(next).toISOString();
      },
    },
  },
  normalise: { times: { on: timeFields, value: normaliseTimes } },
  constraints: {
    ends_after_it_begins: {
      on: ['start', 'stop'],
      holds: ({ start, stop }) => start <= stop,
      message: 'A meeting cannot end before it begins.',
      field: 'stop',
    },
    known_time_zone: {
      on: ['tz'],
      holds: (event) => isTimeZone(event.tz),
      message: 'This is not a time zone. Use a name such as Europe/Berlin.',
    },
  },
  hooks: {
    async afterCreate({ env, ids, values }) {
      const added = await keepPeople(env, ids);
      await keepBusy(env, ids);
      const news = ids.filter((_, index) => !isFromSeries(values[index] ?? {}));
      await tellInvited(
        env,
        added.filter(({ eventId }) => news.includes(eventId)),
      );
    },
    async beforeWrite({ env, ids, values }) {
      const { apply_to: scope, ...own } = values;
      if (isFromSeries(values)) return own;
      // Null values of required fields are rejected on write.
      const given = own as WriteValues<'calendar.event'>;
      if (scope === 'following' || scope === 'all') return changeOthers(env, ids, given, scope);
      return (await isOfSeries(env, ids, own)) ? { ...own, is_changed: true } : own;
    },
    async afterWrite({ env, ids, values }) {
      const added = 'user_ids' in values || 'partner_ids' in values ? await keepPeople(env, ids) : [];
      if (isMirrored(values)) await keepBusy(env, ids);
      if ('start' in values) await followMeetings(env, ids);
      if (isFromSeries(values)) return;
      await tellInvited(env, added);
      if ('start' in values) await tellMoved(env, ids);
    },
    async beforeUnlink({ env, ids }) {
      await leaveOut(env, ids);
    },
  },
  actions: {
    accept: answerWith('yes', 'Yes', 'check'),
    maybe: answerWith('maybe', 'Maybe', 'circle-help'),
    decline: answerWith('no', 'No', 'x'),
    invite_guests: {
      label: 'Invite guests',
      icon: 'mail',
      single: 'Choose one meeting.',
      asks: inviteAsks,
      proposes: proposeGuests,
      run: inviteGuests,
    },
    find_time: {
      label: 'Find a time',
      icon: 'calendar',
      single: 'Choose one meeting.',
      run: findTime,
    },
    repeat: {
      label: 'Repeat',
      icon: 'repeat',
      single: 'Choose one meeting.',
      asks: repeatAsks,
      proposes: proposeRhythm,
      run: repeat,
    },
    remove: {
      label: 'Delete from series',
      icon: 'trash-2',
      single: 'Choose one meeting.',
      asks: removeAsks,
      run: removeFromSeries,
    },
  },
});

function nextHour(now: string): string {
  return new Date(Math.ceil(Date.parse(now) / hourMs) * hourMs).toISOString();
}

/** Whether a user changes one meeting of a series, which then differs from the others. */
async function isOfSeries(env: Env, ids: readonly number[], values: object): Promise<boolean> {
  if (Object.keys(values).every((name) => ownKeeping.has(name))) return false;
  // As the server: only whether there is one.
  const found = await env
    .sudo()
    .model('calendar.event')
    .count([
      ['id', 'in', ids],
      ['series_id', '!=', null],
    ]);
  return found > 0;
}
