import type { Bootstrap } from '@kontor/protocol';
import { openBootstrap } from '../state/bootstrap.ts';

const plain: Bootstrap = {
  rpcUrl: '/api/rpc',
  wcApiBase: '/web/wc',
  csrfToken: 'token',
  user: { id: 1, name: 'Ada Lindqvist', login: 'ada', initials: 'AL', isAdmin: true, tz: 'UTC' },
  company: { id: 1, name: 'Nordlicht Trading' },
  companies: [{ id: 1, name: 'Nordlicht Trading' }],
  activeCompanyId: 1,
  topMenus: [],
  sidebarMenus: [],
  apps: [],
  pinnedApps: [],
  workspace: { actionId: 0, menuId: '', viewType: '', recordId: 0, formEdit: false, listSearch: '' },
  busEnabled: false,
  toasts: [],
  lang: 'en_US',
  weeks: { start: 1, firstDays: 4 },
  theme: 'system',
  features: {},
  messages: {},
  clientAddons: [],
};

/** For tests of code that asks the page about its user. */
export function testBootstrap(change: Partial<Bootstrap> = {}): Bootstrap {
  const given = { ...plain, ...change };
  openBootstrap(given);
  return given;
}
