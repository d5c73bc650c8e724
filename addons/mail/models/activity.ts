import {
  type CallsOf,
  currentUser,
  defineModel,
  editable,
  type FieldsOf,
  fields,
  openPath,
  recordPath,
} from '@kontor/addon';
import { checkActivities } from '../activities/check-activities.ts';
import { finishActivities } from '../activities/finish-activities.ts';
import { tellActivities } from '../activities/tell-activities.ts';
import { tellAssignees } from '../activities/tell-assignees.ts';

const activityFields = {
  name: fields.char({ label: 'Summary', size: 200, required: true, ...editable }),
  type_id: fields.many2one('mail.activity.type', { label: 'Type', required: true, ondelete: 'restrict' }),
  note: fields.html(),
  due_date: fields.date({ label: 'Due', required: true, index: true, ...editable }),
  user_id: fields.many2one('core.user', {
    label: 'Assigned to',
    required: true,
    default: currentUser,
    ondelete: 'cascade',
    index: true,
  }),
  model: fields.char({ required: true, size: 128 }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  record_name: fields.char({ label: 'About', size: 500, readonly: true, copy: false }),
  done: fields.boolean({ readonly: true, copy: false }),
  done_at: fields.datetime({ label: 'Done', readonly: true, copy: false }),
  feedback: fields.text({ readonly: true, copy: false }),
};
export interface MailActivity extends FieldsOf<typeof activityFields> {}
export interface MailActivityCalls extends CallsOf<typeof mailActivity> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.activity': MailActivity;
  }
  interface Calls {
    'mail.activity': MailActivityCalls;
  }
}

export const mailActivity = defineModel('mail.activity', {
  label: 'Activity',
  order: 'due_date, id',
  about: { model: 'model', id: 'res_id' },
  ownRules: 'People see what they have to do and what they gave others to do, whoever has the record by now.',
  fields: activityFields,
  indexes: ['model, res_id'],
  computes: {
    name: { depends: ['type_id.name'], value: ({ type_id: type }) => type?.name ?? undefined },
    due_date: {
      depends: ['type_id.days'],
      value: ({ type_id: type }, { today }) => daysAfter(today, type?.days ?? 0),
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await checkActivities(env, ids);
      await tellAssignees(env, ids);
      await tellActivities(env, ids);
    },
    async beforeWrite({ env, ids, values }) {
      // The one whom it is taken from has one less to do.
      if ('user_id' in values) await tellActivities(env, ids);
      return values;
    },
    async afterWrite({ env, ids, values }) {
      // The name of its record is kept along, which is no news.
      if (Object.keys(values).join() === 'record_name') return;
      if ('model' in values || 'res_id' in values) await checkActivities(env, ids);
      if ('user_id' in values) await tellAssignees(env, ids);
      await tellActivities(env, ids);
    },
    async beforeUnlink({ env, ids }) {
      await tellActivities(env, ids);
    },
  },
  actions: {
    /** Leads to the record that it is about. */
    open: {
      needs: 'read',
      run: async ({ records }) => {
        const [activity] = await records.load('model', 'res_id');
        return activity ? openPath(recordPath(activity.model, activity.res_id)) : undefined;
      },
    },
    /** Done: says so in the chatter of the record, with what came of it. */
    done: {
      label: 'Done',
      icon: 'check',
      asks: { feedback: fields.text({ label: 'What came of it' }) },
      run: async ({ env, records, answers }) => finishActivities(env, records.ids, answers.feedback ?? ''),
    },
  },
});

function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
