import '@addons/base';
import { type CallsOf, currentCompany, currentUser, defineModel, type FieldsOf, fields } from '@kontor/addon';
import { checkSubscriptions } from '../check-subscription.ts';
import { beginFromNow, pause, resume, startFromNow } from '../delivering/begin.ts';
import { sendTest } from '../delivering/send-test.ts';
import { newSecret, renewSecret, showSecret } from '../secrets.ts';

const subscriptionFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({
    names: 'model',
    required: true,
    size: 128,
    label: 'Records',
    help: 'The model whose records it reports.',
  }),
  domain: fields.json({
    names: 'domain',
    label: 'Filter',
    help: 'Which records it reports. If empty, all that its owner may read.',
  }),
  on_create: fields.boolean({ label: 'Made', default: true }),
  on_write: fields.boolean({ label: 'Changed', default: true }),
  on_delete: fields.boolean({ label: 'Deleted', default: true }),
  on_call: fields.boolean({ label: 'When an automation says so', default: false }),
  watch: fields.json({
    names: 'fields',
    label: 'Changes of',
    help: 'Only changes of these fields are sent. If empty, any change is.',
  }),
  payload: fields.json({
    names: 'fields',
    label: 'Values to send',
    help: 'The values to send. If empty, only the id is sent and the receiver reads the rest.',
  }),
  url: fields.char({ required: true, size: 2000, label: 'Address', help: 'Where it is sent to, by POST.' }),
  secret: fields.char({ secret: true, readonly: true, size: 200, copy: false }),
  secret_before: fields.char({ secret: true, readonly: true, size: 200, copy: false }),
  secret_before_until: fields.datetime({ readonly: true, copy: false, label: 'Previous secret valid until' }),
  secret_since: fields.datetime({ readonly: true, copy: false, label: 'Secret' }),
  is_secret_seen: fields.boolean({ readonly: true, copy: false, default: false, label: 'Secret was shown' }),
  state: fields.selection(
    { on: 'On', off: 'Off', paused: 'Paused' },
    { required: true, default: 'on', readonly: true, copy: false },
  ),
  paused_for: fields.selection(
    {
      failing: 'The receiver failed for days.',
      gone: 'The receiver answered that it no longer exists.',
      owner: 'Its owner can no longer sign in, or not in this company.',
      rights: 'Its owner may no longer read its records.',
    },
    { label: 'Paused because', readonly: true, copy: false },
  ),
  failing_since: fields.datetime({ readonly: true, copy: false }),
  user_id: fields.many2one('core.user', {
    required: true,
    default: currentUser,
    ondelete: 'cascade',
    label: 'Owner',
    help: 'Only what this person may read is sent.',
  }),
  company_id: fields.many2one('core.company', {
    required: true,
    default: currentCompany,
    ondelete: 'cascade',
    help: 'The company in which the owner reads.',
  }),
  tested_at: fields.datetime({ readonly: true, copy: false, label: 'Tested' }),
  test_result: fields.char({ readonly: true, copy: false, size: 500, label: 'Result' }),
  test_answer: fields.text({ readonly: true, copy: false, label: 'Answer' }),
  delivery_ids: fields.one2many('webhook.delivery', 'subscription_id', { label: 'Deliveries', copy: false }),
  progress_ids: fields.one2many('webhook.progress', 'subscription_id', { label: 'Progress', copy: false }),
};
export interface WebhookSubscription extends FieldsOf<typeof subscriptionFields> {}
export interface WebhookSubscriptionCalls extends CallsOf<typeof webhookSubscription> {}
declare module '@kontor/addon' {
  interface Models {
    'webhook.subscription': WebhookSubscription;
  }
  interface Calls {
    'webhook.subscription': WebhookSubscriptionCalls;
  }
}

const meaning = ['model', 'domain', 'watch', 'payload', 'url', 'user_id', 'company_id'] as const;

/** A subscription of another program: records, events and address. */
export const webhookSubscription = defineModel('webhook.subscription', {
  label: 'Webhook',
  ownRules: 'People manage webhooks of their own, though they may not change users.',
  order: 'name, id',
  // Changes by agents can be held for approval; what a webhook sends cannot.
  closedToAgents: true,
  fields: subscriptionFields,
  constraints: {
    some_event: {
      on: ['on_create', 'on_write', 'on_delete', 'on_call'],
      holds: (one) => one.on_create || one.on_write || one.on_delete || one.on_call,
      message: 'Choose at least one event.',
    },
  },
  hooks: {
    beforeCreate: async ({ env, values }) =>
      values.map((row) => ({ ...row, secret: newSecret(), secret_since: env.now.toISOString() })),
    async afterCreate({ env, ids }) {
      await checkSubscriptions(env, ids);
      await beginFromNow(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      if (meaning.some((name) => name in values)) await checkSubscriptions(env, ids);
      if ('model' in values) await beginFromNow(env, ids);
    },
  },
  actions: {
    send_test: { label: 'Send a test', icon: 'send', single: 'Choose one webhook.', run: sendTest },
    pause: { label: 'Pause', icon: 'pause', run: pause },
    /** Resumes where it stopped. */
    resume: { label: 'Go on', icon: 'play', run: resume },
    /** Pending deliveries are not sent; the next change is. */
    start_from_now: { label: 'Start from now', icon: 'skip-forward', run: startFromNow },
    /** Redirects back with the secret after `#secret=`, once. */
    show_secret: { label: 'Show the secret', icon: 'eye', single: 'Choose one webhook.', run: showSecret },
    /** The same with a new secret; the previous one is valid for another day. */
    renew_secret: { label: 'New secret', icon: 'refresh-cw', single: 'Choose one webhook.', run: renewSecret },
  },
});
