import { defineQueue, type Queue } from '@kontor/addon';
import { fileMessage, type Incoming } from './file-message.ts';
import { decodeBase64 } from './in-turns.ts';
import { type ParsedMessage, parseMessage } from './parse-message.ts';

interface Work {
  readonly incoming: Incoming;
  readonly raw: Buffer;
  readonly envelopeTo: readonly string[];
}
type Outcome = { readonly incoming: Incoming; readonly message: ParsedMessage };

const mailboxFields = ['address', 'alias', 'reply_secret', 'company_id'] as const;

/** Reads and files received e-mails. One that cannot be read even by its last try waits for a person, with its original. */
export const incomingQueue: Queue = defineQueue<Work, Outcome>({
  name: 'incoming',
  model: 'mail.incoming',
  states: { waiting: 'waiting', running: 'running', again: 'waiting', done: 'filed', dead: 'dead' },
  room: { perProcess: 2 },
  tries: { most: 4, waitMs: (attempt) => 10_000 * 4 ** (attempt - 1) },
  async prepare(env, { id }) {
    const [row] = await env
      .sudo()
      .model('mail.incoming')
      .read([id], ['raw', 'mailbox_id', 'envelope_to', 'company_id', 'is_history']);
    if (!row?.raw) return { is: 'done' };
    const raw = await decodeBase64(row.raw);
    const [mailbox] = await env.sudo().model('mail.mailbox').read([row.mailbox_id], mailboxFields);
    if (!mailbox) return { is: 'dead' };
    const envelopeTo = (row.envelope_to ?? '')
      .toLowerCase()
      .split(/[\s,;<>]+/)
      .filter(Boolean);
    const own = { ...mailbox, id: row.mailbox_id, company_id: row.company_id };
    const incoming = { id, mailbox: own, isHistory: row.is_history };
    return { work: { incoming, raw, envelopeTo } };
  },
  async run({ incoming, raw, envelopeTo }) {
    const message = await parseMessage(raw);
    return { incoming, message: { ...message, recipients: [...new Set([...envelopeTo, ...message.recipients])] } };
  },
  async end(env, _row, { incoming, message }) {
    const state = await fileMessage(env, incoming, message);
    return { is: 'done', state };
  },
});
