import {
  type CallsOf,
  defineModel,
  type FieldsOf,
  fields,
  open,
  queueFields,
  queueIndexes,
  UserError,
  wakeQueue,
} from '@kontor/addon';

const runFields = {
  rule_id: fields.many2one('automation.rule', { required: true, ondelete: 'cascade', label: 'Automation' }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, default: 0, label: 'Record', aggregate: 'none' }),
  ids: fields.json({ label: 'Records' }),
  count: fields.integer({ required: true, default: 1, label: 'Records' }),
  payload: fields.json({ secret: true }),
  key: fields.char({ size: 200, unique: true, help: 'What is reported twice runs once.' }),
  chain: fields.json({ label: 'Set off by', help: 'The automations that led to it, in order.' }),
  done: fields.json({ label: 'What it did' }),
  problem: fields.selection({
    conditions: 'The conditions no longer hold.',
    gone: 'The record was deleted.',
    loop: 'Automations set each other off.',
    off: 'The automation was switched off.',
    rights: 'Its author may not do this.',
    closed: 'Its author may not do this to this record.',
    step: 'A step failed.',
    message: 'The message has no usable values.',
  }),
  step: fields.integer({ label: 'Step', aggregate: 'none' }),
  reason: fields.char({
    ...{ size: 500, label: 'Reason', groups: ['base.group_system'] },
    help: 'It can contain values of records, so only administrators see it.',
  }),
  ms: fields.integer({ label: 'Milliseconds' }),
  ended_at: fields.datetime({ label: 'Ended', index: true }),
  ...queueFields,
  state: fields.selection(
    {
      waiting: 'Waiting',
      done: 'Done',
      skipped: 'Skipped',
      failed: 'Failed',
      stopped: 'Stopped',
    },
    { required: true, default: 'waiting', readonly: true, copy: false },
  ),
};
export interface AutomationRun extends FieldsOf<typeof runFields> {}
export interface AutomationRunCalls extends CallsOf<typeof automationRun> {}

const reachedFields = {
  rule_id: fields.many2one('automation.rule', { required: true, ondelete: 'cascade' }),
  res_id: fields.integer({ required: true }),
  moment: fields.char({ required: true, size: 40 }),
};
export interface AutomationReached extends FieldsOf<typeof reachedFields> {}

const turnFields = {
  rule_id: fields.many2one('automation.rule', { required: true, ondelete: 'cascade' }),
  step: fields.integer({ required: true }),
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  last: fields.integer({ required: true }),
};
export interface AutomationTurn extends FieldsOf<typeof turnFields> {}

const progressFields = {
  rule_id: fields.many2one('automation.rule', { required: true, ondelete: 'cascade', unique: true }),
  failures: fields.integer({ required: true, default: 0, label: 'Failures in a row' }),
  lock: fields.char({ size: 40, help: 'Changes with each count, so that counts wait for each other.' }),
  turns: fields.integer({ required: true, default: 0 }),
};
export interface AutomationProgress extends FieldsOf<typeof progressFields> {}

declare module '@kontor/addon' {
  interface Models {
    'automation.progress': AutomationProgress;
    'automation.run': AutomationRun;
    'automation.reached': AutomationReached;
    'automation.turn': AutomationTurn;
  }
  interface Calls {
    'automation.run': AutomationRunCalls;
  }
}

/** What an automation did for a record, or will do: the log is the queue. It contains no values of records. */
export const automationRun = defineModel('automation.run', {
  label: 'Run of an automation',
  noCompany: 'A run is seen with its automation.',
  order: '-id',
  displayName: '{rule_id.name} {res_id}',
  quiet: true,
  fields: runFields,
  indexes: ['rule_id, -id', 'rule_id, res_id, id', ...queueIndexes],
  actions: {
    /** Opens its record. */
    show_record: {
      label: 'Open the record',
      icon: 'arrow-right',
      single: 'Choose one run.',
      needs: 'read',
      run: async ({ records }) => {
        const { model, res_id } = await records.only('model', 'res_id');
        if (res_id === 0) throw new UserError('This run is about several records.');
        return open(model as 'core.partner', { id: res_id });
      },
    },
    run_again: {
      label: 'Run again',
      icon: 'rotate-ccw',
      needs: 'read',
      async run({ env, records }) {
        const failed = (await records.load('state')).filter(({ state }) => state === 'failed').map(({ id }) => id);
        if (failed.length === 0) throw new UserError('Only failed runs can run again.');
        // As the server: runs cannot be written. The caller may read them, and they do what their automations say.
        const again = { state: 'waiting', attempts: 0, next_try: env.now.toISOString(), ended_at: null } as const;
        await env
          .sudo()
          .model('automation.run')
          .write(failed, { ...again, problem: null, step: null, reason: null });
        wakeQueue(env, 'automation.run');
      },
    },
  },
});

/** The dates of records that an automation has noticed. */
export const automationReached = defineModel('automation.reached', {
  label: 'Reached date',
  noCompany: 'It belongs to an automation.',
  order: 'id',
  displayName: '{res_id}',
  quiet: true,
  fields: reachedFields,
  uniques: { once: { fields: ['rule_id', 'res_id', 'moment'], message: 'This date was noticed already.' } },
});

/** Whose turn was when. */
export const automationTurn = defineModel('automation.turn', {
  label: 'Turn of a person',
  noCompany: 'It belongs to an automation.',
  order: 'id',
  displayName: '{user_id.name}',
  quiet: true,
  fields: turnFields,
  uniques: { one_each: { fields: ['rule_id', 'step', 'user_id'], message: 'Each person has one turn.' } },
});

/** What changes with each run, apart from the automation, which every process has read. */
export const automationProgress = defineModel('automation.progress', {
  label: 'Progress of an automation',
  noCompany: 'It belongs to an automation.',
  order: 'id',
  displayName: '{rule_id.name}',
  quiet: true,
  fields: progressFields,
});
