import {
  type Env,
  KontorError,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  recordPath,
  text,
  ValidationError,
} from '@kontor/addon';
import { nextActivities, readActivities } from '../activities/read-activities.ts';
import { isFollowing } from '../following/following.ts';
import { filesIn, sendFile } from './message-files.ts';
import { postComment } from './post-message.ts';
import { readChatter } from './read-chatter.ts';
import { countFiles, readFiles, setRemoved } from './record-files.ts';
import { type Fields, idIn, idsIn, maxId, postFields, textIn, threadIn, wholeIn } from './route-fields.ts';
import { reschedule, scheduledMessages, sendMessage, takeBack } from './send-message.ts';
import { peopleLists, removeMention, shareRecord } from './share-record.ts';
import { suggestRecipients } from './suggest-recipients.ts';
import type { Thread } from './thread.ts';

const maxBody = 10_000;
const pageSize = 50;
const maxPage = 200;

/** The messages of a record, its files, undelivered mentions, and activities. */
export const chatterRoutes: readonly RouteSpec[] = [
  {
    method: 'GET',
    path: '/web/wc/chatter',
    auth: 'session',
    handler: async ({ env, query }) => {
      const limit = Math.min(maxPage, wholeIn(query, 'limit', pageSize));
      return { body: await readChatter(env, threadIn(query), { before: wholeIn(query, 'before', null), limit }) };
    },
  },
  {
    method: 'GET',
    path: '/web/wc/chatter/files',
    auth: 'session',
    handler: async ({ env, query }) => ({ body: await readFiles(env, threadIn(query)) }),
  },
  {
    method: 'GET',
    path: '/web/wc/activities',
    auth: 'session',
    handler: async ({ env, query }) => {
      const several = idsIn(query);
      if (several) return { body: await nextActivities(env, textIn(query, 'model'), several) };
      const thread = threadIn(query);
      const activities = await readActivities(env, thread);
      const isFollowed = await isFollowing(env, thread);
      return { body: { ...activities, isFollowed, fileCount: await countFiles(env, thread) } };
    },
  },
  {
    method: 'GET',
    path: '/web/wc/chatter/file',
    auth: 'session',
    handler: async ({ env, query }) => {
      return sendFile(env, idIn(query, 'id'));
    },
  },
  { method: 'POST', path: '/web/chatter/post', auth: 'session', handler: post },
  {
    method: 'GET',
    path: '/web/wc/chatter/recipients',
    auth: 'session',
    handler: async ({ env, query }) => ({ body: await suggestRecipients(env, threadIn(query)) }),
  },
  {
    method: 'GET',
    path: '/web/wc/chatter/scheduled',
    auth: 'session',
    handler: async ({ env }) => ({ body: { messages: await scheduledMessages(env) } }),
  },
  { method: 'POST', path: '/web/chatter/mail', auth: 'session', handler: mail },
  {
    method: 'POST',
    path: '/web/chatter/unsend',
    auth: 'session',
    handler: async (request) => {
      const result = await takeBack(request.env, idIn(postFields(request), 'message'));
      return { body: { ok: true, result, error: null } };
    },
  },
  {
    method: 'POST',
    path: '/web/chatter/reschedule',
    auth: 'session',
    handler: async (request) => {
      const fields = postFields(request);
      await reschedule(request.env, idIn(fields, 'message'), textIn(fields, 'at'));
      return { body: { ok: true, result: null, error: null } };
    },
  },
  {
    method: 'POST',
    path: '/web/chatter/share',
    auth: 'session',
    handler: async (request) => {
      const fields = postFields(request);
      await shareRecord(request.env, threadIn(fields), idIn(fields, 'user'));
      return { body: { ok: true, result: null, error: null } };
    },
  },
  {
    method: 'POST',
    path: '/web/chatter/unmention',
    auth: 'session',
    handler: async (request) => {
      const fields = postFields(request);
      await removeMention(request.env, idIn(fields, 'message'), idIn(fields, 'user'));
      return { body: { ok: true, result: null, error: null } };
    },
  },
];

async function post(request: RouteRequest): Promise<RouteAnswer> {
  const fields = postFields(request);
  const thread = threadIn(fields);
  if (fields.remove ?? fields.restore) return postRemoval(request.env, thread, fields);
  const files = filesIn(fields.files);
  const text = commentIn(textIn(fields, 'body'), files.length > 0);
  const { id, unseen } = await postComment(request.env, thread, text, { files, key: keyIn(request) });
  const told = unseen.length > 0 ? { unseen, canShare: peopleLists(request.env, thread.model).length > 0 } : {};
  if (wantsJson(request)) return { body: { ok: true, result: { id, ...told }, error: null } };
  return { status: 303, headers: { location: nextIn(fields, recordPath(thread.model, thread.id)) } };
}

/** A message to people outside. */
async function mail(request: RouteRequest): Promise<RouteAnswer> {
  const fields = postFields(request);
  const files = filesIn(fields.files);
  const addresses = (given: unknown) =>
    Array.isArray(given) && given.every((each) => typeof each === 'string') ? (given as readonly string[]) : [];
  const [to, cc] = [addresses(fields.to), addresses(fields.cc)];
  const result = await sendMessage(request.env, threadIn(fields), {
    ...{ to, cc, files, subject: textIn(fields, 'subject'), body: commentIn(textIn(fields, 'body'), files.length > 0) },
    ...{ at: textIn(fields, 'at') || null, key: keyIn(request), isSigned: fields.signed !== false },
    ...langIn(fields),
  });
  return { body: { ok: true, result, error: null } };
}

/** Of a message from a template. */
function langIn(fields: Fields): { readonly lang?: string } {
  const lang = textIn(fields, 'lang');
  return /^[a-z]{2,3}(?:_[A-Za-z0-9]{2,4}){0,2}$/.test(lang) ? { lang } : {};
}

/** Removes files from the record, or restores them. */
async function postRemoval(env: Env, thread: Thread, { remove, restore }: Fields): Promise<RouteAnswer> {
  const ids = remove ?? restore;
  if (!Array.isArray(ids) || ids.length > 100 || !ids.every((id) => Number.isInteger(id) && id > 0 && id <= maxId)) {
    throw new KontorError('INVALID_ARGS', 'remove and restore take the ids of at most 100 files.', { field: 'remove' });
  }
  await setRemoved(env, thread, ids as readonly number[], remove !== undefined);
  return { body: { ok: true, result: true, error: null } };
}

/** As for `/api/rpc`: the same key is the same post. */
function keyIn({ headers }: RouteRequest): string {
  const key = headers['idempotency-key'] ?? '';
  if (/^[\x21-\x7e]{0,64}$/.test(key)) return key;
  throw new KontorError('INVALID_ARGS', 'Idempotency-Key has at most 64 visible characters.');
}

function commentIn(given: string, hasFiles: boolean): string {
  if (given.trim() === '' && !hasFiles) throw new ValidationError({ body: ['Write something first.'] });
  if ([...given].length > maxBody)
    throw new ValidationError({ body: [text('A message has at most {max} characters.', { max: maxBody })] });
  return given;
}

/** Programs send or accept JSON; forms come from users. */
function wantsJson({ headers }: RouteRequest): boolean {
  return /\bapplication\/json\b/i.test(`${headers['content-type'] ?? ''} ${headers.accept ?? ''}`);
}

/** A path under `/web` of this server; anything else falls back. */
function nextIn(fields: Fields, fallback: string): string {
  const here = 'http://kontor.invalid';
  const given = textIn(fields, 'next');
  if (!given.startsWith('/') || !URL.canParse(given, here)) return fallback;
  const url = new URL(given, here);
  const isOurs = url.origin === here && (url.pathname === '/' || /^\/web(\/|$)/.test(url.pathname));
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : fallback;
}
