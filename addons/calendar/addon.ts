import { defineAddon } from '@kontor/addon';
import { feedRoutes } from './feed/routes.ts';
import { activityMeeting, activityTypeMeeting } from './models/activity.ts';
import { calendarEvent } from './models/event.ts';
import { calendarFeed } from './models/feed.ts';
import { incomingInvitations, messageInvitations } from './models/invitation.ts';
import { partnerMeetings } from './models/partner.ts';
import { calendarPerson } from './models/person.ts';
import { calendarReminder } from './models/reminder.ts';
import { calendarSeries } from './models/series.ts';
import { calendarTag } from './models/tag.ts';
import { busyRoute } from './people/busy-people.ts';
import { meetingInvitation, meetingReminder } from './people/meeting-texts.ts';
import { meetings } from './people/tell-people.ts';
import { sendReminders } from './reminders/send-reminders.ts';
import { extendSeries } from './series/make-occurrences.ts';

export type * from './models/event.ts';

export default defineAddon({
  models: [
    calendarTag,
    calendarReminder,
    calendarSeries,
    calendarEvent,
    calendarPerson,
    calendarFeed,
    activityTypeMeeting,
    activityMeeting,
    partnerMeetings,
    messageInvitations,
    incomingInvitations,
  ],
  notices: [meetings],
  texts: [meetingInvitation, meetingReminder],
  routes: [...feedRoutes, busyRoute],
  jobs: [
    {
      name: 'send_reminders',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(sendReminders)));
      },
    },
    {
      name: 'extend_series',
      runInSteps: async ({ step, signal }) => {
        let after: number | null = 0;
        while (!signal.aborted && after !== null) {
          const last: number = after;
          after = await step((env) => extendSeries(env, last));
        }
      },
    },
  ],
  hooks: {
    afterInstall: async ({ env }) => {
      const type = await env.ref('mail.type_meeting');
      await env.model('mail.activity.type').write([type], { makes_meeting: true });
    },
  },
  widgets: {
    meeting_time: {
      types: ['datetime'],
      doc: 'When a meeting begins or ends: a day where it takes whole days. `options.availability` also shows when its people are busy.',
    },
    weekdays: { types: ['char'], doc: 'Days of the week as `MO,WE`, to tick.' },
  },
  views: { calendar_address: { label: 'Address', icon: 'external-link', doc: 'The address of the own calendar.' } },
});
