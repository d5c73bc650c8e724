import { type CallsOf, Decimal, defineModel, now, sum } from '@kontor/addon';
import { takeAlong } from '../tasks/take-along.ts';
import { taskFields } from './task-fields.ts';

const zero = new Decimal(0);
const whole = new Decimal(100);

export interface ProjectTaskCalls extends CallsOf<typeof projectTask> {}
declare module '@kontor/addon' {
  interface Calls {
    'project.task': ProjectTaskCalls;
  }
}

export const projectTask = defineModel('project.task', {
  label: 'Task',
  order: '-priority, sequence, date_deadline, id',
  chatter: true,
  fields: taskFields,
  indexes: ['project_id, state'],
  computes: {
    project_id: {
      depends: ['parent_id.project_id'],
      value: ({ parent_id: parent }) => parent?.project_id ?? undefined,
    },
    child_count: { count: 'child_ids' },
    is_blocked: {
      depends: ['depends_on_ids.state'],
      value: (task) => task.depends_on_ids.some((other) => other.state === 'open'),
    },
    hours_own: { sum: 'time_ids.hours' },
    hours_spent: {
      depends: ['hours_own', 'child_ids.hours_spent'],
      value: (task) => sum(task.child_ids, (child) => child.hours_spent).plus(task.hours_own ?? 0),
    },
    hours_left: {
      depends: ['hours_planned', 'hours_spent', 'state'],
      value: ({ hours_planned: planned, hours_spent: spent, state }) =>
        planned === null || state !== 'open' ? zero : planned.minus(spent),
    },
    progress: {
      depends: ['hours_planned', 'hours_spent', 'state'],
      value: ({ hours_planned: planned, hours_spent: spent, state }) => {
        if (state !== 'open') return state === 'done' ? whole : zero;
        const share = planned?.gt(0) ? spent.times(100).div(planned).round(2) : zero;
        return share.gt(whole) ? whole : share;
      },
    },
  },
  constraints: {
    ends_after_it_begins: {
      on: ['date_start', 'date_end'],
      holds: ({ date_start: from, date_end: to }) => from === null || to === null || from <= to,
      message: 'A task cannot end before it begins.',
      field: 'date_end',
    },
    project_of_its_parent: {
      on: ['parent_id', 'project_id'],
      reads: ['parent_id.project_id', 'project_id.id'],
      holds: ({ parent_id: parent, project_id: project }) => parent === null || parent.project_id.id === project.id,
      message: 'A subtask belongs to the project of its task.',
      field: 'parent_id',
    },
    project_is_open: {
      on: ['project_id', 'state'],
      reads: ['project_id.state'],
      holds: ({ state, project_id: project }) => state !== 'open' || project.state !== 'closed',
      message: 'The project is closed. Reopen it before you work on its tasks.',
    },
  },
  acyclic: {
    // Where that leads back to a task nobody could ever finish.
    waits: {
      over: ['depends_on_ids', 'child_ids'],
      message: 'A task cannot wait for itself, not even through others or its own subtasks.',
    },
  },
  states: {
    field: 'state',
    initial: 'open',
    stages: {
      field: 'stage_id',
      state: (stage) => (stage.is_done ? 'done' : 'open'),
      within: { project_ids: 'project_id' },
      ownFirst: true,
    },
    conditions: {
      waits_for_nothing: {
        reads: ['depends_on_ids.state'],
        holds: (task) => task.depends_on_ids.every((other) => other.state !== 'open'),
        message: 'Finish the tasks that it depends on first.',
      },
      has_no_open_subtasks: {
        reads: ['child_ids.state'],
        holds: (task) => task.child_ids.every((child) => child.state !== 'open'),
        message: 'Finish or cancel its subtasks first.',
      },
    },
  },
  moves: {
    done: {
      from: 'open',
      to: 'done',
      label: 'Done',
      icon: 'check',
      needs: ['waits_for_nothing', 'has_no_open_subtasks'],
      sets: { date_closed: now },
    },
    cancel: { from: 'open', to: 'cancelled', label: 'Cancel task', icon: 'x', sets: { date_closed: now } },
    reopen: {
      from: ['done', 'cancelled'],
      to: 'open',
      label: 'Reopen',
      icon: 'rotate-ccw',
      sets: { date_closed: null },
    },
  },
  hooks: {
    async afterWrite({ env, ids, values }) {
      if ('project_id' in values) await takeAlong(env, ids);
    },
  },
  actions: {
    /** Puts the caller among the assignees. */
    take: {
      label: 'Take',
      icon: 'user',
      run: async ({ env, records }) => {
        await env.model('project.task').write(records.ids, { assignee_ids: [['link', env.uid]] });
      },
    },
  },
});
