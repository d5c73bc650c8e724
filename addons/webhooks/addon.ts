import { defineAddon } from '@kontor/addon';
import { cleanDeliveries } from './delivering/clean.ts';
import { deliveries } from './delivering/deliver.ts';
import { pausedNotice } from './delivering/pause-for.ts';
import { changeTaker } from './delivering/take-changes.ts';
import { webhookDelivery, webhookProgress } from './models/delivery.ts';
import { webhookSubscription } from './models/subscription.ts';

export type * from './models/delivery.ts';
export type * from './models/subscription.ts';
export { newSecret } from './secrets.ts';

export default defineAddon({
  models: [webhookSubscription, webhookDelivery, webhookProgress],
  workers: [changeTaker()],
  queues: [deliveries],
  notices: [pausedNotice],
  jobs: [
    {
      name: 'clean_deliveries',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(cleanDeliveries)));
      },
    },
  ],
  widgets: {
    webhook_model: { types: ['char'], doc: 'A model, chosen by its name.' },
    webhook_fields: { types: ['json'], doc: 'Fields of the model in `model`, as a list of names.' },
    webhook_secret: {
      types: ['datetime'],
      doc: 'Since when there is a secret, and a way to see it once or to renew it.',
    },
    webhook_deliveries: { types: ['integer'], doc: 'On `id`: the last deliveries of a webhook.' },
  },
});
