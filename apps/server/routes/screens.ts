import { invalidArgs } from '@kontor/protocol';
import {
  appsScreen,
  homeScreen,
  logsScreen,
  profileScreen,
  type RawQuery,
  settingsMenu,
  settingsScreen,
} from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { type Shell, sendResult, sendShell } from '../answers/send-shell.ts';
import { checkAdmin, type SessionCaller, signedIn } from '../guards/authenticate.ts';
import { wantsJson } from '../http/envelope.ts';

interface ScreenRoute {
  readonly path: string;
  readonly name: string;
  readonly isForAdmins: boolean;
  /** External id of the menu that it belongs to. */
  readonly menuKey?: string;
  load(shell: Shell, caller: SessionCaller, query: RawQuery): Promise<unknown>;
}

const screens: readonly ScreenRoute[] = [
  {
    path: '/web/home',
    name: 'home',
    isForAdmins: false,
    load: ({ kernel }, caller) => homeScreen(kernel, caller),
  },
  {
    path: '/web/apps',
    name: 'apps',
    isForAdmins: true,
    load: ({ kernel }, caller, query) => appsScreen(kernel, caller, text(query, 'module')),
  },
  {
    path: '/web/settings',
    name: 'settings',
    isForAdmins: false,
    menuKey: settingsMenu,
    load: ({ kernel }, caller) => settingsScreen(kernel, caller),
  },
  {
    path: '/web/settings/app-logs',
    name: 'app-logs',
    isForAdmins: true,
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
    path: '/web/profile',
    name: 'profile',
    isForAdmins: false,
    load: ({ kernel }, caller) => profileScreen(kernel, caller, caller.sessionId),
  },
];

/** Screens that are no workspace: the same shell, with their data in it; programs get the data alone. */
export function screenRoutes(server: FastifyInstance, shell: Shell): void {
  for (const { path, name, isForAdmins, menuKey, load } of screens) {
    server.get(path, async (request, reply) => {
      const caller = await signedIn(shell.kernel, request, reply);
      if (!caller) return reply;
      if (isForAdmins) checkAdmin(caller);
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
