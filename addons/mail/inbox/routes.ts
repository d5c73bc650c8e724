import { KontorError, type RouteSpec } from '@kontor/addon';
import { type Fields, idIn, maxId, postFields, textIn, wholeIn } from '../chatter/route-fields.ts';
import { changeConversations, type InboxChange } from './change-conversation.ts';
import { type Folder, folders, readInbox } from './read-inbox.ts';
import { suggestPlaces } from './suggest-places.ts';

const pageSize = 100;
const maxPage = 500;
const maxText = 100;
const mostAtOnce = 100;

/** The inbox: conversations, what people do to them, and where an unsorted e-mail may belong. */
export const inboxRoutes: readonly RouteSpec[] = [
  {
    method: 'GET',
    path: '/web/wc/inbox',
    auth: 'session',
    handler: async ({ env, query }) => ({
      body: await readInbox(env, {
        folder: folderIn(query),
        mailbox: wholeIn(query, 'mailbox', null),
        text: textIn(query, 'q').trim().slice(0, maxText),
        id: wholeIn(query, 'id', null),
        limit: Math.min(maxPage, wholeIn(query, 'limit', pageSize)),
      }),
    }),
  },
  {
    method: 'GET',
    path: '/web/wc/inbox/places',
    auth: 'session',
    handler: async ({ env, query }) => {
      const places = await suggestPlaces(env, idIn(query, 'id'), textIn(query, 'q').trim().slice(0, maxText));
      return { body: { places } };
    },
  },
  {
    method: 'POST',
    path: '/web/inbox/change',
    auth: 'session',
    handler: async (request) => {
      const fields = postFields(request);
      await changeConversations(request.env, idsIn(fields), changeIn(fields));
      return { body: { ok: true, result: null, error: null } };
    },
  },
];

function folderIn(fields: Fields): Folder {
  const given = textIn(fields, 'folder') || 'open';
  const folder = folders.find((each) => each === given);
  if (!folder) throw new KontorError('INVALID_ARGS', `folder is one of ${folders.join(', ')}.`, { field: 'folder' });
  return folder;
}

function idsIn({ ids }: Fields): readonly number[] {
  const isId = (id: unknown) => typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= maxId;
  if (Array.isArray(ids) && ids.length > 0 && ids.length <= mostAtOnce && ids.every(isId))
    return ids as readonly number[];
  throw new KontorError('INVALID_ARGS', `ids names 1 to ${mostAtOnce} conversations.`, { field: 'ids' });
}

function changeIn(fields: Fields): InboxChange {
  const name = textIn(fields, 'do');
  if (name === 'open' || name === 'close' || name === 'read' || name === 'unread') return { do: name };
  if (name === 'snooze') return { do: name, until: textIn(fields, 'until') };
  if (name === 'assign') return { do: name, user: wholeIn(fields, 'user', null) };
  if (name === 'answering') return { do: name, on: fields.on === true };
  throw new KontorError('INVALID_ARGS', 'do is open, close, snooze, assign, read, unread or answering.', {
    field: 'do',
  });
}
