import {
  addDays,
  type CallsOf,
  currentUser,
  defineModel,
  type Env,
  editable,
  type FieldsOf,
  fields,
  openPath,
  recordPath,
  type Text,
  text,
  UserError,
  wordsIn,
} from '@kontor/addon';
import { notifyAssignees, publishActivityChanges } from '../activities/notify-activities.ts';
import { markdownToHtml } from '../chatter/markdown.ts';
import { addMessage } from '../chatter/post-message.ts';
import { checkMayComment, threadDetails } from '../chatter/thread.ts';

const activityFields = {
  name: fields.char({ personal: true, label: 'Summary', size: 200, required: true, from: 'type_id.name' }),
  type_id: fields.many2one('mail.activity.type', { label: 'Type', required: true, ondelete: 'restrict' }),
  note: fields.html({ personal: true }),
  due_date: fields.date({ label: 'Due', required: true, index: true, ...editable }),
  user_id: fields.many2one('core.user', {
    label: 'Assigned to',
    required: true,
    default: currentUser,
    ondelete: 'cascade',
    index: true,
  }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  record_name: fields.char({ personal: true, label: 'About', size: 500, readonly: true, copy: false }),
  done: fields.boolean({ readonly: true, copy: false }),
  done_at: fields.datetime({ label: 'Done', readonly: true, copy: false }),
  feedback: fields.text({ personal: true, readonly: true, copy: false }),
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
  noCompany: 'An activity has the rules of the record that it is about.',
  order: 'due_date, id',
  about: { model: 'model', id: 'res_id' },
  due: {
    label: 'Activities',
    icon: 'check',
    iconAt: 'type_id.icon',
    date: 'due_date',
    by: 'user_id',
    open: [['done', '=', false]],
    about: ['record_name'],
    done: 'done',
  },
  timeline: {
    calls: doneOf('call', 'Calls', 'phone'),
    emails: doneOf('mail', 'E-mails', 'mail'),
    meetings: doneOf('meeting', 'Meetings', 'calendar'),
    tasks: doneOf('task', 'Tasks', 'list-checks'),
  },
  ownRules: 'People see what they have to do and what they gave others to do, whoever has the record by now.',
  fields: activityFields,
  indexes: ['model, res_id'],
  computes: {
    due_date: {
      depends: ['type_id.days'],
      value: ({ type_id: type }, { today }) => addDays(today, type?.days ?? 0),
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await checkActivities(env, ids);
      await notifyAssignees(env, ids);
      await publishActivityChanges(env, ids);
    },
    async beforeWrite({ env, ids, values }) {
      // The previous assignee has one activity less.
      if ('user_id' in values) await publishActivityChanges(env, ids);
      return values;
    },
    async afterWrite({ env, ids, values }) {
      // The name of its record is stored too, which is not a change.
      if (Object.keys(values).join() === 'record_name') return;
      if ('model' in values || 'res_id' in values) await checkActivities(env, ids);
      if ('user_id' in values) await notifyAssignees(env, ids);
      if (values.done === false) await sayInChatter(env, ids, (type) => text('{type} was reopened:', { type }));
      await publishActivityChanges(env, ids);
    },
    async beforeUnlink({ env, ids }) {
      await publishActivityChanges(env, ids);
    },
  },
  actions: {
    /** Opens its record. */
    open: {
      needs: 'read',
      run: async ({ records }) => {
        const [activity] = await records.load('model', 'res_id');
        return activity ? openPath(recordPath(activity.model, activity.res_id)) : undefined;
      },
    },
    /** Marks it as done, and posts a message with the feedback to the record. */
    done: {
      label: 'Done',
      icon: 'check',
      asks: { feedback: fields.text({ label: 'Outcome' }) },
      run: async ({ env, records, answers }) => finishActivities(env, records.ids, answers.feedback ?? ''),
    },
  },
});

/** What was done; what is still to do is on the home screen and beside its record. */
function doneOf(kind: 'call' | 'mail' | 'meeting' | 'task', label: string, icon: string) {
  return {
    ...{ label, icon, date: 'done_at', about: { model: 'model', id: 'res_id' } },
    where: [
      ['done', '=', true],
      ['type_id.kind', '=', kind],
    ],
    shows: ['user_id', 'record_name', 'feedback'],
  } as const;
}

/**
 * An activity belongs to a record that its creator may comment on, and stores the record's name. As the server: a user
 * who creates it for somebody else may not be allowed to change it afterwards.
 */
async function checkActivities(env: Env, ids: readonly number[]): Promise<void> {
  const activities = env.sudo().model('mail.activity');
  for (const { id, model, res_id: target } of await activities.read(ids, ['model', 'res_id'])) {
    if (!env.isSudo) await checkMayComment(env, { model, id: target });
    const { name } = await threadDetails(env, { model, id: target });
    await activities.write([id], { record_name: name.slice(0, 500) });
  }
}

const maxFeedback = 10_000;

/** Marks activities as done, once, and posts messages about it. */
async function finishActivities(env: Env, ids: readonly number[], feedback: string): Promise<void> {
  if (feedback.length > maxFeedback)
    throw new UserError(text('Feedback has at most {max} characters.', { max: maxFeedback }));
  // As the server: the caller may write these activities, but nobody can set by hand that and when they were done.
  const activities = env.sudo().model('mail.activity');
  const open = await activities.searchRead(
    [
      ['id', 'in', [...ids]],
      ['done', '=', false],
    ],
    ['id'],
  );
  if (open.length < ids.length) throw new UserError('This is done already.');
  await activities.write(ids, { done: true, done_at: env.now.toISOString(), feedback: feedback || null });
  await sayInChatter(env, ids, (type) => text('{type} done:', { type }), feedback);
}

/** As the server, in the language of the user who did it, because everybody reads it. */
async function sayInChatter(
  env: Env,
  ids: readonly number[],
  words: (type: Text | string) => Text,
  more = '',
): Promise<void> {
  const { say } = wordsIn(env, env.actor.lang, 'mail');
  const fieldsToTell = ['name', 'model', 'res_id', 'type_id.name'] as const;
  for (const activity of await env.sudo().model('mail.activity').read(ids, fieldsToTell)) {
    const thread = await threadDetails(env, { model: activity.model, id: activity.res_id });
    const said = say(words(activity['type_id.name'] ?? text('Activity')));
    const markdown = [`**${said}** ${activity.name}`, more].join('\n\n');
    await addMessage(
      env,
      thread,
      'system',
      markdownToHtml(markdown, () => null),
    );
  }
}
