import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import {
  customiseScreen,
  ownChanges,
  proposalsPath,
  rightsScreen,
  type SeenRead,
  shownProposals,
  watchReads,
} from '@kontor/parts';
import { invalidArgs, type WorkspacePayload } from '@kontor/protocol';
import {
  appsScreen,
  buildBootstrap,
  buildWorkspace,
  findRecords,
  homeScreen,
  logsScreen,
  profileScreen,
  type RawQuery,
  readTimeline,
  readWorkspaceQuery,
  referenceScreen,
  settingsMenu,
  settingsScreen,
  type TimelineRequest,
} from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { type Shell, sendResult, sendShell } from '../answers/send-shell.ts';
import { checkAdmin, originOf, type SessionCaller, signedIn } from '../guards/authenticate.ts';
import { inPieces, wantsJson } from '../http/envelope.ts';

/** The workspace shell: the page contains the first workspace, so that the first screen needs no request. */
export function shellRoutes(server: FastifyInstance, shell: Shell): void {
  const { kernel, clients } = shell;
  const reads = watchReads(kernel.database);
  server.get('/web', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const raw = request.query as RawQuery;
    if (!raw.action && !raw.model && !raw.menu_id) return reply.redirect('/web/home', 302);
    const workspace = await buildWorkspace(kernel, caller, readWorkspaceQuery(raw));
    await reads.saw(originOf(request, caller), seenIn(workspace, raw));
    if (wantsJson(request)) {
      return sendResult(
        reply,
        await buildBootstrap(kernel, caller, { workspace, toasts: [], clientAddons: await clients.present() }),
      );
    }
    return sendShell(shell, caller, { request, reply }, { workspace });
  });
}

function seenIn({ model, records }: WorkspacePayload, asked: RawQuery): SeenRead {
  return { model, count: records.length, asked };
}

/**
 * One view with its records: the payload itself on success, the RPC envelope on errors. Also records by a few letters, and the
 * user's changes.
 */
export function workspaceRoutes(server: FastifyInstance, kernel: Kernel): void {
  const reads = watchReads(kernel.database);
  server.get('/web/wc/workspace', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const raw = request.query as RawQuery;
    const payload = await buildWorkspace(kernel, caller, readWorkspaceQuery(raw));
    await reads.saw(originOf(request, caller), seenIn(payload, raw));
    return reply
      .header('vary', 'cookie')
      .type('application/json; charset=utf-8')
      .send(inPieces(toJson(payload)));
  });
  server.get('/web/wc/find', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const query = request.query as RawQuery;
    const asked = { text: text(query, 'q'), models: text(query, 'models').split(',') };
    const answer = await findRecords(kernel, caller, asked);
    for (const [model, records] of Object.entries(answer.found)) {
      await reads.saw(originOf(request, caller), { model, count: records.length, asked: query });
    }
    return sendResult(reply, answer);
  });
  server.get('/web/wc/timeline', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const query = request.query as RawQuery;
    const answer = await readTimeline(kernel, caller, timelineRequest(query));
    await reads.saw(originOf(request, caller), {
      model: text(query, 'model'),
      count: answer.items.length,
      asked: query,
    });
    return sendResult(reply, answer);
  });
  server.get('/web/wc/changes', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    return caller ? sendResult(reply, await ownChanges(kernel, caller.actor)) : reply;
  });
}

const timelinePage = 20;

function timelineRequest(query: RawQuery): TimelineRequest {
  const record = id(query, 'id');
  if (record === null) throw invalidArgs('id must name a record.', { field: 'id' });
  return {
    model: text(query, 'model'),
    id: record,
    kinds: text(query, 'kinds').split(',').filter(Boolean),
    isUpcoming: text(query, 'upcoming') === '1',
    after: text(query, 'after'),
    limit: pageSize(query),
  };
}

function pageSize(query: RawQuery): number {
  const given = text(query, 'limit');
  if (!/^\d{0,6}$/.test(given)) throw invalidArgs('limit must be a whole number from 0 on.', { field: 'limit' });
  return Number(given) || timelinePage;
}

interface ScreenRoute {
  readonly path: string;
  readonly name: string;
  /** The model that it shows, if only administrators may see it. */
  readonly adminsRead?: string;
  /** External id of the menu that it belongs to. */
  readonly menuKey?: string;
  load(shell: Shell, caller: SessionCaller, query: RawQuery): Promise<unknown>;
}

const screens: readonly ScreenRoute[] = [
  {
    path: '/web/home',
    name: 'home',
    load: ({ kernel }, caller) => homeScreen(kernel, caller),
  },
  {
    path: '/web/apps',
    name: 'apps',
    adminsRead: 'sys.module',
    load: ({ kernel }, caller, query) => appsScreen(kernel, caller, text(query, 'module')),
  },
  {
    path: '/web/settings',
    name: 'settings',
    menuKey: settingsMenu,
    load: ({ kernel }, caller) => settingsScreen(kernel, caller),
  },
  {
    path: '/web/settings/app-logs',
    name: 'app-logs',
    adminsRead: 'sys.log',
    menuKey: settingsMenu,
    load: ({ kernel }, caller, query) =>
      logsScreen(kernel, caller, {
        level: text(query, 'level'),
        q: text(query, 'q'),
        requestId: text(query, 'request_id'),
        before: id(query, 'before'),
        after: id(query, 'after'),
      }),
  },
  {
    path: '/web/settings/customise',
    name: 'customise',
    menuKey: settingsMenu,
    load: ({ kernel }, { actor }) => customiseScreen(kernel, actor),
  },
  {
    path: '/web/settings/rights',
    name: 'rights',
    menuKey: settingsMenu,
    load: ({ kernel }, { actor }, query) =>
      rightsScreen(kernel, actor, {
        ...{ model: text(query, 'model'), user: id(query, 'user') ?? 0, id: id(query, 'id') ?? 0 },
      }),
  },
  {
    path: '/web/profile',
    name: 'profile',
    load: ({ kernel }, caller) => profileScreen(kernel, caller, caller.sessionId),
  },
  {
    path: proposalsPath,
    name: 'proposals',
    load: async ({ kernel }, { actor }, query) => ({
      proposals: await shownProposals(kernel, actor, Number(text(query, 'whole')) || null),
    }),
  },
  {
    path: '/web/reference',
    name: 'reference',
    load: ({ kernel }, caller, query) => referenceScreen(kernel, caller, text(query, 'model')),
  },
];

/** Screens other than workspaces: the same shell, with their data in it; programs get only the data. */
export function screenRoutes(server: FastifyInstance, shell: Shell): void {
  for (const { path, name, adminsRead, menuKey, load } of screens) {
    server.get(path, async (request, reply) => {
      const caller = await signedIn(shell.kernel, request, reply);
      if (!caller) return reply;
      if (adminsRead !== undefined) checkAdmin(caller, adminsRead, 'read');
      const data = await load(shell, caller, request.query as RawQuery);
      if (wantsJson(request)) return sendResult(reply, data);
      const page = { screen: { name, data }, ...(menuKey === undefined ? {} : { menuKey }) };
      return sendShell(shell, caller, { request, reply }, page);
    });
  }
}

function text(query: RawQuery, name: string): string {
  const value = query[name] ?? '';
  if (typeof value === 'string') return value.trim();
  throw invalidArgs(`${name} is given more than once.`, { field: name });
}

function id(query: RawQuery, name: string): number | null {
  const given = text(query, name);
  if (given === '') return null;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw invalidArgs(`${name} must be an id.`, { field: name });
}
