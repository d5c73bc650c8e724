import { anyModel, type Env, type FollowedChange, KontorError, recordPath } from '@kontor/addon';
import { oneLine } from '../chatter/one-line.ts';
import { keptIn, namesSeen, readableRelations, shownChange } from '../chatter/read-chatter.ts';
import { chosenOf, keyOf, participatedIn, peopleFields } from './following.ts';

/** How far back it looks, in days and in messages of others. */
const days = 14;
const looked = 400;
const longestText = 140;

/**
 * Recent messages and changes by others about records that the user follows: created by them, assigned to them, commented on by
 * them, with an activity of theirs, or chosen, without those they chose not to follow, and mentions of them. Each record once, with
 * the newest.
 */
export async function followedChanges(env: Env, limit: number): Promise<readonly FollowedChange[]> {
  const found = await messagesOfOthers(env);
  const [taken, chosen] = await Promise.all([participatedIn(env, found), chosenOf(env, found)]);
  const messages = found.filter((message) => mentions(message, env.uid) || chosen.get(keyOf(message)) !== false);
  const isMeant = (message: Message) =>
    mentions(message, env.uid) || taken.has(keyOf(message)) || chosen.has(keyOf(message));
  const names = new Map<string, string>();
  for (const model of new Set(messages.map((message) => message.model))) {
    const own = messages.filter((message) => message.model === model);
    const known = own.filter(isMeant).map((message) => message.res_id);
    for (const [key, name] of await followedIn(env, model, own, known)) names.set(key, name);
  }
  const newest = new Map<string, Message>();
  for (const message of messages) {
    const key = keyOf(message);
    if (names.has(key) && !newest.has(key)) newest.set(key, message);
    if (newest.size === limit) break;
  }
  return told(env, [...newest.values()], names);
}

interface Message {
  readonly id: number;
  readonly model: string;
  readonly res_id: number;
  readonly kind: string;
  readonly body: string | null;
  readonly author_id: number | null;
  readonly sender_name: string | null;
  readonly tracking: unknown;
  readonly date: string | null;
}

/** As the server: messages cannot be read as records. What is shown of them is read with the reader's rights below. */
async function messagesOfOthers(env: Env): Promise<readonly Message[]> {
  const since = new Date(env.now.getTime() - days * 86_400_000).toISOString();
  const rows = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ...(['|', ['author_id', 'not in', [env.uid, null]]] as const),
        ...(['&', ['kind', '=', 'email'], ['author_id', '=', null]] as const),
        ['gone_at', '=', null],
        ['date', '>=', since],
      ],
      ['model', 'res_id', 'kind', 'body', 'author_id', 'sender_name', 'tracking', 'date'],
      { order: '-date, -id', limit: looked },
    );
  return rows.filter((row) => Boolean(env.registry.models.get(row.model)?.chatter));
}

function mentions({ kind, body }: Message, uid: number): boolean {
  const href = recordPath('core.user', uid).replaceAll('&', '&amp;');
  return kind === 'comment' && body?.includes(`"${href}"`) === true;
}

/** The names of the records that the user follows and may read. */
async function followedIn(
  env: Env,
  model: string,
  messages: readonly Message[],
  known: readonly number[],
): Promise<readonly (readonly [key: string, name: string])[]> {
  const ids = [...new Set(messages.map((message) => message.res_id))];
  const mine = peopleFields(env, model).map((name) => [name, 'in', [env.uid]] as const);
  const ways = [...mine, ['id', 'in', [...new Set(known)]] as const];
  const either = [...Array.from({ length: ways.length - 1 }, () => '|' as const), ...ways];
  try {
    const rows = await anyModel(env, model).searchRead([['id', 'in', ids], ...either], ['display_name']);
    return rows.map((row) => [keyOf({ model, res_id: row.id }), String(row.display_name ?? '')]);
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return [];
    throw error;
  }
}

async function told(
  env: Env,
  messages: readonly Message[],
  names: ReadonlyMap<string, string>,
): Promise<readonly FollowedChange[]> {
  const authors = await namesSeen(
    env,
    messages.flatMap(({ author_id: author }) => author ?? []),
  );
  const lines: FollowedChange[] = [];
  for (const message of messages) {
    const { model, res_id: id, kind } = message;
    const kept = keptIn(message.tracking);
    const readable = await readableRelations(env, model, kept);
    const changes = kept.flatMap((change) => shownChange(env, model, change, readable) ?? []);
    if (kind === 'tracking' && changes.length === 0) continue;
    lines.push({
      key: String(message.id),
      ...{ model, id, href: recordPath(model, id), name: names.get(keyOf(message)) ?? '' },
      by: message.sender_name ?? authors.get(message.author_id ?? 0) ?? 'Somebody',
      at: message.date ?? '',
      kind: shownKind(message, env.uid),
      text: oneLine(message.body ?? '', longestText),
      changes: changes.slice(0, 2).map(({ label, new: value }) => ({ label, value })),
    });
  }
  return lines;
}

function shownKind(message: Message, uid: number): FollowedChange['kind'] {
  if (message.kind === 'tracking') return 'change';
  if (mentions(message, uid)) return 'mention';
  return message.kind === 'system' ? 'system' : 'comment';
}
