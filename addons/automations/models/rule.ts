import '@addons/base';
import { newSecret } from '@addons/webhooks';
import { type CallsOf, type Domain, defineModel, type Env, type FieldsOf, fields, open } from '@kontor/addon';
import { renewSecret, showSecret } from '../incoming/secrets.ts';
import { checkRules } from '../running/check-rule.ts';
import { nextMoment } from '../running/schedule.ts';
import { beginProgress, resetFailures } from '../running/trouble.ts';
import { isTrigger, readWhen } from '../running/when.ts';
import { withIds } from '../steps/references.ts';

const own = { readonly: true, copy: false } as const;

const ruleFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128, names: 'model', label: 'Records' }),
  when: fields.json({ label: 'When', default: () => ({ trigger: 'create' }) }),
  trigger: fields.selection(
    {
      create: 'Is created',
      change: 'Is changed',
      date: 'Reaches a date',
      schedule: 'On a schedule',
      hook: 'Another program reports it',
    },
    { computed: true, stored: true, required: false, label: 'Runs when it' },
  ),
  domain: fields.json({ names: 'domain', label: 'If' }),
  steps: fields.json({ label: 'Then' }),
  uses: fields.json({ names: 'fields', ...own, label: 'Fields that it uses' }),
  together: fields.boolean({
    ...{ default: false, label: 'Belongs to the change' },
    help: 'It runs with the change and is saved with it; if it fails, the change is rejected. Otherwise it runs right after, and is tried again.',
  }),
  state: fields.selection(
    { off: 'Off', on: 'On', paused: 'Switched off after problems' },
    { required: true, default: 'off', ...own },
  ),
  paused_for: fields.selection(
    {
      failing: 'It failed several times in a row.',
      rights: 'Its author may no longer do what it does.',
      owner: 'Its author can no longer sign in.',
      broken: 'It does not fit the records any more.',
    },
    { label: 'Switched off because', ...own },
  ),
  problem: fields.char({ size: 500, label: 'Problem', ...own }),
  author_id: fields.many2one('core.user', {
    ...{ label: 'Author', ondelete: 'restrict', ...own },
    help: 'Who changed what it does last. It does nothing that this person may not do.',
  }),
  secret: fields.char({ secret: true, size: 200, ...own }),
  secret_since: fields.datetime({ ...own, label: 'Key' }),
  is_secret_seen: fields.boolean({ default: false, ...own, label: 'Key was shown' }),
  since: fields.datetime({ label: 'On since', ...own }),
  next_at: fields.datetime({ label: 'Next', ...own }),
  run_ids: fields.one2many('automation.run', 'rule_id', { label: 'Runs', copy: false }),
};
export interface AutomationRule extends FieldsOf<typeof ruleFields> {}
export interface AutomationRuleCalls extends CallsOf<typeof automationRule> {}
declare module '@kontor/addon' {
  interface Models {
    'automation.rule': AutomationRule;
  }
  interface Calls {
    'automation.rule': AutomationRuleCalls;
  }
}

/** What decides about its effects: who changes one of these is its author from then on. */
const meaning = ['model', 'when', 'domain', 'steps', 'together', 'state'] as const;

/** When, if, then: a sentence about records. */
export const automationRule = defineModel('automation.rule', {
  label: 'Automation',
  noCompany: 'It concerns records of the companies in which its author may act.',
  closedToAgents: true,
  order: 'model, name, id',
  fields: ruleFields,
  computes: {
    trigger: { depends: ['when'], value: ({ when }) => triggerOf(when) },
  },
  hooks: {
    beforeCreate: async ({ env, values }) =>
      (await inTurn(values, (row) => withoutReferences(env, row, row.model))).map((row) => ({
        ...row,
        author_id: env.uid || null,
        secret: newSecret(),
        secret_since: env.now.toISOString(),
        since: env.now.toISOString(),
      })),
    async beforeWrite({ env, ids, values: given }) {
      const rules = given.steps && !given.model ? await env.model('automation.rule').read(ids, ['model']) : [];
      const [model, ...others] = new Set(rules.map((rule) => rule.model));
      const values = await withoutReferences(env, given, given.model ?? (others.length > 0 ? undefined : model));
      return meaning.some((name) => name in values) && !env.isSudo ? { ...values, author_id: env.uid || null } : values;
    },
    async afterCreate({ env, ids }) {
      await beginProgress(env, ids);
      await checkRules(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      // Switching off is always possible, also if it no longer fits.
      const changed = meaning.filter((name) => name in values);
      const isStop = changed.join() === 'state' && values.state !== 'on';
      if (changed.length > 0 && !isStop) await checkRules(env, ids);
    },
  },
  actions: {
    switch_on: {
      label: 'Switch on',
      icon: 'play',
      async run({ env, records }) {
        for (const { id, when } of await records.load('when')) {
          const { trigger, every, at } = readWhen(when);
          const next = trigger === 'schedule' ? await nextMoment(env, every, at) : null;
          const fresh = { paused_for: null, problem: null, since: env.now.toISOString() };
          await env.model('automation.rule').write([id], { state: 'on', ...fresh, next_at: next });
          await resetFailures(env, id);
        }
      },
    },
    switch_off: {
      label: 'Switch off',
      icon: 'pause',
      async run({ env, records }) {
        await env.model('automation.rule').write(records.ids, { state: 'off', paused_for: null, next_at: null });
      },
    },
    /** Opens the records for which its conditions hold now. */
    show_matching: {
      label: 'Show matching records',
      icon: 'list-filter',
      single: 'Choose one automation.',
      needs: 'read',
      run: async ({ records }) => {
        const { model, domain } = await records.only('model', 'domain');
        return open(model as 'core.partner', { view: 'list', domain: (domain ?? []) as Domain<'core.partner'> });
      },
    },
    /** Redirects back with the key after `#secret=`, once. */
    show_secret: { label: 'Show the key', icon: 'eye', single: 'Choose one automation.', run: showSecret },
    /** The same with a new key; the previous one is void at once. */
    renew_secret: { label: 'New key', icon: 'refresh-cw', single: 'Choose one automation.', run: renewSecret },
  },
});

/** Data files name records by their external ids. */
async function withoutReferences<Row extends { readonly steps?: unknown }>(
  env: Env,
  row: Row,
  model: unknown,
): Promise<Row> {
  return row.steps && typeof model === 'string' ? { ...row, steps: await withIds(env, model, row.steps) } : row;
}

async function inTurn<T>(rows: readonly T[], work: (row: T) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  for (const row of rows) done.push(await work(row));
  return done;
}

function triggerOf(when: unknown) {
  const trigger = typeof when === 'object' && when !== null && 'trigger' in when ? when.trigger : null;
  return isTrigger(trigger) ? trigger : null;
}
