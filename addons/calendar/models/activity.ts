import '@addons/mail';
import { type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { followActivities, makeMeetings } from '../activities/follow-meeting.ts';

const typeFields = {
  makes_meeting: fields.boolean({
    label: 'Creates a meeting',
    help: 'Planning such an activity also creates a meeting.',
  }),
};
const activityFields = {
  event_id: fields.many2one('calendar.event', {
    label: 'Meeting',
    readonly: true,
    copy: false,
    index: true,
    ondelete: 'set null',
  }),
};
declare module '@addons/mail' {
  interface MailActivityType extends FieldsOf<typeof typeFields> {}
  interface MailActivity extends FieldsOf<typeof activityFields> {}
}

export const activityTypeMeeting = inheritModel('mail.activity.type', { fields: typeFields });

export const activityMeeting = inheritModel('mail.activity', {
  fields: activityFields,
  timeline: {
    meetings: {
      ...{ label: 'Meetings', icon: 'calendar', date: 'done_at', about: { model: 'model', id: 'res_id' } },
      // Its meeting represents it.
      where: [
        ['done', '=', true],
        ['type_id.kind', '=', 'meeting'],
        ['event_id', '=', null],
      ],
      shows: ['user_id', 'record_name', 'feedback'],
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await makeMeetings(env, ids);
    },
    on: ['due_date'],
    afterWrite: ({ env, ids }) => followActivities(env, ids),
  },
});
