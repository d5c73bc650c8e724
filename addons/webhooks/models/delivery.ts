import { type CallsOf, defineModel, type FieldsOf, fields, now, queueIndexes } from '@kontor/addon';
import { retryDeliveries } from '../delivering/retry.ts';

const deliveryFields = {
  subscription_id: fields.many2one('webhook.subscription', { required: true, ondelete: 'cascade', label: 'Webhook' }),
  key: fields.char({ required: true, unique: true, size: 64, label: 'Id', help: 'The same for every try.' }),
  event: fields.selection({ create: 'Made', write: 'Changed', delete: 'Deleted' }, { required: true }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  changed: fields.json({ label: 'Changed fields' }),
  change_set: fields.integer({ aggregate: 'none' }),
  happened_at: fields.datetime({ required: true, label: 'Happened' }),
  state: fields.selection(
    { waiting: 'Waiting', failed: 'Trying again', sent: 'Sent', dead: 'Given up', skipped: 'Not needed' },
    { sets: { pending: ['waiting', 'failed'] }, required: true, default: 'waiting' },
  ),
  attempts: fields.integer({ required: true, default: 0, label: 'Tries' }),
  next_try: fields.datetime({ required: true, default: now }),
  first_try: fields.datetime({}),
  host: fields.char({ size: 255, help: 'Where it goes: few requests go to one host at a time.' }),
  locked_by: fields.char({ size: 64 }),
  locked_until: fields.datetime({ help: 'A process is sending it; others wait until then.' }),
  sent_at: fields.datetime({ label: 'Sent at' }),
  status: fields.integer({ label: 'Status', aggregate: 'none' }),
  problem: fields.selection({
    status: 'The receiver rejected it.',
    redirect: 'The receiver redirects, which is not followed.',
    late: 'No answer in time.',
    unreachable: 'No connection.',
    refused: 'The address is not on the public internet.',
    gone: 'The record was deleted, or the owner may no longer read it.',
    restarted: 'The webhook was restarted.',
  }),
  answer: fields.text({ help: 'The beginning of the answer.' }),
  ms: fields.integer({ label: 'Milliseconds' }),
};
export interface WebhookDelivery extends FieldsOf<typeof deliveryFields> {}
export interface WebhookDeliveryCalls extends CallsOf<typeof webhookDelivery> {}

const progressFields = {
  subscription_id: fields.many2one('webhook.subscription', { required: true, ondelete: 'cascade', unique: true }),
  cursor: fields.char({ required: true, size: 2000, help: 'How far changes have been read.' }),
  outages: fields.integer({ required: true, default: 0, help: 'Failed attempts in a row.' }),
  resume_at: fields.datetime({ help: 'The receiver is left alone until then.' }),
};
export interface WebhookProgress extends FieldsOf<typeof progressFields> {}
declare module '@kontor/addon' {
  interface Models {
    'webhook.delivery': WebhookDelivery;
    'webhook.progress': WebhookProgress;
  }
  interface Calls {
    'webhook.delivery': WebhookDeliveryCalls;
  }
}

/** One event for one receiver. It contains no values of the record: those are read when it is sent. */
export const webhookDelivery = defineModel('webhook.delivery', {
  label: 'Delivery',
  noCompany: 'A delivery is seen with its webhook.',
  order: '-id',
  displayName: '{event} {model} {res_id}',
  quiet: true,
  fields: deliveryFields,
  indexes: ['subscription_id, res_id, id', ...queueIndexes],
  actions: {
    retry: { label: 'Try again', icon: 'rotate-ccw', needs: 'read', run: retryDeliveries },
  },
});

/** The position of a webhook in the feed. A separate table, because it changes with every change of records. */
export const webhookProgress = defineModel('webhook.progress', {
  label: 'Progress of a webhook',
  order: 'id',
  displayName: '{subscription_id.name}',
  quiet: true,
  fields: progressFields,
});
