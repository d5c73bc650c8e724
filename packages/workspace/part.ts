import { definePart } from '@kontor/kernel';
import { sysBoard, sysBoardTile } from './boards/board-models.ts';
import { mailServerCache } from './bootstrap/build-bootstrap.ts';
import { sysActionWindow, sysMenu, sysView } from './interface/interface-models.ts';
import { interfaceCache } from './interface/load-interface.ts';
import { settingsCache } from './settings/load-user-settings.ts';
import { sysSavedSearch, sysUserSetting } from './settings/user-setting.ts';

/** The user interface: views, window actions, menus, and personal settings. */
export const workspacePart = definePart({
  name: 'workspace',
  models: [sysView, sysActionWindow, sysMenu, sysSavedSearch, sysUserSetting, sysBoard, sysBoardTile],
  signals: {
    views: ['sys.view', 'sys.action.window', 'sys.menu'],
    settings: ['sys.saved.search', 'sys.user.setting'],
  },
  caches: [interfaceCache, settingsCache, mailServerCache],
});
