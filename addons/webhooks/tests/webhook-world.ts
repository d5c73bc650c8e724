import type { CreateValues } from '@kontor/addon';
import { sql } from '@kontor/database';
import { type Kernel, systemActor } from '@kontor/kernel';
import { type Actor, typedEnv } from '@kontor/orm';
import { workOff } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { onTestFinished } from 'vitest';
import { type Receiver, startReceiver } from './receiver.ts';

export type Delivery = Readonly<Record<string, unknown>> & { readonly id: number };

export interface WebhookWorld extends TestKernel {
  readonly receiver: Receiver;
  /** A webhook for contacts, sent to the receiver. */
  subscribe(values?: Partial<CreateValues<'webhook.subscription'>>, actor?: Actor): Promise<number>;
  secretOf(id: number, action?: 'show_secret' | 'renew_secret'): Promise<string>;
  contact(name: string, values?: object): Promise<number>;
  change(id: number, values: object): Promise<void>;
  remove(id: number): Promise<void>;
  /** Looks at the changes and sends what is due, until nothing is left that is due; gives what is in the queue. */
  deliver(kernel?: Kernel): Promise<void>;
  deliveries(subscriptionId: number): Promise<readonly Delivery[]>;
  /** The time has come for all that waits. */
  makeDue(): Promise<void>;
}

export async function webhookWorld(): Promise<WebhookWorld> {
  const receiver = await startReceiver();
  const world = await createTestKernel({ modules: ['webhooks'], env: { KONTOR_WEBHOOK_ALLOW: '127.0.0.1' } });
  const partners = 'core.partner';
  return {
    ...world,
    receiver,
    subscribe: async (values = {}, actor = world.admin) => {
      const id = await world.act(
        (env) =>
          env
            .model('webhook.subscription')
            .create({ name: 'Test', model: partners, url: receiver.url, payload: ['name'], ...values }),
        actor,
      );
      onTestFinished(() => world.act((env) => env.model('webhook.subscription').unlink([id])).then(() => {}));
      return id;
    },
    secretOf: async (id, action = 'show_secret') => {
      const answer = await world.act((env) => env.model('webhook.subscription').call([id], action));
      return answer?.redirect.split('#secret=')[1] ?? '';
    },
    contact: (name, values = {}) =>
      world.work((env) =>
        env
          .sudo()
          .model(partners)
          .create({ name, ...values }),
      ),
    change: async (id, values) =>
      void (await world.work((env) =>
        env
          .sudo()
          .model(partners)
          .write([id], { ...values }),
      )),
    remove: async (id) => void (await world.work((env) => env.sudo().model(partners).unlink([id]))),
    deliver: (kernel = world.kernel) => deliverAll(kernel),
    deliveries: (subscriptionId) =>
      world.work((env) =>
        env
          .model('webhook.delivery')
          .searchRead([['subscription_id', '=', subscriptionId]], undefined, { order: 'id' }),
      ),
    makeDue: async () => {
      const past = new Date(0).toISOString();
      await world.work(async (env) => {
        const sudo = env.sudo();
        const deliveries = await sudo.model('webhook.delivery').search([['state', 'in', ['waiting', 'failed']]]);
        await sudo.model('webhook.delivery').write(deliveries, { next_try: past });
        const progress = await sudo.model('webhook.progress').search([]);
        await sudo.model('webhook.progress').write(progress, { resume_at: null });
      });
    },
    close: async () => {
      await world.close();
      await receiver.close();
    },
  };
}

/** What worker and queue do, without their clocks: takes the changes, and sends all that is due. */
async function deliverAll(kernel: Kernel): Promise<void> {
  const { workers: [worker] = [], queues: [queue] = [] } = kernel.loaded.definitions.get('webhooks') ?? {};
  if (!worker || !queue) throw new Error('There is no worker or no queue.');
  await worker.run({
    signal: new AbortController().signal,
    begin: () => {},
    step: async (work) => {
      const { result } = await kernel.transact(
        systemActor,
        async (env) => {
          await env.db.execute(sql`select pg_advisory_xact_lock(1, 1)`);
          return work(typedEnv(env));
        },
        { isSudo: true },
      );
      return result;
    },
  });
  await workOff(kernel, { ...queue, name: 'webhooks.deliver' });
}
