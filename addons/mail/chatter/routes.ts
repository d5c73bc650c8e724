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
import { peopleLists, removeMention, shareRecord } from './share-record.ts';
import type { Thread } from './thread.ts';

const maxBody = 10_000;
const maxId = 2_147_483_647;
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

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a post, JSON or form. */
function postFields({ body }: RouteRequest): Fields {
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && !ArrayBuffer.isView(body))
    return body as Fields;
  throw new KontorError('INVALID_ARGS', 'The body must be an object or a form.');
}

function textIn(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new KontorError('INVALID_ARGS', `${name} must be a text.`, { field: name });
}

/** An integer within bounds; `fallback` if it is absent, INVALID_ARGS if it is invalid. */
function wholeIn<T>(fields: Fields, name: string, fallback: T, max = maxId): number | T {
  const text = textIn(fields, name).trim();
  if (text === '') return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new KontorError('INVALID_ARGS', `${name} must be a whole number from 1 to ${max}.`, { field: name });
}

function idIn(fields: Fields, name: string): number {
  const id = wholeIn(fields, name, null);
  if (id === null) throw new KontorError('INVALID_ARGS', `${name} must be given.`, { field: name });
  return id;
}

/** The record; both of its parts are required. */
function threadIn(fields: Fields): { readonly model: string; readonly id: number } {
  const model = textIn(fields, 'model');
  const id = wholeIn(fields, 'id', null, Number.MAX_SAFE_INTEGER);
  if (model === '') throw new KontorError('INVALID_ARGS', 'model must name a model.', { field: 'model' });
  if (id === null) throw new KontorError('INVALID_ARGS', 'id must name a record.', { field: 'id' });
  return { model, id };
}

/** Several records at once, separated by commas; null: none are named. */
function idsIn(fields: Fields): readonly number[] | null {
  const given = textIn(fields, 'ids').trim();
  if (given === '') return null;
  const ids = given.split(',');
  if (ids.length <= 200 && ids.every((id) => /^[1-9]\d{0,8}$/.test(id))) return ids.map(Number);
  throw new KontorError('INVALID_ARGS', 'ids names at most 200 records.', { field: 'ids' });
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
