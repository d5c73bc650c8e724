import { type Env, inNameOf, inSavepoint, noticeWays, tellPerson, text } from '@kontor/addon';
import { followed } from '../chatter/notices.ts';
import { checkThread, isAllowed, type Thread, threadDetails } from '../chatter/thread.ts';
import { followersOf } from './followers.ts';
import { keyOf, peopleFields } from './following.ts';
import { hearingOf, isHeard, mentions } from './hearing.ts';
import { type NewsMessage, newsFields, shownNews } from './news.ts';

/** Messages that are told of in one transaction. */
const batch = 100;
const mostLines = 10;
/** News of more records at once are one notification. */
const mostRecords = 10;
const mostNames = 5;

type ShownChange = Awaited<ReturnType<typeof shownNews>>[number];

/**
 * Tells followers what others said and changed, in the transaction that marks it as told, so that a crash neither loses nor repeats
 * it. What they may not read at this moment they are not told. False if nothing is left. As the server: a worker without readers.
 */
export async function tellFollowers(env: Env): Promise<boolean> {
  const messages = env.sudo().model('mail.message');
  const rows = await messages.searchRead(
    [
      ['news_at', '<=', env.now.toISOString()],
      ['gone_at', '=', null],
    ],
    newsFields,
    { order: 'news_at, id', limit: batch },
  );
  if (rows.length === 0) return false;
  await messages.write(
    rows.map(({ id }) => id),
    { news_at: null },
  );
  const models = [...new Set(rows.map(({ model }) => model))].filter((name) => env.registry.models.get(name)?.chatter);
  for (const model of models) {
    const own = rows.filter((row) => row.model === model);
    // A record whose names cannot be computed must not keep the news of all others.
    await inSavepoint(env, () => tellOf(env, model, own)).catch(() => {});
  }
  return rows.length === batch;
}

async function tellOf(env: Env, model: string, messages: readonly NewsMessage[]): Promise<void> {
  const ids = [...new Set(messages.map((message) => message.res_id))];
  const { people, choices } = await followersOf(env, model, ids, peopleFields(env, model));
  const all = new Set([...people.values()].flatMap((own) => [...own.keys()]));
  const hearing = await hearingOf(env, [...all], model);
  const news = new Map<number, RecordNews[]>();
  for (const id of ids) {
    for (const uid of people.get(id)?.keys() ?? []) {
      const { hears, digest } = hearing(uid, choices.get(id)?.get(uid));
      const own = messages.filter(
        (message) =>
          message.res_id === id &&
          message.author_id !== uid &&
          // Mentions have a notification of their own.
          !mentions(message, uid) &&
          isHeard(env, hears, message, uid),
      );
      if (own.length === 0) continue;
      const known = news.get(uid) ?? [];
      news.set(uid, known);
      known.push({ thread: { model, id }, messages: own, isDigest: digest !== null });
    }
  }
  for (const [uid, records] of news) {
    if (records.length > mostRecords) await tellOfMany(env, uid, records);
    else for (const record of records) await tellOne(env, uid, record);
  }
}

interface RecordNews {
  readonly thread: Thread;
  readonly messages: readonly NewsMessage[];
  /** By mail it comes once a day. */
  readonly isDigest: boolean;
}

/** What a user may see of it now; null: nothing. */
async function seenBy(env: Env, uid: number, { thread, messages, isDigest }: RecordNews) {
  const theirs = await asReader(env, uid, thread);
  if (!theirs) return null;
  const { name } = await threadDetails(env, thread);
  const names = new Map([[keyOf({ model: thread.model, res_id: thread.id }), name]]);
  const lines = await shownNews(theirs, messages, names);
  if (isDigest && lines.length > 0) await keepForDigest(env, uid, lines);
  return lines.length > 0 ? { name, lines } : null;
}

/** A change of many records at once is one notification. It names none by mail: rights are asked again only about one record. */
async function tellOfMany(env: Env, uid: number, records: readonly RecordNews[]): Promise<void> {
  const names: string[] = [];
  for (const record of records) {
    const seen = await seenBy(env, uid, record);
    if (seen) names.push(seen.name);
  }
  if (names.length === 0) return;
  const title = text('News on {count} records that you follow', { count: names.length });
  await tellPerson(env, uid, followed, () => ({
    ...{ title, body: names.slice(0, mostNames).join(', '), about: null, isQuiet: true },
    mail: records.some(({ isDigest }) => isDigest) ? null : { paragraphs: [title] },
  }));
}

async function tellOne(env: Env, uid: number, record: RecordNews): Promise<void> {
  const { thread, isDigest } = record;
  const seen = await seenBy(env, uid, record);
  const [first] = seen?.lines ?? [];
  if (!seen || !first) return;
  const { name, lines } = seen;
  await tellPerson(env, uid, followed, () => ({
    title: lines.length === 1 ? titleOf(first) : text('{count} news on {name}', { count: lines.length, name }),
    body: lines.length === 1 ? [name, newsText(first)].filter(Boolean).join(': ') : newsText(first),
    about: { ...thread, name },
    isQuiet: true,
    mail: isDigest
      ? null
      : {
          subject: text('News on {name}', { name }),
          paragraphs: lines.slice(0, mostLines).flatMap((line) => [titleOf(line), newsText(line)].filter(Boolean)),
          ends: ['record', uid, thread.model, thread.id],
        },
  }));
}

/** As the server: entries cannot be written as records. */
async function keepForDigest(env: Env, uid: number, lines: readonly ShownChange[]): Promise<void> {
  if (!(await noticeWays(env, [uid], followed)).get(uid)?.byMail) return;
  const items = lines.map(({ key }) => ({ user_id: uid, message_id: Number(key) }));
  await env.sudo().model('mail.digest.item').createMany(items);
}

/** As a user who may read a record, in one of their companies; null if they may not. */
export async function asReader(env: Env, uid: number, thread: Thread): Promise<Env | null> {
  const own = await inNameOf(env, uid);
  if (!own) return null;
  const hasCompany = env.registry.model(thread.model).hasCompany;
  for (const company of hasCompany ? new Set([own.actor.companyId, ...own.actor.companyIds]) : [null]) {
    const theirs = company === null ? own : await inNameOf(env, uid, company);
    if (theirs && (await isAllowed(checkThread(theirs, thread)))) return theirs;
  }
  return null;
}

export function titleOf({ by, kind, changes }: ShownChange) {
  if (kind === 'change')
    return text('{author} changed {fields}', { author: by, fields: changes.map(({ label }) => label).join(', ') });
  return text('{author} wrote', { author: by });
}

/** What was said, or the new values. */
export function newsText({ kind, text: said, changes }: ShownChange): string {
  if (kind !== 'change') return said;
  return changes.map(({ label, value }) => `${label}: ${value ?? '–'}`).join(', ');
}
