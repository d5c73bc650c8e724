import type { SidebarMenu } from '@kontor/protocol';
import type { Kernel } from '../../kernel.ts';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { sideMenus } from '../side-menus.ts';
import { visibleMenus } from '../visible-menus.ts';

/** The menu under which addons hang what there is to set. */
export const settingsMenu = 'base.menu_settings';

export interface SettingsScreen {
  readonly sections: readonly SidebarMenu[];
  readonly isAdmin: boolean;
}

/** Everything that the person may set, by section; those who administer see more. */
export async function settingsScreen(kernel: Kernel, { actor }: WorkspaceCaller): Promise<SettingsScreen> {
  const screens = await kernel.interface(actor.lang);
  return kernel.read(actor, async (env) => {
    const roots = visibleMenus({ screens, env, states: kernel.loaded.states });
    const root = roots.find(({ menu }) => menu.key === settingsMenu) ?? null;
    return { sections: sideMenus(root), isAdmin: actor.groups.has('base.group_system') };
  });
}
