import {
  KontorError,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  recordPath,
  text,
  ValidationError,
} from '@kontor/addon';
import { nextActivities } from '../activities/next-activities.ts';
import { readActivities } from '../activities/read-activities.ts';
import { filesIn, sendFile } from './message-files.ts';
import { postComment } from './post-message.ts';
import { readChatter } from './read-chatter.ts';
import { idsIn, nextIn, postFields, textIn, threadIn, wantsJson, wholeIn } from './request-fields.ts';

const maxBody = 10_000;
const pageSize = 50;
const maxPage = 200;

/** `GET /web/wc/chatter`, `POST /web/chatter/post`, and the activities beside them. */
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
    path: '/web/wc/activities',
    auth: 'session',
    handler: async ({ env, query }) => {
      const several = idsIn(query);
      if (several) return { body: await nextActivities(env, textIn(query, 'model'), several) };
      return { body: await readActivities(env, threadIn(query)) };
    },
  },
  {
    method: 'GET',
    path: '/web/wc/chatter/file',
    auth: 'session',
    handler: async ({ env, query }) => {
      const id = wholeIn(query, 'id', null);
      if (id === null) throw new KontorError('INVALID_ARGS', 'id must name a file.', { field: 'id' });
      return sendFile(env, id);
    },
  },
  { method: 'POST', path: '/web/chatter/post', auth: 'session', handler: post },
];

async function post(request: RouteRequest): Promise<RouteAnswer> {
  const fields = postFields(request);
  const thread = threadIn(fields);
  const files = filesIn(fields.files);
  const text = commentIn(textIn(fields, 'body'), files.length > 0);
  const id = await postComment(request.env, thread, text, { files, key: keyIn(request) });
  if (wantsJson(request)) return { body: { ok: true, result: { id }, error: null } };
  return { status: 303, headers: { location: nextIn(fields, recordPath(thread.model, thread.id)) } };
}

/** As on `/api/rpc`: the same key is the same post. */
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
