import { randomUUID } from 'node:crypto';
import { type Env, typedEnv } from '@kontor/orm';
import { workOff } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { receive } from '../incoming/receive.ts';
import { bytes } from './odd-messages/message.ts';

export interface MailboxWorld extends TestKernel {
  /** The number of a mailbox `office@kontor.test` of the main company. */
  readonly mailbox: number;
  /** Receives an e-mail, reads and files it; returns its row. */
  take(message: string | Buffer, mailbox?: number, history?: string): Promise<Row>;
  /** Reads and files whatever waits. */
  file(): Promise<void>;
  messages(model: string, id: number): Promise<readonly Row[]>;
  addMailbox(values: object): Promise<number>;
  /** As the server, without rights. */
  server<T>(run: (env: Env) => Promise<T>): Promise<T>;
  lead(values?: object): Promise<number>;
  read(model: string, id: number, fields?: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  addCompany(name: string): Promise<number>;
}
interface WorldOptions {
  /** Further ones. */
  readonly modules?: readonly string[];
  /** For the configuration. */
  readonly env?: Readonly<Record<string, string>>;
}
export type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/** An e-mail to the mailbox, with a Message-ID of its own. */
export function letter(headers: Readonly<Record<string, string>>, body = 'Hello'): string {
  const all = {
    From: 'Ada <ada@customer.test>',
    To: 'office@kontor.test',
    'Message-ID': `<${randomUUID()}@customer.test>`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\n`);
  return `${lines.join('')}\n${body}`;
}

/** A company with a mailbox, CRM and projects. */
export async function mailboxWorld({ modules = [], env = {} }: WorldOptions = {}): Promise<MailboxWorld> {
  const world = await createTestKernel({ modules: ['crm', 'project', 'sale', ...modules], env });
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
    server: asServer,
    lead: (values = {}) =>
      asServer((env) => env.model('crm.lead').create({ name: 'Lamps', company_id: world.admin.companyId, ...values })),
    read: (model, id, fields) =>
      asServer(async (env) => (await env.model(model).read([id], fields))[0] as Readonly<Record<string, unknown>>),
    addCompany: (name) =>
      asServer(async (env) => {
        const [own] = await env.model('core.company').read([world.admin.companyId as number], ['currency_id']);
        return env.model('core.company').create({ name, currency_id: own?.currency_id });
      }),
    async take(message, to = mailbox, history) {
      const raw = typeof message === 'string' ? bytes(message) : message;
      const id = await world.work(async (untyped) => {
        const env = typedEnv(untyped.sudo());
        const [row] = await env.model('mail.mailbox').read([to], ['company_id']);
        const box = { id: to, company_id: row?.company_id as number };
        return (await receive(env, { raw, mailbox: box, ...(history ? { history } : {}) })).id;
      });
      if (id === null) throw new Error('It is known, and its row was deleted.');
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
