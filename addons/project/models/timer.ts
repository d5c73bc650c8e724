import { type ActionCall, Decimal, defineModel, type FieldsOf, fields } from '@kontor/addon';

const timerFields = {
  user_id: fields.many2one('core.user', { label: 'Person', required: true, ondelete: 'cascade' }),
  task_id: fields.many2one('project.task', { label: 'Task', required: true, ondelete: 'cascade', index: true }),
  started_at: fields.datetime({ label: 'Started', required: true }),
};

export interface ProjectTimer extends FieldsOf<typeof timerFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.timer': ProjectTimer;
  }
}

/** A user's running timer on a task; when it stops it becomes a time entry. */
export const projectTimer = defineModel('project.timer', {
  label: 'Running timer',
  noCompany: 'A clock belongs to one person.',
  ownRules: 'A clock is its person’s: whoever sees a task starts and stops their own.',
  displayName: '{task_id.name}',
  fields: timerFields,
  uniques: { one_each: { fields: ['user_id'], message: 'A person can have only one running timer.' } },
});

type TaskCall = ActionCall<'project.task'>;

/** A user works on one task at a time: a timer on another task is stopped first. */
export async function startTimer({ env, records }: TaskCall): Promise<void> {
  const { id } = await records.only();
  await bookTimer(env);
  await env.model('project.timer').create({ user_id: env.uid, task_id: id, started_at: env.now.toISOString() });
}

export async function stopTimer({ env }: TaskCall): Promise<void> {
  await bookTimer(env);
}

const hour = 3_600_000;
/** The fields of a time entry. */
const most = new Decimal(24);
const least = new Decimal('0.01');

async function bookTimer(env: TaskCall['env']): Promise<void> {
  const [timer] = await env
    .model('project.timer')
    .searchRead([['user_id', '=', env.uid]], ['task_id', 'started_at'], { limit: 1 });
  if (!timer) return;
  const passed = env.now.getTime() - new Date(String(timer.started_at)).getTime();
  const hours = new Decimal(passed).div(hour).round(2);
  const counted = hours.gt(most) ? most : hours.gt(least) ? hours : least;
  await env.model('project.timer').unlink([timer.id]);
  await env.model('project.time').create({ task_id: timer.task_id, hours: counted });
}
