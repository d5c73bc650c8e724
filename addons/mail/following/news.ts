import { anyModel, type Env, type FollowedChange, KontorError, recordPath } from '@kontor/addon';
import { oneLine } from '../chatter/one-line.ts';
import { keptIn, namesSeen, readableRelations, shownChange } from '../chatter/read-chatter.ts';
import { isGuest, isOpenToGuests } from '../chatter/thread.ts';
import { chosenOf, keyOf, kindsOf, participatedIn, peopleFields } from './following.ts';
import { followingIn, followingSetting, heard, isHeard, mentions } from './hearing.ts';

const longestText = 140;

export interface NewsMessage {
  readonly id: number;
  readonly model: string;
  readonly res_id: number;
  readonly kind: string;
  readonly body: string | null;
  readonly author_id: number | null;
  readonly sender_name: string | null;
  readonly tracking: unknown;
  readonly date: string | null;
  readonly is_shared: boolean;
}

export const newsFields = [
  ...(['model', 'res_id', 'kind', 'body', 'author_id', 'sender_name', 'tracking', 'date', 'is_shared'] as const),
];

export interface NewsQuestion {
  readonly since: Date;
  /** How many messages of others are looked at. */
  readonly looked: number;
}

/** Messages of others that the user hears of, newest first, and the names of their records. */
export interface News {
  readonly messages: readonly NewsMessage[];
  readonly names: ReadonlyMap<string, string>;
}

/**
 * What others said and changed about records that the user follows and may read: created by them, assigned to them, commented on by
 * them, with an activity of theirs, or chosen, without what they chose not to hear; and mentions of them.
 */
export async function newsFor(env: Env, question: NewsQuestion): Promise<News> {
  const found = await messagesOfOthers(env, question);
  const [taken, chosen, kinds, person] = await Promise.all([
    participatedIn(env, found),
    chosenOf(env, found),
    kindsOf(env),
    ownFollowing(env),
  ]);
  const messages = found.filter((message) => {
    const level = heard(chosen.get(keyOf(message)), kinds.get(message.model), person.hears);
    return isHeard(env, level, message, env.uid);
  });
  const isMeant = (message: NewsMessage) =>
    mentions(message, env.uid) || taken.has(keyOf(message)) || chosen.has(keyOf(message));
  const names = new Map<string, string>();
  for (const model of new Set(messages.map((message) => message.model))) {
    const own = messages.filter((message) => message.model === model);
    const known = kinds.get(model)?.every ? own : own.filter(isMeant);
    const ids = known.map((message) => message.res_id);
    for (const [key, name] of await followedIn(env, model, own, ids)) names.set(key, name);
  }
  return { messages: messages.filter((message) => names.has(keyOf(message))), names };
}

async function ownFollowing(env: Env) {
  const [row] = await env
    .sudo()
    .model('sys.user.setting')
    .searchRead(
      [
        ['user_id', '=', env.uid],
        ['key', '=', followingSetting],
      ],
      ['value'],
    );
  return followingIn(row?.value);
}

/** As the server: messages cannot be read as records. What is shown of them is read with the reader's rights below. */
async function messagesOfOthers(env: Env, { since, looked }: NewsQuestion): Promise<readonly NewsMessage[]> {
  const rows = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ...(['|', ['author_id', 'not in', [env.uid, null]]] as const),
        ...(['&', ['kind', '=', 'email'], ['author_id', '=', null]] as const),
        ['gone_at', '=', null],
        ['date', '>=', since.toISOString()],
      ],
      newsFields,
      { order: '-date, -id', limit: looked },
    );
  return rows.filter((row) => Boolean(env.registry.models.get(row.model)?.chatter));
}

/** The names of the records that the user follows and may read. */
async function followedIn(
  env: Env,
  model: string,
  messages: readonly NewsMessage[],
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

/** The messages as the user sees them; changes of which they see nothing are left out. */
export async function shownNews(env: Env, messages: readonly NewsMessage[], names: News['names']) {
  const authors = await namesSeen(
    env,
    messages.flatMap(({ author_id: author }) => author ?? []),
  );
  const lines: FollowedChange[] = [];
  const guest = isGuest(env);
  for (const message of messages) {
    const { model, res_id: id, kind } = message;
    const kept = keptIn(message.tracking);
    const readable = await readableRelations(env, model, kept);
    const changes = kept.flatMap((change) => shownChange(env, model, change, readable) ?? []);
    if (kind === 'tracking' && changes.length === 0) continue;
    if (guest && !isOpenToGuests(message, env.uid)) continue;
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

function shownKind(message: NewsMessage, uid: number): FollowedChange['kind'] {
  if (message.kind === 'tracking') return 'change';
  if (mentions(message, uid)) return 'mention';
  return message.kind === 'system' ? 'system' : 'comment';
}
