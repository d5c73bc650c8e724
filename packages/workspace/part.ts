import { definePart } from '@kontor/kernel';
import { interfaceCache } from './load-interface.ts';
import { settingsCache } from './load-user-settings.ts';
import { sysActionWindow, sysMenu, sysView } from './models/interface.ts';
import { sysSavedSearch, sysUserSetting } from './models/user-setting.ts';

/** What people see and where it leads: views, window actions, menus, and how each person arranged them. */
export const workspacePart = definePart({
  name: 'workspace',
  models: [sysView, sysActionWindow, sysMenu, sysSavedSearch, sysUserSetting],
  signals: {
    views: ['sys.view', 'sys.action.window', 'sys.menu'],
    settings: ['sys.saved.search', 'sys.user.setting'],
  },
  caches: [interfaceCache, settingsCache],
});
