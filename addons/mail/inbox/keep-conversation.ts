import { type Env, publish } from '@kontor/addon';
import { oneLine } from '../chatter/one-line.ts';
import type { Thread } from '../chatter/thread.ts';
import type { ParsedMessage } from '../incoming/parse-message.ts';

/** Where an e-mail waits that fits no record. */
const unsortedModel = 'mail.incoming';

/** Of a conversation in which nothing came in that could be unread. */
const never = new Date(0).toISOString();

/**
 * Keeps the conversation of an e-mail that came in: on the record that it was filed on, or of the e-mail itself while it waits. What
 * people write opens a conversation again and makes it unread, however late it is filed, and so does an e-mail of ours that was not
 * delivered; history does neither. As the server: no reader is known.
 */
export async function keepReceived(
  env: Env,
  incoming: number,
  thread: Thread | null,
  message: Pick<ParsedMessage, 'from' | 'subject' | 'body' | 'files' | 'kind'>,
): Promise<void> {
  const server = env.sudo();
  const [row] = await server
    .model('mail.incoming')
    .read([incoming], ['mailbox_id', 'company_id', 'partner_id', 'received_at', 'is_history']);
  if (!row) return;
  const waiting = { model: unsortedModel, id: incoming };
  const place = thread ?? waiting;
  const old = (await conversationOf(env, place)) ?? (await conversationOf(env, waiting));
  if (thread) await dropOther(env, waiting, old?.id ?? null);
  const shown = {
    sender_name: message.from?.name ?? null,
    sender_email: message.from?.address ?? null,
    partner_id: row.partner_id,
    preview: previewOf(message.body.shown),
    mark: message.kind,
    last_at: row.received_at,
    is_ours: false,
  };
  // An e-mail that waited was counted when it came.
  const isCounted = old !== null && old.model === unsortedModel && old.res_id === incoming;
  if (old) {
    await server.model('mail.conversation').write([old.id], {
      ...{ model: place.model, res_id: place.id },
      ...(old.last_at > row.received_at ? {} : shown),
      ...(isCounted || row.is_history ? {} : arrived(env, message.kind)),
      message_count: old.message_count + (isCounted ? 0 : 1),
      file_count: old.file_count + (isCounted ? 0 : message.files.length),
    });
  } else {
    await server.model('mail.conversation').create({
      ...{ model: place.model, res_id: place.id, mailbox_id: row.mailbox_id, company_id: row.company_id },
      ...{ ...shown, subject: message.subject || null, message_count: 1, file_count: message.files.length },
      ...(row.is_history ? { state: 'closed', received_at: never } : { received_at: row.received_at }),
    });
  }
  if (!row.is_history) await publishInbox(env, row.company_id);
}

/** Unread from now on: whoever has read the conversation meanwhile has not read this. */
function arrived(env: Env, kind: ParsedMessage['kind']) {
  const opens = kind === 'auto' ? {} : { state: 'open' as const, snoozed_until: null, snoozed_by: null };
  return { received_at: env.now.toISOString(), ...opens };
}

/** A filed e-mail has no conversation of its own any more, if its record had one. */
async function dropOther(env: Env, waiting: Thread, kept: number | null): Promise<void> {
  const conversations = env.sudo().model('mail.conversation');
  const found = await conversations.search([
    ['model', '=', waiting.model],
    ['res_id', '=', waiting.id],
    ['id', '!=', kept ?? 0],
  ]);
  if (found.length > 0) await conversations.unlink(found);
}

interface Sent {
  readonly html: string;
  readonly subject: string;
  readonly to: readonly string[];
  readonly companyId: number | null;
}

/** A message of ours to people outside is the newest of its conversation; one that begins a conversation is closed until it is answered. */
export async function keepSent(env: Env, thread: Thread, { html, subject, to, companyId }: Sent): Promise<void> {
  const server = env.sudo();
  const old = await conversationOf(env, thread);
  const shown = {
    ...{ preview: previewOf(html), mark: 'message' as const, is_ours: true, last_at: env.now.toISOString() },
    ...{ answering_id: null, answering_until: null },
  };
  if (old) {
    await server.model('mail.conversation').write([old.id], { ...shown, message_count: old.message_count + 1 });
    return publishInbox(env, old.company_id);
  }
  // Without a mailbox there is no inbox, and no answer comes back.
  const [mailbox] = await server
    .model('mail.mailbox')
    .searchRead(
      [['active', '=', true], ...(companyId === null ? [] : [['company_id', '=', companyId] as const])],
      ['company_id'],
      { order: 'id', limit: 1 },
    );
  if (!mailbox) return;
  await server.model('mail.conversation').create({
    ...{ model: thread.model, res_id: thread.id, mailbox_id: mailbox.id, company_id: mailbox.company_id },
    ...{ ...shown, subject, sender_name: to.join(', ').slice(0, 200), sender_email: to[0] ?? null },
    // Nothing came in that could be unread.
    ...{ state: 'closed', message_count: 1, file_count: 0, received_at: never },
  });
  await publishInbox(env, mailbox.company_id);
}

/** Shows the newest message that is left. */
export async function keepTakenBack(env: Env, thread: Thread): Promise<void> {
  const old = await conversationOf(env, thread);
  if (!old) return;
  const server = env.sudo();
  const [last] = await server.model('mail.message').searchRead(
    [
      ['model', '=', thread.model],
      ['res_id', '=', thread.id],
      ['kind', '=', 'email'],
    ],
    ['body', 'author_id', 'create_date'],
    { order: '-id', limit: 1 },
  );
  if (!last) {
    await server.model('mail.conversation').unlink([old.id]);
    return publishInbox(env, old.company_id);
  }
  await server.model('mail.conversation').write([old.id], {
    message_count: Math.max(0, old.message_count - 1),
    ...{ preview: previewOf(last.body ?? ''), is_ours: last.author_id !== null, last_at: last.create_date },
  });
  await publishInbox(env, old.company_id);
}

/** E-mails that are deleted leave the inbox. As the server: who may delete them was checked. */
export async function forgetUnsorted(env: Env, ids: readonly number[]): Promise<void> {
  const conversations = env.sudo().model('mail.conversation');
  const found = await conversations.searchRead(
    [
      ['model', '=', unsortedModel],
      ['res_id', 'in', [...ids]],
    ],
    ['company_id'],
  );
  if (found.length === 0) return;
  await conversations.unlink(found.map(({ id }) => id));
  for (const company of new Set(found.map((row) => row.company_id))) await publishInbox(env, company);
}

/** Screens with the inbox or with unsorted e-mail load again. Nothing of the conversation is told: not everybody may read it. */
export async function publishInbox(env: Env, companyId: number): Promise<void> {
  await publish(env, 'mail.inbox', {}, { model: 'mail.mailbox', companyId });
  await publish(env, 'model.changed', { model: unsortedModel }, { model: unsortedModel, companyId });
}

async function conversationOf(env: Env, { model, id }: Thread) {
  const [row] = await env
    .sudo()
    .model('mail.conversation')
    .searchRead(
      [
        ['model', '=', model],
        ['res_id', '=', id],
      ],
      ['model', 'res_id', 'last_at', 'message_count', 'file_count', 'company_id'],
    );
  return row ?? null;
}

const previewLength = 180;

function previewOf(html: string): string | null {
  return oneLine(html, previewLength) || null;
}
