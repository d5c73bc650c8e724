import '@addons/project';
import { type CallsOf, type FieldsOf, fields, inheritModel, open } from '@kontor/addon';

const taskFields = {
  event_ids: fields.one2many('calendar.event', 'task_id', { label: 'Meetings', copy: false }),
  event_count: fields.integer({ label: 'Meetings', computed: true }),
};
declare module '@addons/project' {
  interface ProjectTask extends FieldsOf<typeof taskFields> {}
  interface ProjectTaskCalls extends CallsOf<typeof taskMeetings> {}
}

export const taskMeetings = inheritModel('project.task', {
  fields: taskFields,
  computes: { event_count: { count: 'event_ids' } },
  actions: {
    /** Opens the meetings about a task; a new one is about it, with its assignees. */
    open_meetings: {
      needs: 'read',
      single: 'Choose one task.',
      run: async ({ records, env }) => {
        const { id, name, assignee_ids: assignees } = await records.only('name', 'assignee_ids.id');
        const people = [...new Set([env.uid, ...assignees.map((user) => user.id)])];
        return open('calendar.event', {
          ...{ action: 'calendar.meetings', view: 'list', domain: [['task_id', '=', id]] },
          context: { default_task_id: id, default_name: name, default_user_ids: [['set', people]] },
        });
      },
    },
  },
});
