import { sql } from '@kontor/database';
import { type Actor, typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { listRecipients } from '../sending/list-recipients.ts';

export interface MailingWorld extends TestKernel {
  readonly mia: Actor;
  contact(values: object): Promise<number>;
  /** A mailing of Mia to contacts whose city is `Oslo`. */
  mailing(values?: object, who?: Actor): Promise<number>;
  call(id: number, action: string, answers?: object, who?: Actor): Promise<unknown>;
  /** What the job does. */
  list(): Promise<void>;
  read(id: number): Promise<Readonly<Record<string, unknown>>>;
  recipients(id: number): Promise<readonly Readonly<Record<string, unknown>>[]>;
  queued(): Promise<readonly Queued[]>;
  makeDue(): Promise<void>;
}

export interface Queued {
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string;
  readonly body_html: string;
  readonly unsubscribe: string | null;
  readonly message_id: string;
}

export const oslo = [['city', '=', 'Oslo']];

const shown = [
  ...['state', 'audience', 'sample', 'problem', 'recipient_count', 'sent_count', 'failed_count', 'bounced_count'],
  ...['answered_count', 'opted_out_count', 'left_out_count'],
];

/** A company with a person of bulk mail. */
export async function mailingWorld(env: Readonly<Record<string, string>> = {}): Promise<MailingWorld> {
  const world = await createTestKernel({
    modules: ['mailing', 'crm'],
    env: {
      ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: '1', KONTOR_SMTP_TLS: 'none' },
      ...{ KONTOR_SMTP_FROM: 'Nordlicht <office@kontor.test>', KONTOR_BASE_URL: 'https://kontor.example', ...env },
    },
  });
  const mia = await world.person('Mia Mailer', ['base.group_user', 'crm.group_user', 'mailing.group_user'], {
    email: 'mia@kontor.test',
  });
  const usual = {
    name: 'News',
    domain: oslo,
    lang: 'en_US',
    subject: 'News for {name}',
    body: 'Dear **{name}**,\n\nnews.',
  };
  const asServer = <T>(run: Parameters<typeof world.work<T>>[0]) => world.work((env) => run(env.sudo()));
  return Object.assign(world, {
    mia,
    contact: (values: object) =>
      asServer((env) => env.model('core.partner').create({ name: 'Ann', city: 'Oslo', ...values })),
    mailing: (values: object = {}, who: Actor = mia) =>
      world.work((env) => env.model('mailing.mailing').create({ ...usual, ...values }), who),
    call: (id: number, action: string, answers: object = {}, who: Actor = mia) =>
      world.work(
        (env) => env.model('mailing.mailing').call([id], action, answers as Readonly<Record<string, unknown>>),
        who,
      ),
    list: async () => {
      while (await asServer((env) => listRecipients(typedEnv(env))));
    },
    read: (id: number) => asServer(async (env) => (await env.model('mailing.mailing').read([id], shown))[0] as never),
    recipients: (id: number) =>
      asServer((env) =>
        env
          .model('mailing.recipient')
          .searchRead(
            [['mailing_id', '=', id]],
            [
              'address_id.email',
              'state',
              'next_try',
              'sent',
              'bounced',
              'answered',
              'opted_out',
              'left_out_for',
              'mail_key',
            ],
            { order: 'id' },
          ),
      ),
    queued: () =>
      world.kernel.database.query<Queued>(sql`
        select * from mail_queue where recipient ilike '%@customer.test' or recipient = 'mia@kontor.test' order by id`),
    makeDue: async () => {
      await world.kernel.database.execute(sql`update mailing_recipient set next_try = now()`);
    },
  });
}
