import { type Env, typedEnv } from '@kontor/orm';
import { workOff } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { receive } from '../incoming/receive.ts';
import { bytes } from './odd-messages/message.ts';

export interface MailboxWorld extends TestKernel {
  /** The number of a mailbox `office@kontor.test` of the main company. */
  readonly mailbox: number;
  /** Receives an e-mail, reads and files it; returns its row. */
  take(message: string | Buffer, mailbox?: number): Promise<Row>;
  /** Reads and files whatever waits. */
  file(): Promise<void>;
  messages(model: string, id: number): Promise<readonly Row[]>;
  addMailbox(values: object): Promise<number>;
}
export type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/** A company with a mailbox, CRM and projects. */
export async function mailboxWorld(): Promise<MailboxWorld> {
  const world = await createTestKernel({ modules: ['crm', 'project', 'sale'] });
  const asServer = <T>(run: (env: Env) => Promise<T>) => world.work((env) => run(env.sudo() as Env));
  const addMailbox = (values: object) =>
    asServer((env) =>
      env.model('mail.mailbox').create({ name: 'Office', company_id: world.admin.companyId, ...values }),
    );
  const mailbox = await addMailbox({ address: 'office@kontor.test' });
  const file = async () => {
    const [queue] = world.kernel.loaded.definitions.get('mail')?.queues ?? [];
    if (!queue) throw new Error('There is no queue.');
    await workOff(world.kernel, { ...queue, name: 'mail.incoming' });
  };
  return {
    ...world,
    mailbox,
    file,
    addMailbox,
    async take(message, to = mailbox) {
      const raw = typeof message === 'string' ? bytes(message) : message;
      const id = await world.work(async (untyped) => {
        const env = typedEnv(untyped.sudo());
        const [row] = await env.model('mail.mailbox').read([to], ['company_id']);
        return (await receive(env, { raw, mailbox: { id: to, company_id: row?.company_id as number } })).id;
      });
      await file();
      const [row] = await asServer((env) => env.model('mail.incoming').read([id]));
      return row as Row;
    },
    messages: (model, id) =>
      asServer((env) =>
        env.model('mail.message').searchRead(
          [
            ['model', '=', model],
            ['res_id', '=', id],
            ['kind', '=', 'email'],
          ],
          undefined,
          { order: 'id' },
        ),
      ) as Promise<readonly Row[]>,
  };
}
