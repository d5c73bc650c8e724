import { KontorError, type RouteAnswer, type RouteRequest, type RouteSpec, unsubscribeScope } from '@kontor/addon';
import { type Fields, postFields, textIn, threadIn, wholeIn } from '../chatter/route-fields.ts';
import { addFollower, type Follower, removeFollower } from './change-followers.ts';
import { readFollowers } from './read-followers.ts';
import { describeEnding, type Ending } from './unsubscribe.ts';
import { askPage, endedPage, invalidPage, resumedPage } from './unsubscribe-pages.ts';

const linkPath = '/mail/unsubscribe/:token';

/** Followers of a record, and the links that end e-mails. */
export const followingRoutes: readonly RouteSpec[] = [
  {
    method: 'GET',
    path: '/web/wc/chatter/followers',
    auth: 'session',
    handler: async ({ env, query }) => ({ body: await readFollowers(env, threadIn(query)) }),
  },
  {
    method: 'POST',
    path: '/web/chatter/followers',
    auth: 'session',
    handler: async (request) => {
      const fields = postFields(request);
      const thread = threadIn(fields);
      const change = textIn(fields, 'do');
      if (change === 'add') await addFollower(request.env, thread, followerIn(fields));
      else if (change === 'remove') await removeFollower(request.env, thread, followerIn(fields));
      else throw new KontorError('INVALID_ARGS', 'do is add or remove.', { field: 'do' });
      return { body: { ok: true, result: await readFollowers(request.env, thread), error: null } };
    },
  },
  // Opening a link changes nothing: programs that look for viruses open every one.
  { method: 'GET', path: linkPath, auth: 'none', handler: (request) => answerLink(request, askPage) },
  { method: 'POST', path: linkPath, auth: 'none', handler: (request) => answerLink(request, endOrResume) },
];

function followerIn(fields: Fields): Follower {
  const user = wholeIn(fields, 'user', null);
  const contact = wholeIn(fields, 'contact', null);
  if (user !== null && contact === null) return { user };
  if (contact !== null && user === null) return { contact };
  throw new KontorError('INVALID_ARGS', 'Name a user or a contact.', { field: 'user' });
}

type Answer = (request: RouteRequest, ending: Ending) => RouteAnswer | Promise<RouteAnswer>;

/** As the server: nobody is signed in. The signature proves that we wrote the link. */
async function answerLink(request: RouteRequest, answer: Answer): Promise<RouteAnswer> {
  const { env, params } = request;
  const scope = await unsubscribeScope(env, params.token ?? '');
  const ending = scope && (await describeEnding(env, scope));
  return ending === null ? invalidPage(request) : answer(request, ending);
}

/** Mail programs post `List-Unsubscribe=One-Click`, the page posts what its buttons say. */
async function endOrResume(request: RouteRequest, ending: Ending): Promise<RouteAnswer> {
  const { env, body } = request;
  const isForm = typeof body === 'object' && body !== null && !ArrayBuffer.isView(body);
  if (isForm && textIn(body as Fields, 'do') === 'resume')
    return resumedPage(request, ending, await ending.resume(env));
  await ending.end(env);
  return endedPage(request, ending);
}
