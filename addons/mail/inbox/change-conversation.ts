import { checkRight, type Env, fromLocal, KontorError, mayPersonRead, text, toLocal, UserError } from '@kontor/addon';
import { checkMayComment } from '../chatter/thread.ts';
import { keepReceived, publishInbox } from './keep-conversation.ts';
import { readableIds } from './read-inbox.ts';

/** What a person does to conversations. */
export type InboxChange =
  | { readonly do: 'open' | 'close' | 'read' | 'unread' }
  | { readonly do: 'snooze'; readonly until: string }
  | { readonly do: 'assign'; readonly user: number | null }
  | { readonly do: 'answering'; readonly on: boolean };

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const longestSnoozeMs = 366 * dayMs;
/** How long somebody counts as answering after the last key. */
const answeringMs = 60_000;

/** Reading is enough to mark as read; whoever may comment on the record may do the rest. */
export async function changeConversations(env: Env, ids: readonly number[], change: InboxChange): Promise<void> {
  const server = env.sudo();
  const rows = await server
    .model('mail.conversation')
    .searchRead([['id', 'in', [...new Set(ids)]]], ['model', 'res_id', 'company_id', 'received_at']);
  for (const row of rows) {
    const thread = { model: row.model, id: row.res_id };
    if ((await readableIds(env, thread.model, [thread.id])).length === 0) throw notFound();
    if (change.do === 'read' || change.do === 'unread') await markSeen(env, row.id, change.do === 'read');
    else await checkMayAnswer(env, thread);
  }
  if (rows.length < new Set(ids).size) throw notFound();
  const values = await valuesOf(env, change, rows);
  if (values) {
    await server.model('mail.conversation').write(
      rows.map(({ id }) => id),
      values,
    );
  }
  for (const company of new Set(rows.map((row) => row.company_id))) await publishInbox(env, company);
}

/** As for a conversation that does not exist: whether there is one is told to its readers alone. */
function notFound(): KontorError {
  return new KontorError('NOT_FOUND', text('The conversation does not exist.'));
}

async function checkMayAnswer(env: Env, thread: { readonly model: string; readonly id: number }): Promise<void> {
  if (thread.model === 'mail.incoming') await checkRight(env, thread.model, [thread.id], 'write');
  else await checkMayComment(env, thread);
}

type Threads = readonly { readonly model: string; readonly res_id: number }[];

async function valuesOf(env: Env, change: InboxChange, threads: Threads) {
  const awake = { snoozed_until: null, snoozed_by: null };
  if (change.do === 'open' || change.do === 'close')
    return { state: change.do === 'open' ? 'open' : 'closed', ...awake } as const;
  if (change.do === 'snooze')
    return { state: 'snoozed', snoozed_until: snoozeEnd(env, change.until), snoozed_by: env.uid } as const;
  if (change.do === 'assign') {
    if (change.user !== null) await checkAssignee(env, change.user, threads);
    return { user_id: change.user };
  }
  if (change.do !== 'answering') return null;
  const until = change.on ? new Date(env.now.getTime() + answeringMs).toISOString() : null;
  return { answering_id: change.on ? env.uid : null, answering_until: until };
}

/** Only people who may read all of it: others would be told that it exists. */
async function checkAssignee(env: Env, user: number, threads: Threads): Promise<void> {
  const [person] = await env.model('core.user').read([user], ['name']);
  for (const { model, res_id: id } of threads) {
    if (await mayPersonRead(env, user, model, id)) continue;
    throw new UserError(text('{name} may not read this conversation.', { name: person?.name ?? '' }));
  }
}

/** When a snooze ends: an instant, or a word in the time zone of the person. */
export function snoozeEnd(env: Pick<Env, 'now' | 'actor'>, until: string): string {
  const { tz } = env.actor;
  const now = env.now.getTime();
  const local = toLocal(now, tz);
  const today = local - (((local % dayMs) + dayMs) % dayMs);
  const weekday = new Date(today).getUTCDay();
  const at: Readonly<Record<string, number>> = {
    later: local + 3 * hourMs,
    tomorrow: today + dayMs + 8 * hourMs,
    monday: today + ((8 - weekday) % 7 || 7) * dayMs + 8 * hourMs,
    month: today + 28 * dayMs + 8 * hourMs,
  };
  const word = at[until];
  const end = word === undefined ? Date.parse(until) : fromLocal(word, tz);
  if (Number.isNaN(end)) throw new KontorError('INVALID_ARGS', 'until must be a time.', { field: 'until' });
  if (end <= now || end > now + longestSnoozeMs)
    throw new UserError('Choose a time in the future, at most a year from now.');
  return new Date(end).toISOString();
}

/** As the server, only about the person. */
async function markSeen(env: Env, conversation: number, isSeen: boolean): Promise<void> {
  const seen = env.sudo().model('mail.conversation.seen');
  const old = await seen.search([
    ['conversation_id', '=', conversation],
    ['user_id', '=', env.uid],
  ]);
  const seenAt = env.now.toISOString();
  if (!isSeen) await seen.unlink(old);
  else if (old.length > 0) await seen.write(old, { seen_at: seenAt });
  else await seen.create({ conversation_id: conversation, user_id: env.uid, seen_at: seenAt });
}

const batch = 200;

/**
 * Opens conversations whose snooze has ended, unread for whoever snoozed them; and e-mails that nobody could read get one. False if
 * nothing is left. As the server: a job without readers.
 */
export async function wakeConversations(env: Env): Promise<boolean> {
  const server = env.sudo();
  const conversations = server.model('mail.conversation');
  const due = await conversations.searchRead(
    [
      ['state', '=', 'snoozed'],
      ['snoozed_until', '<=', env.now.toISOString()],
    ],
    ['snoozed_by', 'company_id'],
    { limit: batch },
  );
  for (const { id, snoozed_by: person } of due) {
    const seen = server.model('mail.conversation.seen');
    await seen.unlink(
      await seen.search([
        ['conversation_id', '=', id],
        ['user_id', '=', person ?? 0],
      ]),
    );
  }
  const ids = due.map(({ id }) => id);
  await conversations.write(ids, { state: 'open', snoozed_until: null, snoozed_by: null });
  for (const company of new Set(due.map((row) => row.company_id))) await publishInbox(env, company);
  await keepUnreadable(env);
  return due.length === batch;
}

async function keepUnreadable(env: Env): Promise<void> {
  const server = env.sudo();
  const dead = await server.model('mail.incoming').search([['state', '=', 'dead']], { limit: batch });
  const known = await server.model('mail.conversation').searchRead(
    [
      ['model', '=', 'mail.incoming'],
      ['res_id', 'in', dead],
    ],
    ['res_id'],
  );
  const kept = new Set(known.map((row) => row.res_id));
  const empty = {
    from: null,
    subject: '',
    body: { shown: '', folded: '', pictures: [] },
    files: [],
    kind: 'message' as const,
  };
  for (const id of dead.filter((each) => !kept.has(each))) await keepReceived(env, id, null, empty);
}
