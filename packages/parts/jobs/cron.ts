import { sql } from '@kontor/database';
import { type CallsOf, defineModel, editable, type FieldsOf, fields } from '@kontor/orm/author';
import { isTimeZone } from '@kontor/protocol';
import { expressionProblem, nextCall } from './schedule.ts';

const cronFields = {
  name: fields.char({ required: true, size: 200, translated: true }),
  handler: fields.char({ required: true, size: 200, help: 'A job of an installed module: module.job.' }),
  interval_number: fields.integer({ default: 1, min: 1, max: 10_000, required: true }),
  interval_unit: fields.selection(
    { minutes: 'Minutes', hours: 'Hours', days: 'Days', weeks: 'Weeks', months: 'Months' },
    { default: 'days', required: true },
  ),
  expression: fields.char({
    label: 'Cron expression',
    size: 120,
    help: 'Such as 30 2 * * 1-5; used instead of the interval when given.',
  }),
  schedule: fields.char({ computed: true, size: 200 }),
  timezone: fields.char({ label: 'Time zone', size: 64, default: 'UTC', required: true }),
  priority: fields.integer({ default: 10, required: true, help: 'The smallest goes first.' }),
  active: fields.boolean({ default: true }),
  next_call: fields.datetime({
    ...editable,
    ...{ required: true, index: true, label: 'Next run', copy: false },
  }),
  last_call: fields.datetime({ readonly: true, label: 'Last run', copy: false }),
  last_error: fields.text({ readonly: true, copy: false }),
  failures: fields.integer({ readonly: true, default: 0, required: true, copy: false, label: 'Failures in a row' }),
  starts_at: fields.datetime({ readonly: true, copy: false, help: 'Start of the first interval.' }),
  run_at: fields.datetime({
    label: 'Runs once at',
    readonly: true,
    copy: false,
    help: 'Overrides the schedule: a manual run or a retry.',
  }),
  locked_by: fields.char({ readonly: true, size: 64, copy: false, label: 'Running in' }),
  locked_until: fields.datetime({ readonly: true, copy: false }),
  run_ids: fields.one2many('sys.cron.run', 'cron_id', { label: 'Runs' }),
};
interface SysCron extends FieldsOf<typeof cronFields> {}

const runFields = {
  cron_id: fields.many2one('sys.cron', { required: true, ondelete: 'cascade', label: 'Job' }),
  state: fields.selection({ running: 'Running', done: 'Done', failed: 'Failed', lost: 'Aborted' }, { required: true }),
  started_at: fields.datetime({ required: true, label: 'Started' }),
  ended_at: fields.datetime({ label: 'Ended' }),
  error: fields.text({}),
  process: fields.char({ size: 64 }),
};
interface SysCronRun extends FieldsOf<typeof runFields> {}

export interface SysCronCalls extends CallsOf<typeof sysCron> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.cron': SysCron;
    'sys.cron.run': SysCronRun;
  }
  interface Calls {
    'sys.cron': SysCronCalls;
  }
}

const handlerPattern = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

export const sysCron = defineModel('sys.cron', {
  label: 'Scheduled job',
  noCompany: 'Jobs are those of the whole server.',
  closedToAgents: true,
  order: 'priority, id',
  fields: cronFields,
  computes: {
    schedule: {
      depends: ['expression', 'interval_number', 'interval_unit'],
      value: (cron) => cron.expression || `${cron.interval_number} ${cron.interval_unit}`,
    },
    next_call: { depends: ['expression', 'timezone'], value: nextCallOf },
  },
  constraints: {
    names_a_job: {
      on: ['handler'],
      holds: (cron) => handlerPattern.test(cron.handler),
      message: 'Name a job of a module, such as base.clean_sessions.',
    },
    known_expression: {
      on: ['expression'],
      holds: (cron) => !cron.expression || expressionProblem(cron.expression) === null,
      message: 'This cron expression never matches. Example: 30 2 * * 1-5.',
    },
    known_time_zone: {
      on: ['timezone'],
      holds: (cron) => isTimeZone(cron.timezone),
      message: 'This is not a time zone. Use a name such as Europe/Berlin.',
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await env.db.execute(sql`update sys_cron set starts_at = next_call where id = any(${[...ids]}::int4[])`);
    },
    async afterWrite({ env, ids, values }) {
      if ('next_call' in values) {
        await env.db.execute(sql`update sys_cron set starts_at = next_call where id = any(${[...ids]}::int4[])`);
      }
      // Reactivating a paused job resets its failures.
      if (values.active === true) {
        await env.db.execute(sql`update sys_cron set failures = 0, run_at = null where id = any(${[...ids]}::int4[])`);
      }
    },
  },
  actions: {
    /** Runs the job within a second, even if it is paused; its schedule does not change. */
    run_now: {
      groups: ['base.group_system'],
      run: async ({ env, records }) => {
        const { now: asked } = env;
        await env.sudo().model('sys.cron').write(records.ids, { run_at: asked.toISOString() });
      },
    },
  },
});

export const sysCronRun = defineModel('sys.cron.run', {
  label: 'Run of a job',
  noCompany: 'Jobs are those of the whole server.',
  order: '-id',
  displayName: '{cron_id.name}, {started_at}',
  quiet: true,
  fields: runFields,
  indexes: ['state, started_at'],
});

/** A job with an expression waits for its time; a new one with an interval starts at once. */
function nextCallOf(
  { expression, timezone }: { readonly expression: string | null; readonly timezone: string | null },
  { now, isNew }: { readonly now: string; readonly isNew: boolean },
): string | undefined {
  return expressionCall(expression, timezone ?? 'UTC', new Date(now)) ?? (isNew ? now : undefined);
}

/** An invalid expression is rejected at the end of the operation, with a message at its field. */
function expressionCall(expression: string | null, timezone: string, now: Date): string | undefined {
  if (!expression) return undefined;
  try {
    return nextCall(
      { expression, timezone, intervalNumber: 1, intervalUnit: 'days', startsAt: now },
      now,
    )?.toISOString();
  } catch {
    return undefined;
  }
}
